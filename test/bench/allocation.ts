// What evaluations leave on the heap. Scalar rules must leave nothing:
//   npx node --expose-gc --min-semi-space-size=64 --conditions=tollgate-source test/bench/allocation.ts

import { type Activation, compileToJavaScript } from '@tollgate/cel';
import { BENCH_ENVIRONMENT, typedOf } from './engines.ts';
import { ERROR_CASE, EVAL_CASES } from './eval-cases.ts';
import { exchange } from './traffic.ts';

const RUNS = 1_000_000;
/** Made by what surrounds the evaluations, over all of them. */
const NOISE_BYTES = 16_384;
/** These make a list or a text. */
const MAKING = /^(5c|5d|7b)/;

const { gc } = globalThis;
if (gc === undefined) throw new Error('run with --expose-gc');
const exchanges = Array.from({ length: 64 }, (_, seed) => exchange(seed));

function run(evaluate: (activation: Activation) => unknown): void {
  for (let i = 0; i < RUNS; i++) evaluate(exchanges[i & 63] as Activation);
}

let failed = false;
for (const { name, source } of [...EVAL_CASES, ERROR_CASE]) {
  const { evaluate } = compileToJavaScript(typedOf(source), BENCH_ENVIRONMENT);
  run(evaluate);
  gc();
  const before = process.memoryUsage().heapUsed;
  run(evaluate);
  const bytes = process.memoryUsage().heapUsed - before;
  const beyond = bytes > NOISE_BYTES && !MAKING.test(name);
  failed ||= beyond;
  const shown = bytes <= NOISE_BYTES ? 'nothing' : `${(bytes / RUNS).toFixed(2)} bytes a run or more`;
  console.log(`${name.padEnd(28)} ${shown}${beyond ? ' BEYOND' : ''}`);
}
console.log(failed ? 'a scalar rule allocates' : `scalar rules allocate nothing over ${RUNS} runs`);
