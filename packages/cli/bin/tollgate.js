#!/usr/bin/env node
// Written in syntax that old versions of Node can parse, so that they print the message below. CommonJS, because it starts faster.
const { existsSync } = require('node:fs');
const { join } = require('node:path');

/** Of the published command. The first with `node:sqlite`, `module.registerHooks` and `fs.glob`. */
const MINIMUM = [22, 16];

/** Of a clone, whose TypeScript sources run unchanged. */
const MINIMUM_FOR_SOURCES = [24, 0];

const main = join(__dirname, '../src/main.ts');
const isClone = existsSync(main);
const [minimumMajor, minimumMinor] = isClone ? MINIMUM_FOR_SOURCES : MINIMUM;
const [major, minor] = process.versions.node.split('.').map(Number);

/** Runs the packages of a clone from their TypeScript sources, without a build. */
async function startSources(main) {
  const { registerHooks } = require('node:module');
  const { pathToFileURL } = require('node:url');
  const { startCommand } = await import(pathToFileURL(join(main, '../start/start-command.ts')).href);
  registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, { ...context, conditions: ['tollgate-source', ...context.conditions] }),
  });
  await startCommand({ process, folder: 'sources', load: () => import(pathToFileURL(main).href) });
}

if (major < minimumMajor || (major === minimumMajor && minor < minimumMinor)) {
  process.stderr.write(
    `tollgate: requires Node ${minimumMajor}.${minimumMinor} or newer, found ${process.versions.node}` +
      (isClone ? '; run `npm install` and then `npx tollgate`, which uses the Node of the project\n' : '\n'),
  );
  process.exitCode = 2;
} else if (isClone) void startSources(main);
else {
  const { startCommand } = require('../dist/bundle/start.cjs');
  void startCommand({ process, folder: 'bundle', load: async () => require('../dist/bundle/main.cjs') });
}
