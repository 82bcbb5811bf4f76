// Regular expressions: linear on what makes a backtracking engine hang, and as fast as V8's on what policies hold:
//   npx node --conditions=tollgate-source test/bench/regex.ts

import { compileToJavaScript } from '@tollgate/cel';
import { BENCH_ENVIRONMENT, typedOf } from './engines.ts';
import { nanoseconds, sampleOf, shownTime } from './measure.ts';
import { exchange } from './traffic.ts';

const PATTERNS: readonly (readonly [field: 'Path' | 'UserAgent', pattern: string])[] = [
  ['Path', '^/users/[0-9]+/orders$'],
  ['Path', '^/api/v[0-9]+/'],
  ['Path', String.raw`\.(php|aspx?|jsp|cgi)$`],
  ['UserAgent', '(bot|crawler|spider)/[0-9.]+'],
  ['UserAgent', 'Mozilla.*Chrome/[0-9]+.*Safari'],
  ['UserAgent', '(?i)googlebot'],
];

const exchanges = Array.from({ length: 64 }, (_, seed) => exchange(seed, 0));

function generated(field: string, pattern: string): (input: unknown) => unknown {
  const literal = JSON.stringify(pattern);
  return compileToJavaScript(typedOf(`req.${field}.matches(${literal})`), BENCH_ENVIRONMENT).evaluate as never;
}

console.log(`${'pattern'.padEnd(44)}${'RegExp'.padStart(10)}${'generated'.padStart(12)}`);
for (const [field, pattern] of PATTERNS) {
  const [, flag, source = ''] = /^(\(\?i\))?(.*)$/.exec(pattern) ?? [];
  const regexp = new RegExp(source, flag === undefined ? '' : 'i');
  const byHand = (x: (typeof exchanges)[number]) => regexp.test(x.req[field]);
  const ours = generated(field, pattern);
  for (const one of exchanges) if (byHand(one) !== ours(one)) throw new Error(`${pattern} differs`);
  const [hand = 0, made = 0] = nanoseconds([sampleOf(byHand, exchanges), sampleOf(ours, exchanges as never)], 3);
  console.log(`${pattern.padEnd(44)}${shownTime(hand).padStart(10)}${(made / hand).toFixed(2).padStart(12)}`);
}

const HOSTILE: readonly (readonly [pattern: string, text: string])[] = [
  ['(a+)+$', `${'a'.repeat(100_000)}!`],
  ['[0-9]+x', '1'.repeat(100_000)],
  ['(a|a)*b', 'a'.repeat(100_000)],
  ['^(.*a){20}$', 'a'.repeat(100_000).replace(/$/, 'b')],
];

for (const [pattern, text] of HOSTILE) {
  const run = generated('Path', pattern);
  const input = { ...exchanges[0], req: { ...exchanges[0]?.req, Path: text } };
  run(exchanges[0]);
  const times = Array.from({ length: 5 }, () => {
    const start = performance.now();
    run(input);
    return performance.now() - start;
  });
  const least = Math.min(...times);
  const bound = pattern === '(a+)+$' ? ' (at most 5 ms)' : '';
  console.log(`${pattern.padEnd(20)} on ${text.length} characters: ${least.toFixed(2)} ms${bound}`);
}
