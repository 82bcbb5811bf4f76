#!/usr/bin/env node
// Kept to syntax that old versions of Node read, so that they get the message below rather than a syntax error. CommonJS, which starts sooner.
const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const MINIMUM = 24;
const major = Number(process.versions.node.split('.')[0]);

/** In a clone all packages run from their TypeScript sources, without a build. */
async function startSources(source) {
  const nodeModule = require('node:module');
  const { pathToFileURL } = require('node:url');
  const { cacheDirectory } = await import(pathToFileURL(join(source, '../start/cache-directory.ts')).href);
  const { isPrivateDirectory } = await import(pathToFileURL(join(source, '../start/private-directory.ts')).href);
  // Not the default of Node, which is in a directory that everybody may write to.
  const kept = cacheDirectory(process.env, process.platform);
  const directory = kept === undefined ? undefined : join(kept, 'tollgate', 'sources');
  if (directory !== undefined && isPrivateDirectory(directory)) nodeModule.enableCompileCache(directory);
  nodeModule.registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, { ...context, conditions: ['tollgate-source', ...context.conditions] }),
  });
  const { runCommandLine } = await import(pathToFileURL(source).href);
  await runCommandLine(process);
}

/** As `require` does, but for asking where the file really is and which package it belongs to, which took as long as all else of it. */
function load(path) {
  const { compileFunction } = require('node:vm');
  const module = { exports: {} };
  const run = compileFunction(readFileSync(path, 'utf8'), ['module', 'exports', 'require'], { filename: path });
  run(module, module.exports, require);
  return module.exports;
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
  else {
    const directory = join(__dirname, '../dist/bundle');
    const importModule = specifier => import(specifier);
    void load(join(directory, 'start.cjs')).startBundle({ directory, process, require, importModule });
  }
}
