// Parsing speed beside `@marcbachmann/cel-js`, whose parser is written by hand:
//   npx node --conditions=tollgate-source test/bench/parse.ts
// Prints, for every case, the least time of some samples of each, and the ratio; both must accept every case.

import { parse as parseMarc } from '@marcbachmann/cel-js';
import { createEnvironment, EXTENSION_LIBRARIES, parse } from '@tollgate/cel';
import { PARSE_CASES, type ParseCase } from './parse-cases.ts';

const SAMPLES = 15;
const SAMPLE_MILLISECONDS = 15;

const environment = createEnvironment({ libraries: EXTENSION_LIBRARIES });

function parseOurs(source: string): unknown {
  return parse(source, environment);
}

function assertAccepted({ name, source }: ParseCase): void {
  const { diagnostics } = parse(source, environment);
  if (diagnostics.length > 0) throw new Error(`${name}: ${diagnostics[0]?.message}`);
  parseMarc(source);
}

/** How often the function runs in one sample; doubles as its warm-up. */
function calibrate(run: (source: string) => unknown, source: string): number {
  let count = 0;
  const end = performance.now() + 10 * SAMPLE_MILLISECONDS;
  while (performance.now() < end) {
    for (let i = 0; i < 10; i++) run(source);
    count += 10;
  }
  return Math.max(1, Math.floor(count / 10));
}

function sample(run: (source: string) => unknown, source: string, count: number): number {
  const start = performance.now();
  for (let i = 0; i < count; i++) run(source);
  return ((performance.now() - start) * 1e6) / count;
}

function measure({ source }: ParseCase): { ours: number; marc: number } {
  const counts = { ours: calibrate(parseOurs, source), marc: calibrate(parseMarc, source) };
  let [ours, marc] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let i = 0; i < SAMPLES; i++) {
    ours = Math.min(ours, sample(parseOurs, source, counts.ours));
    marc = Math.min(marc, sample(parseMarc, source, counts.marc));
  }
  return { ours, marc };
}

for (const one of PARSE_CASES) assertAccepted(one);
const ratios: number[] = [];
for (const one of PARSE_CASES) {
  const { ours, marc } = measure(one);
  ratios.push(ours / marc);
  const row = [ours.toFixed(0).padStart(9), marc.toFixed(0).padStart(9), (ours / marc).toFixed(2).padStart(6)];
  console.log(`${one.name.padEnd(22)} ${row.join('')}`);
}
const geometric = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
const arithmetic = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
console.log(`mean of ratios: geometric ${geometric.toFixed(2)}, arithmetic ${arithmetic.toFixed(2)} (at most 3)`);
