// How the time of linting one policy grows with its rules, of all lint rules that are recommended, in one run:
//   npx node --conditions=tollgate-source test/bench/lint-scale.ts

import { EDGE_V2 } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { activate, createLinter, LINT_RULES, lintText } from '@tollgate/lint';
import { createPhaseEnvironments } from '@tollgate/policy';

const OPTIONS = {
  profile: EDGE_V2,
  endpoint: 'https-route',
  environments: createPhaseEnvironments(EDGE_V2, 'https-route'),
} as const;
const RULES = LINT_RULES.filter(rule => rule.presets.includes('recommended')).map(rule => activate(rule));
const FEW = 1000;
const MANY = 10_000;
const MOST = 15;

const word = (index: number) => `w${((index * 2_654_435_761) >>> 0).toString(36)}`;

/** Paths, patterns, agents and ranges, as policies have them. */
const CONDITIONS: readonly ((index: number) => string)[] = [
  index => `req.Path == '/${word(index)}'`,
  index => `req.Path.matches('^/${word(index)}/[0-9]+$')`,
  index => `getReqHeader('User-Agent').exists(agent, agent.contains('${word(index)}'))`,
  index => `inCidrRange(conn.ClientIP, '${1 + ((index >> 8) % 220)}.${index % 256}.0.0/16')`,
];

function policyOf(rules: number): SourceText {
  const written = Array.from({ length: rules }, (_, index) => {
    const condition = CONDITIONS[index % CONDITIONS.length]!(index);
    return `  - expressions: [${JSON.stringify(condition)}]\n    actions: [{ type: deny }]\n`;
  });
  return new SourceText('policy.yaml', `inbound:\n${written.join('')}`);
}

/** Milliseconds of the processor: what others do on the machine does not count. */
function timeOf(rules: number): number {
  const source = policyOf(rules);
  const start = process.cpuUsage();
  const { undecided } = lintText(source, OPTIONS, createLinter(RULES));
  const { user, system } = process.cpuUsage(start);
  const time = (user + system) / 1000;
  console.log(`${rules} rules: ${time.toFixed(0)} ms; not decided in full: ${undecided.join(', ') || 'none'}`);
  return time;
}

timeOf(FEW);
const few = timeOf(FEW);
const ratio = timeOf(MANY) / few;
console.log(`${MANY} rules take ${ratio.toFixed(1)} times as long as ${FEW} (at most ${MOST})`);
if (ratio > MOST) process.exitCode = 1;
