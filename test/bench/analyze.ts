// Analysing policies beside the time that the YAML library takes for the same text, and again after an edit:
//   npx node --conditions=tollgate-source test/bench/analyze.ts

import { EDGE_V2 } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import {
  type AnalysisOptions,
  analyzePolicy,
  createExpressionCache,
  createPhaseEnvironments,
  reanalyzePolicy,
} from '@tollgate/policy';
import { parseDocument } from 'yaml';
import { diceOf, policyText } from './analyze-policies.ts';
import { median, shownTime } from './measure.ts';

const POLICIES = 1000;
const RULES = 30;
const ROUNDS = 9;
const LONG = 2000;

const OPTIONS: AnalysisOptions = {
  profile: EDGE_V2,
  endpoint: 'https-route',
  environments: createPhaseEnvironments(EDGE_V2, 'https-route'),
};

const dice = diceOf(20_240_215);
const sources = Array.from({ length: POLICIES }, (_, index) => new SourceText(`${index}`, policyText(RULES, dice)));

/** All must be free of errors, and hold the rules that the library finds. */
function assertAlike(): void {
  const expressions = new Set<string>();
  for (const source of sources) {
    const { policy, diagnostics } = analyzePolicy(source, OPTIONS);
    if (diagnostics.length > 0 || policy === undefined) throw new Error(diagnostics[0]?.message ?? 'no policy');
    const { inbound } = parseDocument(source.text).toJS();
    const written = policy.inbound.map(rule => rule.expressions.map(one => one.source));
    const found = inbound.map((rule: { expressions: string[] }) => rule.expressions);
    if (JSON.stringify(written) !== JSON.stringify(found)) throw new Error(`policy ${source.uri} is read differently`);
    for (const one of written.flat()) expressions.add(one);
  }
  const size = sources.reduce((sum, source) => sum + source.text.length, 0);
  console.log(`${POLICIES} policies of ${RULES} rules, ${size} characters, ${expressions.size} distinct expressions`);
}

assertAlike();
const ways: readonly (readonly [string, () => void])[] = [
  [
    'yaml alone',
    () => {
      for (const { text } of sources) parseDocument(text);
    },
  ],
  [
    'analysis',
    () => {
      for (const source of sources) analyzePolicy(source, OPTIONS);
    },
  ],
];
const times = ways.map(() => [] as number[]);
for (let round = 0; round < ROUNDS; round++) {
  ways.forEach(([, run], index) => {
    const start = performance.now();
    run();
    times[index]!.push((performance.now() - start) * 1e6);
  });
}
const [library = 0] = times.map(found => Math.min(...found));
ways.forEach(([name], index) => {
  const time = Math.min(...times[index]!);
  const rate = Math.round((POLICIES * RULES * 1e9) / time).toLocaleString('en');
  const row = [shownTime(time / POLICIES / RULES).padStart(10), ' a rule', rate.padStart(10), ' rules/s'];
  console.log(`${name.padEnd(12)}${row.join('')} ${(time / library).toFixed(2).padStart(6)}`);
});
console.log('(at least 40,000 rules/s; at most 2 times yaml alone)');

const long = new SourceText('long', policyText(LONG, dice));
const options: AnalysisOptions = { ...OPTIONS, expressions: createExpressionCache() };
let analysis = analyzePolicy(long, options);
const wholeTimes: number[] = [];
const editTimes: number[] = [];
for (let round = 0; round < 60; round++) {
  const expressions = analysis.policy!.inbound[(round * 397) % LONG]!.expressions;
  const offset = expressions[0]!.text.pieces[0]!.range.start + 3;
  const typed = round % 2 === 0;
  const edit = { range: { start: offset, end: offset + (typed ? 0 : 1) }, newText: typed ? 'x' : '' };
  const start = performance.now();
  const again = reanalyzePolicy(analysis, edit, options);
  const middle = performance.now();
  const whole = analyzePolicy(again.parts.source, OPTIONS);
  wholeTimes.push((performance.now() - middle) * 1e6);
  editTimes.push((middle - start) * 1e6);
  const [found, expected] = [again, whole].map(one => JSON.stringify([one.policy, one.diagnostics], bigints));
  if (found !== expected) throw new Error(`edit ${round} gives something else than the whole`);
  analysis = again;
}
const shown = [median(editTimes), Math.max(...editTimes.slice(10)), median(wholeTimes)].map(shownTime);
console.log(
  `${LONG} rules after an edit of one character: ${shown[0]}, at most ${shown[1]}; the whole: ${shown[2]} (below 10 ms)`,
);

function bigints(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}
