// A policy of 30 rules as one function, beside the same written by hand, over 100,000 distinct requests:
//   npx node --conditions=tollgate-source test/bench/policy30.ts

import { compileConditions, compileToJavaScript, type NonValue } from '@tollgate/cel';
import { BENCH_ENVIRONMENT, typedOf } from './engines.ts';
import { median, shownTime } from './measure.ts';
import { handWritten, POLICY_RULES } from './policy30-rules.ts';
import { type Exchange, exchange } from './traffic.ts';

const REQUESTS = 100_000;
const ROUNDS = 9;

const exchanges = Array.from({ length: REQUESTS }, (_, seed) => exchange(seed, 0));
const rules = POLICY_RULES.map(expressions => expressions.map(source => typedOf(source)));
const fused = compileConditions(rules, BENCH_ENVIRONMENT);
const single = POLICY_RULES.map(
  expressions =>
    compileToJavaScript(typedOf(expressions.map(source => `(${source})`).join(' && ')), BENCH_ENVIRONMENT).evaluate,
);

type Results = (boolean | NonValue)[];
type Decide = (x: Exchange, results: Results) => void;

const decideFused: Decide = (x, results) => fused.evaluateAll(x, results);
const decideSingly: Decide = (x, results) => {
  for (let i = 0; i < single.length; i++) results[i] = single[i]?.(x) as boolean;
};

/** Matches of all rules over all requests; the same for all ways. */
function run(decide: Decide): number {
  const results: Results = new Array(POLICY_RULES.length).fill(false);
  let matches = 0;
  for (const one of exchanges) {
    decide(one, results);
    for (const result of results) if (result === true) matches++;
  }
  return matches;
}

/** Rule by rule and request by request: a rule that fails by hand is false. */
function assertAgreeing(decide: Decide): void {
  const expected: Results = [];
  const found: Results = [];
  exchanges.forEach((one, number) => {
    handWritten(one, expected);
    decide(one, found);
    const wrong = expected.findIndex((result, rule) => result !== (found[rule] === true));
    if (wrong >= 0) throw new Error(`rule ${wrong} differs on request ${number}: ${POLICY_RULES[wrong]?.join(' && ')}`);
  });
}

for (const decide of [decideFused, decideSingly]) assertAgreeing(decide);
const ways: readonly (readonly [string, Decide])[] = [
  ['by hand, one function', handWritten],
  ['generated, one function', decideFused],
  ['generated, 30 functions', decideSingly],
];
const times = ways.map(() => [] as number[]);
for (let round = 0; round < ROUNDS; round++) {
  ways.forEach(([, decide], index) => {
    const start = performance.now();
    run(decide);
    times[index]?.push(((performance.now() - start) * 1e6) / REQUESTS);
  });
}
const [hand = 0] = times.map(median);
ways.forEach(([name], index) => {
  const time = median(times[index] as number[]);
  console.log(`${name.padEnd(26)}${shownTime(time).padStart(10)} a request ${(time / hand).toFixed(2).padStart(6)}`);
});
console.log(`${run(decideFused)} matches (at most 1.20 as one function)`);
