#!/usr/bin/env node
// Written in syntax that old versions of Node can parse, so that they print the message below. CommonJS, because it starts faster.
const { existsSync, readFileSync, statSync } = require('node:fs');
const { join } = require('node:path');

/** Of the published command. The first with `node:sqlite`, `module.registerHooks` and `fs.glob`. */
const MINIMUM = [22, 16];

/** Of a clone, whose TypeScript sources run unchanged. */
const MINIMUM_FOR_SOURCES = [24, 0];

const main = join(__dirname, '../src/main.ts');
const dist = join(__dirname, '../dist');
const root = join(__dirname, '../../..');
const isClone = existsSync(main);
const [minimumMajor, minimumMinor] = isClone ? MINIMUM_FOR_SOURCES : MINIMUM;
const [major, minor] = process.versions.node.split('.').map(Number);

/** Returns true if nothing has changed since the bundle of a clone was written. */
function isCurrent() {
  try {
    const inputs = JSON.parse(readFileSync(join(dist, 'bundle-inputs.json'), 'utf8'));
    return inputs.every(([path, size, time]) => {
      const found = statSync(`${root}/${path}`);
      return found.size === size && found.mtimeMs === time;
    });
  } catch (_) {
    return false;
  }
}

/** Runs the packages of a clone from their TypeScript sources, without a build. */
async function startSources() {
  const { enableCompileCache, registerHooks } = require('node:module');
  const { pathToFileURL } = require('node:url');
  enableCompileCache(join(root, 'node_modules/.cache/tollgate-sources'));
  registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, { ...context, conditions: ['tollgate-source', ...context.conditions] }),
  });
  const { startCommand } = await import(pathToFileURL(join(main, '../start-command.ts')).href);
  await startCommand({ process, load: () => import(pathToFileURL(main).href) });
}

if (major < minimumMajor || (major === minimumMajor && minor < minimumMinor)) {
  process.stderr.write(
    `tollgate: requires Node ${minimumMajor}.${minimumMinor} or newer, found ${process.versions.node}` +
      (isClone ? '; run `npm install` and then `npx tollgate`, which uses the Node of the project\n' : '\n'),
  );
  process.exitCode = 2;
} else if (isClone && !isCurrent()) void startSources();
else {
  const directory = join(dist, 'bundle');
  void require('../dist/bundle/start.cjs').startBundle({ process, directory, require });
}
