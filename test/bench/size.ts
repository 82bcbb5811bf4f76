// What a compiled policy weighs where it runs, bundled, minified and compressed:
//   npx node --conditions=tollgate-source test/bench/size.ts

import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { emitModule } from '@tollgate/cel';
import { build } from 'esbuild';
import { BENCH_ENVIRONMENT, typedOf } from './engines.ts';
import { POLICY_RULES } from './policy30-rules.ts';

const LIMIT = 12_000;
const HERE = fileURLToPath(new URL('.', import.meta.url));

async function sizeOf(
  contents: string,
  external: readonly string[] = [],
): Promise<{ minified: number; compressed: number }> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: HERE, loader: 'js' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2024',
    conditions: ['tollgate-source'],
    external: [...external],
  });
  const code = outputFiles[0]?.contents ?? new Uint8Array();
  return { minified: code.length, compressed: gzipSync(code, { level: 9 }).length };
}

const rules = POLICY_RULES.map(expressions => expressions.map(source => typedOf(source)));
const policy = emitModule({ environment: BENCH_ENVIRONMENT, conditions: { evaluateAll: rules } });
const rows: readonly (readonly [string, string, readonly string[]])[] = [
  ['a policy of 30 rules with what it uses', policy, []],
  ['the whole runtime, RE2 engine left out', `export * from '@tollgate/cel/runtime'`, ['re2js']],
];
for (const [name, contents, external] of rows) {
  const { minified, compressed } = await sizeOf(contents, external);
  const verdict = compressed < LIMIT ? 'within' : 'BEYOND';
  console.log(
    `${name.padEnd(42)}${String(minified).padStart(8)} minified${String(compressed).padStart(8)} compressed, ${verdict} ${LIMIT}`,
  );
}
