// Analysing policies beside the time that the YAML library takes for the same text, and again after an edit:
//   npx node --conditions=tollgate-source test/bench/analyze.ts

import { EDGE_V2 } from '@tollgate/catalog';
import { SourceText, type TextEdit } from '@tollgate/diagnostics';
import {
  type Analysis,
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
    const written = policy.rules.inbound.map(rule => rule.expressions.map(one => one.source));
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

const plain = policyText(LONG, dice);
const [first = '', ...between] = plain.split(/(?<=status_code: )(?=\d)/);
const LAYOUTS: readonly (readonly [string, string])[] = [
  ['plain', plain],
  ['with an anchor', `${first}&status ${between.join('').replace(/\d+(?!.*status_code)/s, '*status')}`],
  ['two documents', `${plain}---\nenabled: false\n`],
  ['CR LF', plain.replaceAll('\n', '\r\n')],
];
const options: AnalysisOptions = { ...OPTIONS, expressions: createExpressionCache() };

/** Types a character into the condition of a rule, or takes it away again. */
function editOf(analysis: Analysis, round: number): TextEdit {
  const rule = analysis.policy!.rules.inbound[((round >> 1) * 397) % LONG]!;
  const start = rule.expressions[0]!.text.pieces[0]!.range.start + 3;
  return round % 2 === 0
    ? { range: { start, end: start }, newText: 'x' }
    : { range: { start, end: start + 1 }, newText: '' };
}

/** Nanoseconds of each edit. */
function typeAndDelete(source: SourceText, rounds: number, check: (analysis: Analysis) => void): readonly number[] {
  let analysis = analyzePolicy(source, options);
  return Array.from({ length: rounds }, (_, round) => {
    const edit = editOf(analysis, round);
    const start = performance.now();
    analysis = reanalyzePolicy(analysis, edit, options);
    const took = (performance.now() - start) * 1e6;
    check(analysis);
    return took;
  });
}

function assertWhole({ policy, diagnostics, parts }: Analysis): void {
  const whole = analyzePolicy(parts.source, OPTIONS);
  const [found, expected] = [
    [policy, diagnostics],
    [whole.policy, whole.diagnostics],
  ].map(one => JSON.stringify(one, bigints));
  if (found !== expected) throw new Error('an edit gives something else than the whole');
}

function bigints(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}

console.log(`${LONG} rules again after an edit of one character (below 10 ms):`);
for (const [name, text] of LAYOUTS) {
  const source = new SourceText(name, text);
  typeAndDelete(source, 4, assertWhole);
  const edits = typeAndDelete(source, 60, () => {});
  const [middle, most] = [median(edits), Math.max(...edits.slice(20))].map(shownTime);
  console.log(`${name.padEnd(16)}${middle!.padStart(10)}, at most ${most}`);
}
