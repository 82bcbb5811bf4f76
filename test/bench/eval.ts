// Speed of evaluation beside hand-written predicates and the other engines, as ratios from one run:
//   npx node --conditions=tollgate-source test/bench/eval.ts
// An engine's time is left out where its results differ from the hand-written predicate's.

import { ENGINES, type Prepared } from './engines.ts';
import { ERROR_CASE, EVAL_CASES, type EvalCase } from './eval-cases.ts';
import { geometricMean, nanoseconds, sampleOf, shownTime } from './measure.ts';
import { exchange } from './traffic.ts';

const EXCHANGES = Array.from({ length: 64 }, (_, seed) => exchange(seed));

/** Engines whose results differ do not count; ours must not differ. */
function agreeing(one: EvalCase, prepared: Prepared | undefined): Prepared | undefined {
  if (prepared === undefined) return undefined;
  const differs = EXCHANGES.findIndex((input, index) => {
    const result = prepared.run(prepared.inputs[index] as never);
    return one !== ERROR_CASE && result !== one.hand(input);
  });
  return differs < 0 ? prepared : undefined;
}

function attempt(one: EvalCase, engine: (typeof ENGINES)[number]): Prepared | undefined {
  try {
    return agreeing(one, engine.prepare(one, EXCHANGES));
  } catch {
    return undefined;
  }
}

/** Nanoseconds by engine; undefined where it cannot run the case. */
function measureCase(one: EvalCase): readonly (number | undefined)[] {
  const prepared = ENGINES.map(engine => attempt(one, engine));
  const able = prepared.flatMap(p => (p === undefined ? [] : [p]));
  const times = nanoseconds(able.map(({ run, inputs }) => sampleOf(run as (input: unknown) => unknown, inputs)));
  let next = 0;
  return prepared.map(p => (p === undefined ? undefined : times[next++]));
}

function row(one: EvalCase, times: readonly (number | undefined)[]): string {
  const hand = times[0] as number;
  const cells = times.slice(1).map(time => (time === undefined ? '–' : `${(time / hand).toFixed(2)}`).padStart(12));
  return `${one.name.padEnd(28)}${shownTime(hand).padStart(10)}${cells.join('')}`;
}

console.log(
  `${'times of hand-written code'.padEnd(28)}${'hand'.padStart(10)}${ENGINES.slice(1)
    .map(e => e.name.slice(-11).padStart(12))
    .join('')}`,
);
const measured = EVAL_CASES.map(one => {
  const times = measureCase(one);
  console.log(row(one, times));
  return times;
});

ENGINES.forEach(({ name }, index) => {
  if (index === 0) return;
  const ratios = measured.flatMap(times =>
    times[index] === undefined ? [] : [(times[index] as number) / (times[0] as number)],
  );
  const counted = ratios.length < EVAL_CASES.length ? ` over ${ratios.length} of ${EVAL_CASES.length} cases` : '';
  console.log(
    `${name}: geometric mean ${geometricMean(ratios).toFixed(2)}, worst ${Math.max(...ratios).toFixed(2)}${counted}`,
  );
});

const failing = measureCase(ERROR_CASE);
console.log(
  `absent header: ${ENGINES.map(({ name }, i) => `${name} ${failing[i] === undefined ? '–' : shownTime(failing[i] as number)}`).join(', ')}`,
);
