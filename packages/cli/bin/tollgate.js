#!/usr/bin/env node
// Kept to syntax that old versions of Node read, so that they get the message below rather than a syntax error. CommonJS, which starts sooner.
const { existsSync } = require('node:fs');
const nodeModule = require('node:module');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');

const MINIMUM = 24;
const major = Number(process.versions.node.split('.')[0]);

/** In a clone all packages run from their TypeScript sources, without a build. */
async function startSources(source) {
  nodeModule.enableCompileCache();
  nodeModule.registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, { ...context, conditions: ['tollgate-source', ...context.conditions] }),
  });
  const { runCommandLine } = await import(pathToFileURL(source).href);
  await runCommandLine(process);
}

if (major < MINIMUM) {
  process.stderr.write(
    `tollgate: needs Node ${MINIMUM} or newer, this is ${process.versions.node}; ` +
      'in a clone, `npx tollgate` after `npm install` uses the one that comes with it\n',
  );
  process.exitCode = 2;
} else {
  const source = join(__dirname, '../src/main.ts');
  if (existsSync(source)) void startSources(source);
  else void require('../dist/bundle/start.cjs').startBundle(join(__dirname, '../dist/bundle'), process);
}
