// A thousand policies of 30 rules in one `tollgate lint` from a cold start, and one policy, beside `spectral lint` over the same files:
//   node --conditions=tollgate-source test/bench/lint.ts [--without-spectral]

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EDGE_V2 } from '@tollgate/catalog';
import { policySchema } from '@tollgate/policy';
import { bundleCommand } from '../../scripts/bundle-command.ts';
import { diceOf, policyText } from './analyze-policies.ts';

const POLICIES = 1000;
const RULES = 30;
const ROUNDS = 5;

/** A process, from its start to its end. */
interface Run {
  readonly seconds: number;
  /** Of the processor, in all threads. */
  readonly work: number;
  /** At its highest, in megabytes. */
  readonly memory: number;
  readonly status: number | null;
  readonly output: string;
}

const TIME = '/usr/bin/time';
/** Inside of the repository, where the packages are found that the bundle leaves out. */
const CLI = fileURLToPath(new URL('../../packages/cli', import.meta.url));
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/tollgate-bench', import.meta.url));

function run(args: readonly string[], cwd: string): Run {
  const figures = join(cwd, 'figures');
  const start = process.hrtime.bigint();
  // What the command keeps of its code is part of what is measured, and of nobody else.
  const env = { ...process.env, XDG_CACHE_HOME: join(cwd, 'cache') };
  const options = { cwd, env, encoding: 'utf8', maxBuffer: 1 << 28 } as const;
  const { status, stdout, stderr } = spawnSync(
    TIME,
    ['-o', figures, '-f', '%U %S %M', process.execPath, ...args],
    options,
  );
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  const [user = 0, system = 0, kilobytes = 0] = readFileSync(figures, 'utf8')
    .trim()
    .split('\n')
    .at(-1)!
    .split(' ')
    .map(Number);
  return { seconds, work: user + system, memory: kilobytes / 1024, status, output: stdout + stderr };
}

/** The quickest of several runs: what others do on the machine only ever adds. */
function best(args: readonly string[], cwd: string, rounds = ROUNDS): Run {
  const runs = Array.from({ length: rounds }, () => run(args, cwd));
  return runs.reduce((least, one) => (one.seconds < least.seconds ? one : least));
}

function writePolicies(directory: string): void {
  const dice = diceOf(7);
  for (let index = 0; index < POLICIES; index += 1) {
    writeFileSync(join(directory, `policy-${String(index).padStart(4, '0')}.yaml`), policyText(RULES, dice));
  }
}

/** Writes the command as it is published, and gives its path. */
async function publish(): Promise<string> {
  const home = join(CACHE, 'published');
  rmSync(home, { recursive: true, force: true });
  cpSync(join(CLI, 'bin'), join(home, 'bin'), { recursive: true });
  await bundleCommand(join(home, 'dist/bundle'));
  return join(home, 'bin/tollgate.js');
}

/** Spectral with the JSON Schema of the profile as its only rule; undefined where it cannot be had. */
function installSpectral(directory: string): string | undefined {
  mkdirSync(directory);
  writeFileSync(join(directory, 'package.json'), '{"private": true}');
  const options = { cwd: directory, encoding: 'utf8' } as const;
  const packages = ['@stoplight/spectral-cli', '@stoplight/spectral-functions', '@stoplight/spectral-formats'];
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', ...packages];
  if (spawnSync('npm', args, options).status !== 0) return undefined;
  const schema = JSON.stringify(policySchema(EDGE_V2));
  const ruleset = `import { schema } from '@stoplight/spectral-functions';
export default { rules: { policy: { given: '$', severity: 'error', then: { function: schema, functionOptions: { schema: ${schema} } } } } };
`;
  writeFileSync(join(directory, 'ruleset.mjs'), ruleset);
  return join(directory, 'node_modules/@stoplight/spectral-cli/dist/index.js');
}

function row(title: string, { seconds, work, memory }: Run, more = ''): string {
  const figures = `${seconds.toFixed(2).padStart(7)} s ${work.toFixed(2).padStart(7)} s of work ${memory.toFixed(0).padStart(5)} MB`;
  return `${title.padEnd(44)}${figures}${more && `   ${more}`}`;
}

const directory = mkdtempSync(join(tmpdir(), 'tollgate-bench-'));
try {
  const policies = join(directory, 'policies');
  mkdirSync(policies);
  writePolicies(policies);
  const start = await publish();
  const one = join(policies, 'policy-0000.yaml');
  const lint = [start, 'lint', '--quiet'];
  const all = run([...lint, policies], directory);
  if (all.status !== 1 || !all.output.includes(`in ${POLICIES} files`)) throw new Error(all.output.slice(0, 1000));
  const node = best(['-e', '0'], directory);
  const single = best([...lint, one], directory);
  const many = best([...lint, policies], directory, 2);
  const rate = (seconds: number) => `${Math.round((POLICIES * RULES) / seconds).toLocaleString('en')} rules/s`;
  console.log(row('node -e 0', node));
  console.log(
    row('tollgate lint, 1 policy', single, `${(single.seconds / node.seconds).toFixed(1)} times node -e 0 (at most 3)`),
  );
  console.log(row(`tollgate lint, ${POLICIES} policies`, many, `${rate(many.seconds)} (at least 25,000; 250 MB)`));
  const spectral = process.argv.includes('--without-spectral')
    ? undefined
    : installSpectral(join(directory, 'spectral'));
  if (spectral) {
    const args = [spectral, 'lint', '--ruleset', join(directory, 'spectral/ruleset.mjs'), '--fail-severity', 'error'];
    const peer = run([...args, join(policies, '*.yaml')], directory);
    if (peer.status !== 0) console.log(`spectral ended with ${peer.status}: ${peer.output.slice(0, 300)}`);
    console.log(row(`spectral lint, JSON Schema, ${POLICIES} policies`, peer, rate(peer.seconds)));
    console.log(`${'spectral / tollgate'.padEnd(44)}${(peer.seconds / many.seconds).toFixed(1).padStart(7)}`);
  } else console.log('spectral could not be installed, and is left out');
} finally {
  rmSync(directory, { recursive: true });
}
