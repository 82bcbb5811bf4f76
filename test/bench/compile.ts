// What it costs to make an expression executable, by step:
//   npx node --conditions=tollgate-source test/bench/compile.ts

import { check, compileConditions, compileToJavaScript, parse } from '@tollgate/cel';
import { BENCH_ENVIRONMENT, typedOf } from './engines.ts';
import { EVAL_CASES } from './eval-cases.ts';
import { geometricMean, nanoseconds, shownTime } from './measure.ts';
import { POLICY_RULES } from './policy30-rules.ts';

/** Not those with a thousand literals: no policy-style expression is like that. */
const CASES = EVAL_CASES.filter(({ source }) => source.length < 1000);

const rows = CASES.map(({ name, source }) => {
  const { ast } = parse(source, BENCH_ENVIRONMENT);
  const typed = typedOf(source);
  const steps = [
    () => parse(source, BENCH_ENVIRONMENT),
    () => check(ast, BENCH_ENVIRONMENT),
    () => compileToJavaScript(typed, BENCH_ENVIRONMENT),
  ];
  const samples = steps.map(step => (count: number) => {
    for (let i = 0; i < count; i++) step();
    return count;
  });
  return { name, times: nanoseconds(samples, 3) };
});

/** Texts that V8 has not seen: it remembers what it compiled, so that the same again costs it nothing. */
let unseen = 0;

/** Nanoseconds an expression when a policy is compiled to one function, whose text differs each time. */
function policyTime(): number {
  const rules = POLICY_RULES.map(expressions => expressions.map(source => typedOf(source)));
  const times = Array.from({ length: 400 }, () => {
    unseen += 1;
    const all = [...rules, [typedOf(`res.Latency == ${unseen}`)]];
    const start = performance.now();
    compileConditions(all, BENCH_ENVIRONMENT);
    return performance.now() - start;
  });
  return (Math.min(...times) * 1e6) / (POLICY_RULES.flat().length + 1);
}

console.log(`${''.padEnd(28)}${['parse', 'check', 'compile'].map(step => step.padStart(12)).join('')}`);
for (const { name, times } of rows) {
  console.log(`${name.padEnd(28)}${times.map(time => shownTime(time).padStart(12)).join('')}`);
}
const means = [0, 1, 2].map(step => geometricMean(rows.map(({ times }) => times[step] as number)));
console.log(
  `${'geometric mean'.padEnd(28)}${means.map(time => shownTime(time).padStart(12)).join('')} (at most –, 2 µs, 10 µs)`,
);
console.log(
  `${'in a policy of 30 rules'.padEnd(52)}${shownTime(policyTime()).padStart(12)} an expression, of text that V8 has not seen (at most 10 µs)`,
);
