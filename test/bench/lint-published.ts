// What it takes to lint policies in the styles that people publish, of 5 to 60 rules each, of all lint rules there are:
//   npx node --conditions=tollgate-source test/bench/lint-published.ts [POLICIES] [SEED]
// Prints the slowest ones, in seconds of the processor, and fails if one takes more than three.

import { MODERN } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { activate, createLinter, LINT_RULES, lintText } from '@tollgate/lint';
import { createPhaseEnvironments } from '@tollgate/policy';
import { diceOf } from './analyze-policies.ts';
import { publishedPolicy } from './published-styles.ts';

const [POLICIES = 2000, SEED = 20_261_128] = process.argv.slice(2).map(Number);
const MOST = 3;
const SHOWN = 5;
const ENDPOINT = 'http-endpoint';
const OPTIONS = {
  profile: MODERN,
  endpoint: ENDPOINT,
  environments: createPhaseEnvironments(MODERN, ENDPOINT),
} as const;
const LINTER = createLinter(LINT_RULES.map(rule => activate(rule)));

interface Measured {
  readonly seconds: number;
  readonly name: string;
  readonly undecided: readonly string[];
  readonly text: string;
}

function measure(at: number): Measured {
  const { text, styles, rules } = publishedPolicy(diceOf(SEED + at));
  const start = process.cpuUsage();
  const { diagnostics, undecided } = lintText(new SourceText('policy.yaml', text), OPTIONS, LINTER);
  const { user, system } = process.cpuUsage(start);
  const error = diagnostics.find(one => one.severity === 'error' && !one.code.startsWith('logic/'));
  if (at < SHOWN && error !== undefined) console.log(`${styles}: ${error.code}: ${error.message}`);
  return { seconds: (user + system) / 1e6, name: `policy ${at}, ${rules} rules, ${styles}`, undecided, text };
}

measure(0);
const all = Array.from({ length: POLICIES }, (_, at) => measure(at)).sort((a, b) => b.seconds - a.seconds);
const total = all.reduce((sum, one) => sum + one.seconds, 0);
const open = all.filter(one => one.undecided.length > 0);
console.log(
  `${POLICIES} policies from seed ${SEED}: ${total.toFixed(1)} s, of which ${open.length} are not decided in full`,
);
for (const { seconds, name, undecided } of all.slice(0, SHOWN))
  console.log(`${seconds.toFixed(2)} s: ${name}; not decided in full: ${undecided.join(', ') || 'none'}`);
const slowest = all[0]?.seconds ?? 0;
console.log(`the slowest takes ${slowest.toFixed(2)} s (at most ${MOST})`);
if (slowest > MOST) process.exitCode = 1;
