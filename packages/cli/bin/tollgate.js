#!/usr/bin/env node
// Written in syntax that old versions of Node can parse, so that they print the message below. CommonJS, because it starts faster.
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const MINIMUM = 24;
const major = Number(process.versions.node.split('.')[0]);

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

if (major < MINIMUM) {
  process.stderr.write(
    `tollgate: requires Node ${MINIMUM} or newer, found ${process.versions.node}; ` +
      'in a clone, run `npm install` and then `npx tollgate`, which uses the Node of the project\n',
  );
  process.exitCode = 2;
} else {
  const main = join(__dirname, '../src/main.ts');
  if (existsSync(main)) void startSources(main);
  else {
    const { startCommand } = require('../dist/bundle/start.cjs');
    void startCommand({ process, folder: 'bundle', load: async () => require('../dist/bundle/main.cjs') });
  }
}
