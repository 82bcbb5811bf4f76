// What the decisions of `logic/*` cost beside analysing the same policies, warm and on one thread:
//   npx node --conditions=tollgate-source test/bench/lint-logic.ts

import { EDGE_V2 } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { activate, createLinter, LINT_RULES, type Linter, lintText } from '@tollgate/lint';
import { type AnalysisOptions, analyzePolicies, createPhaseEnvironments } from '@tollgate/policy';
import { diceOf, policyText } from './analyze-policies.ts';
import { median, shownTime } from './measure.ts';

const POLICIES = 60;
const RULES = 30;
const ROUNDS = 5;

const OPTIONS: AnalysisOptions = {
  profile: EDGE_V2,
  endpoint: 'https-route',
  environments: createPhaseEnvironments(EDGE_V2, 'https-route'),
};

/** Policies whose rules have much to do with each other: few values, and rules that end the evaluation. */
function crowdedText(dice: (below: number) => number): string {
  const pick = (from: readonly string[]) => from[dice(from.length)]!;
  const atom = () =>
    pick([
      `req.Method == '${pick(['GET', 'PUT', 'POST'])}'`,
      `req.Path.startsWith('/${pick(['a', 'ab', 'b'])}')`,
      `inCidrRange(conn.ClientIP, '10.${dice(4)}.0.0/16')`,
      `conn.Geo.CountryCode in ['${pick(['DE', 'FR'])}', 'IT']`,
      `req.Headers['X-${pick(['A', 'B'])}'][0] == '${dice(3)}'`,
      `req.ContentLength > ${dice(5)}`,
    ]);
  const rule = (index: number) =>
    `  - name: rule ${index}\n    expressions: ["${atom()} ${pick(['&&', '||'])} ${atom()}", "${atom()}"]\n` +
    `    actions: [{type: ${pick(['deny', 'custom-response'])}}]\n`;
  return `inbound:\n${Array.from({ length: RULES }, (_, index) => rule(index)).join('')}`;
}

const dice = diceOf(20_240_215);
const SETS = {
  'as people write them': Array.from({ length: POLICIES }, () => policyText(RULES, dice)),
  'rules that overlap': Array.from({ length: POLICIES }, () => crowdedText(dice)),
};

function linterOf(isWanted: (id: string) => boolean): Linter {
  return createLinter(LINT_RULES.filter(rule => isWanted(rule.id)).map(rule => activate(rule)));
}

const isOrderSensitive = (id: string) => id === 'logic/order-sensitive-pair';
const NOTHING = linterOf(() => false);
const RECOMMENDED = linterOf(id => id.startsWith('logic/') && !isOrderSensitive(id));
const ALL = linterOf(id => id.startsWith('logic/'));

/** Nanoseconds of processor time a policy: other programs on the machine do not count. */
function timeOf(run: () => void): number {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return ((user + system) * 1000) / POLICIES;
}

for (const [name, texts] of Object.entries(SETS)) {
  const sources = texts.map((text, index) => new SourceText(`${index}`, text));
  const findings = sources.reduce((sum, source) => sum + lintText(source, OPTIONS, ALL).diagnostics.length, 0);
  const ways: readonly (() => void)[] = [
    () => sources.forEach(source => void analyzePolicies(source, OPTIONS)),
    ...[NOTHING, RECOMMENDED, ALL].map(
      linter => () => sources.forEach(source => void lintText(source, OPTIONS, linter)),
    ),
  ];
  const times = ways.map(() => [] as number[]);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, run] of ways.entries()) times[index]!.push(timeOf(run));
  }
  const [analysis, nothing, recommended, all] = times.map(median) as [number, number, number, number];
  console.log(`${name}: ${POLICIES} policies of ${RULES} rules, ${findings} findings`);
  console.log(`  analysis                            ${shownTime(analysis)} a policy`);
  console.log(`  logic/* of the recommended preset   ${shownTime(recommended - nothing)} more`);
  console.log(`  all of logic/*                      ${shownTime(all - nothing)} more`);
}
