#!/usr/bin/env node
// Kept to syntax that old versions of Node read, so that they get the message below rather than a syntax error.
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';

const MINIMUM = 24;
const major = Number(process.versions.node.split('.')[0]);

if (major < MINIMUM) {
  process.stderr.write(
    `tollgate: needs Node ${MINIMUM} or newer, this is ${process.versions.node}; ` +
      'in a clone, `npx tollgate` after `npm install` uses the one that comes with it\n',
  );
  process.exitCode = 2;
} else {
  // A start takes a third of the time when what V8 made of the code is kept from one run to the next.
  nodeModule.enableCompileCache();
  const source = new URL('../src/main.ts', import.meta.url);
  const isClone = existsSync(source);
  if (isClone) {
    // In a clone all packages run from their TypeScript sources, without a build.
    nodeModule.registerHooks({
      resolve: (specifier, context, next) =>
        next(specifier, { ...context, conditions: ['tollgate-source', ...context.conditions] }),
    });
  }
  const { runCommandLine } = await import(
    (isClone ? source : new URL('../dist/bundle/main.cjs', import.meta.url)).href
  );
  await runCommandLine(process);
}
