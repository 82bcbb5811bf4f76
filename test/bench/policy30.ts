// A policy of 30 rules as one function, beside the same written by hand, over 100,000 distinct requests; and what is paid for closures
// where code must not be generated (CPU time):
//   npx node --conditions=tollgate-source test/bench/policy30.ts

import {
  compileClosures,
  compileConditions,
  compileToJavaScript,
  type Environment,
  extendEnvironment,
  type NonValue,
} from '@tollgate/cel';
import { BENCH_ENVIRONMENT, typedOf } from './engines.ts';
import { shownTime } from './measure.ts';
import { handWritten, POLICY_RULES } from './policy30-rules.ts';
import { type Exchange, exchange } from './traffic.ts';

const REQUESTS = 100_000;
const ROUNDS = 9;

type Results = (boolean | NonValue)[];
type Decide = (x: Exchange, results: Results) => void;

const exchanges = Array.from({ length: REQUESTS }, (_, seed) => exchange(seed, 0));
const fused = compileConditions(
  POLICY_RULES.map(expressions => expressions.map(source => typedOf(source))),
  BENCH_ENVIRONMENT,
);

/** Decides with a function for each rule. */
function singly(compile: typeof compileToJavaScript, plainData: boolean): Decide {
  const environment: Environment = extendEnvironment(BENCH_ENVIRONMENT, { plainData });
  const rules = POLICY_RULES.map(expressions => {
    const source = expressions.map(one => `(${one})`).join(' && ');
    return compile(typedOf(source, environment), environment).evaluate;
  });
  return (x, results) => {
    for (let i = 0; i < rules.length; i++) results[i] = rules[i]?.(x) as boolean;
  };
}

/** The name, and the one to compare with: by hand, except for closures. */
const WAYS: readonly { readonly name: string; readonly decide: Decide; readonly base: number }[] = [
  { name: 'by hand, one function', decide: handWritten, base: 0 },
  { name: 'generated, one function', decide: (x, results) => fused.evaluateAll(x, results), base: 0 },
  { name: 'generated, 30 functions', decide: singly(compileToJavaScript, true), base: 0 },
  { name: 'closures', decide: singly(compileClosures, true), base: 2 },
  { name: 'generated, data checked', decide: singly(compileToJavaScript, false), base: 0 },
  { name: 'closures, data checked', decide: singly(compileClosures, false), base: 4 },
];

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

for (const { decide } of WAYS) assertAgreeing(decide);
const times = WAYS.map(() => [] as number[]);
for (let round = 0; round < ROUNDS; round++) {
  WAYS.forEach(({ decide }, index) => {
    const start = process.cpuUsage();
    run(decide);
    times[index]?.push((process.cpuUsage(start).user * 1e3) / REQUESTS);
  });
}
const least = times.map(all => Math.min(...all));
WAYS.forEach(({ name, base }, index) => {
  const ratio = (least[index] as number) / (least[base] as number);
  const beside = `${ratio.toFixed(2).padStart(6)} times ${WAYS[base]?.name}`;
  console.log(`${name.padEnd(26)}${shownTime(least[index] as number).padStart(10)} a request ${beside}`);
});
console.log('(at most 1.20 as one function; closures at most 2)');
