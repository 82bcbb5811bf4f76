// How the time of `check`, `fmt` and `lint` grows with a policy, of all lint rules there are, in one run:
//   npx node --conditions=tollgate-source test/bench/lint-scale.ts [--shapes]
// With `--shapes`, also for each of many shapes, while its size is doubled.

import { EDGE_V2 } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { activate, createLinter, LINT_RULES, lintText } from '@tollgate/lint';
import { analyzePolicies, createPhaseEnvironments, formatPolicy } from '@tollgate/policy';
import { SHAPES } from './scale-shapes.ts';

/** Sizes are bounded as far as settings allow, so that no limit cuts work off. */
const PROFILE = { ...EDGE_V2, limits: EDGE_V2.limits.map(limit => ({ ...limit, value: limit.most })) };
const OPTIONS = {
  profile: PROFILE,
  endpoint: 'https-route',
  environments: createPhaseEnvironments(PROFILE, 'https-route'),
} as const;
const RULES = LINT_RULES.map(rule => activate(rule));
const FEW = 1000;
const MANY = 10_000;
const MOST = 15;
const SIZES = [500, 1000, 2000, 4000];
/** Of one size to the next, beyond which growth is pointed out; what takes fewer milliseconds is noise. */
const MOST_DOUBLED = 3;
const NOISE = 50;

function lint(source: SourceText): readonly string[] {
  const { diagnostics, undecided } = lintText(source, OPTIONS, createLinter(RULES));
  const cut = diagnostics.find(one => one.code.startsWith('limit/'));
  if (cut !== undefined) throw new Error(`not all was linted: ${cut.message}`);
  return undecided;
}

const COMMANDS: Readonly<Record<string, (source: SourceText) => unknown>> = {
  check: source => analyzePolicies(source, OPTIONS),
  fmt: source => formatPolicy(source, { ...OPTIONS, width: 80 }),
  lint,
};

/** Milliseconds of the processor: what others do on the machine does not count. */
function timeOf(run: () => void): number {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function policyOf(shape: string, size: number): SourceText {
  return new SourceText('policy.yaml', SHAPES[shape]!(size));
}

function timeOfRules(rules: number): number {
  const source = policyOf('rules, mixed', rules);
  let undecided: readonly string[] = [];
  const time = timeOf(() => {
    undecided = lint(source);
  });
  console.log(`${rules} rules: ${time.toFixed(0)} ms; not decided in full: ${undecided.join(', ') || 'none'}`);
  return time;
}

function showGrowth(shape: string): void {
  for (const [command, run] of Object.entries(COMMANDS)) {
    const times = SIZES.map(size => {
      const source = policyOf(shape, size);
      return timeOf(() => run(source));
    });
    const ratios = times.slice(1).map((time, at) => time / times[at]!);
    const isSteep = ratios.every(ratio => ratio > MOST_DOUBLED) && times.at(-1)! > NOISE;
    const shown = [times.map(one => one.toFixed(0)).join(' '), `× ${ratios.map(one => one.toFixed(1)).join(' ')}`];
    console.log(`${shape}, ${command}: ${shown.join(' ms, ')}${isSteep ? ' (steep)' : ''}`);
  }
}

timeOfRules(FEW);
const few = timeOfRules(FEW);
const ratio = timeOfRules(MANY) / few;
console.log(`${MANY} rules take ${ratio.toFixed(1)} times as long as ${FEW} (at most ${MOST})`);
if (ratio > MOST) process.exitCode = 1;
if (process.argv.includes('--shapes')) for (const shape of Object.keys(SHAPES)) showGrowth(shape);
