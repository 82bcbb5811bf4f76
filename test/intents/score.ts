/**
 * Scores policies that were written for the intents of this folder: a policy is right if it has no errors, passes the tests, and has its
 * invariants proved.
 *
 * usage: npm run score -- FOLDER      one policy per intent, named ID.yaml
 *        npm run score -- --intents   the intents in words, as JSON, for whoever is to write the policies
 */
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { runCaptured } from '@tollgate/cli';
import { parse } from 'yaml';

/** Something that a person wants from a policy, and what it must decide. */
export interface Intent {
  readonly id: string;
  /** In words, complete for whoever writes the policy. */
  readonly intent: string;
  /** Of the profile `modern`; `http-endpoint` by default. */
  readonly endpoint?: string;
  /** In the format of policy tests. */
  readonly tests: readonly object[];
  readonly invariants: readonly object[];
  /** A policy that is right. */
  readonly reference: string;
  /** A policy with a mistake that people make. */
  readonly wrong: string;
}

/** What is wrong with a policy; nothing, if it is right. */
interface Score {
  readonly id: string;
  readonly errors: number;
  readonly failedTests: number;
  readonly unprovedInvariants: number;
}

/** Returns all intents. */
export function readIntents(): readonly Intent[] {
  const files = globSync('*.yaml', { cwd: import.meta.dirname }).toSorted();
  return files.flatMap((file): Intent[] => parse(readFileSync(join(import.meta.dirname, file), 'utf8')));
}

/** Returns true if a policy does what the intent says. */
export function isRight({ errors, failedTests, unprovedInvariants }: Score): boolean {
  return errors + failedTests + unprovedInvariants === 0;
}

/** Scores a policy for an intent. */
export async function scorePolicy(
  { id, endpoint = 'http-endpoint', tests, invariants }: Intent,
  policy: string,
): Promise<Score> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-intent-'));
  try {
    const file = (name: string, content: object | string) => {
      const path = join(folder, name);
      writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
      return path;
    };
    mkdirSync(join(folder, '.git'));
    const path = file('policy.yaml', policy);
    const stated = { policy: 'policy.yaml', profile: 'modern', endpoint };
    const run = async (...args: readonly string[]) => JSON.parse((await runCaptured(args)).output);
    const checked = await run('check', '-f', 'json', '--profile', 'modern', '--endpoint', endpoint, path);
    const { error: errors } = checked.counts as { readonly error: number };
    if (errors > 0) return { id, errors, failedTests: tests.length, unprovedInvariants: invariants.length };
    const tested = await run('test', '-f', 'json', file('policy.test.yaml', { ...stated, tests }));
    const proved = await run('prove', '-f', 'json', file('policy.invariants.yaml', { ...stated, invariants }));
    return {
      id,
      errors,
      failedTests: tested.counts.failed,
      unprovedInvariants: invariants.length - proved.counts.proved,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function scoreFolder(folder: string): Promise<number> {
  const policies = new Map(globSync(join(folder, '*.yaml')).map(path => [basename(path, '.yaml'), path]));
  let right = 0;
  const intents = readIntents();
  for (const intent of intents) {
    const path = policies.get(intent.id);
    const score = path === undefined ? undefined : await scorePolicy(intent, readFileSync(path, 'utf8'));
    if (score !== undefined && isRight(score)) right += 1;
    console.log(`${intent.id}: ${score === undefined ? 'no policy' : textOf(score)}`);
  }
  console.log(`${right} of ${intents.length} right`);
  return right === intents.length ? 0 : 1;
}

function textOf(score: Score): string {
  if (isRight(score)) return 'right';
  if (score.errors > 0) return `${score.errors} errors`;
  return `${score.failedTests} tests failed, ${score.unprovedInvariants} invariants not proved`;
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({ options: { intents: { type: 'boolean' } }, allowPositionals: true });
  const [folder] = positionals;
  if (values.intents) {
    const told = readIntents().map(({ id, intent, endpoint = 'http-endpoint' }) => ({ id, endpoint, intent }));
    console.log(JSON.stringify(told, undefined, 2));
  } else if (folder === undefined) {
    console.error('expected a folder with one policy per intent, or `--intents`');
    process.exitCode = 2;
  } else process.exitCode = await scoreFolder(folder);
}
