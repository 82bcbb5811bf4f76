import { build } from 'esbuild';
import { expect, it } from 'vitest';

/** Entries that run without Node: in browsers, workers and gateways. */
const PORTABLE = [
  '@tollgate/diagnostics',
  '@tollgate/diagnostics/portable',
  '@tollgate/diagnostics/reports',
  '@tollgate/catalog',
  '@tollgate/cel',
  '@tollgate/cel/codes',
  '@tollgate/cel/runtime',
  '@tollgate/cel/runtime/regex',
  '@tollgate/cel/tooling',
  '@tollgate/policy',
  '@tollgate/policy/codes',
  '@tollgate/policy/markdown',
  '@tollgate/traffic',
  '@tollgate/traffic/codes',
  '@tollgate/traffic/columns',
  '@tollgate/traffic/reading',
  '@tollgate/simulator',
  '@tollgate/simulator/compiled',
  '@tollgate/solver',
  '@tollgate/solver/conditions',
  '@tollgate/lint',
  '@tollgate/lint/testing',
  '@tollgate/core',
  '@tollgate/compile',
  '@tollgate/describe',
  '@tollgate/enforce',
  '@tollgate/enforce/compiled',
  '@tollgate/enforce/fetch',
  '@tollgate/reports',
  '@tollgate/reports/coverage',
  '@tollgate/reports/html',
  '@tollgate/reports/json',
  '@tollgate/reports/markdown',
  '@tollgate/language-server',
  '@tollgate/language-server/browser',
  '@tollgate/playground/permalink',
  '@tollgate/language-server/descriptions',
];

// One build for all: each entry by itself would read the same thousand sources again.
it('can be bundled for browsers, without a stub', async () => {
  const { errors, metafile } = await build({
    entryPoints: PORTABLE.map(entry => ({ in: entry, out: entry })),
    absWorkingDir: import.meta.dirname,
    outdir: 'bundled',
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['tollgate-source'],
    logLevel: 'silent',
  });
  expect(errors).toEqual([]);
  const imports = Object.values(metafile.outputs).flatMap(output => output.imports);
  expect(imports.filter(({ external }) => external).map(({ path }) => path)).toEqual([]);
});
