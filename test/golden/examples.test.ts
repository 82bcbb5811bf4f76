import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { runCaptured } from '@tollgate/cli';
import { describe, expect, it } from 'vitest';

const EXAMPLES = 'examples/policies';

/** Policies for other endpoints than an HTTPS route are in a directory of that name. */
const ENDPOINTS = readdirSync(EXAMPLES, { withFileTypes: true }).flatMap(entry =>
  entry.isDirectory() ? [entry.name] : [],
);

async function run(...args: readonly string[]): Promise<string> {
  const { code, output, errors } = await runCaptured(args);
  return `${output}${errors}${code}`;
}

/** What `tollgate test --format json` writes with coverage. */
interface CoverageDocument {
  readonly counts: { readonly failed: number };
  readonly coverage: readonly {
    readonly policy: string;
    readonly goals: readonly { readonly id: string; readonly state: string }[];
  }[];
}

/** What `tollgate prove --format json` writes. */
interface ProofDocument {
  readonly counts: unknown;
  readonly files: readonly { readonly policy: string; readonly invariants: readonly { readonly result: string }[] }[];
}

describe('the example policies', () => {
  it('are clean', async () => {
    expect(await run('check', `${EXAMPLES}/*.yaml`)).toMatch(/^no problems in \d+ files\n0$/);
    for (const endpoint of ENDPOINTS) {
      expect(await run('check', '--endpoint', endpoint, `${EXAMPLES}/${endpoint}`)).toMatch(
        /^no problems in \d+ files?\n0$/,
      );
    }
  });

  it('pass their tests, which reach all that can be reached and notice nearly all mutants', async () => {
    const { code, output } = await runCaptured([
      'test',
      '-f',
      'json',
      '--fail-under',
      '100',
      '--min-score',
      '95',
      'examples/tests',
    ]);
    const { coverage, counts }: CoverageDocument = JSON.parse(output);
    const open = coverage.flatMap(({ policy, goals }) =>
      goals.filter(({ state }) => state === 'open').map(({ id }) => `${policy}: ${id}`),
    );
    expect({ code, open, failed: counts.failed }).toEqual({ code: 0, open: [], failed: 0 });
    const policies = readdirSync(EXAMPLES, { recursive: true, encoding: 'utf8' }).filter(name =>
      name.endsWith('.yaml'),
    );
    expect(coverage.map(({ policy }) => policy).toSorted()).toEqual(
      policies.map(name => `${EXAMPLES}/${name.replaceAll('\\', '/')}`).toSorted(),
    );
  });

  it('have invariants, which are all proved', async () => {
    const { code, output } = await runCaptured(['prove', '--format', 'json', 'examples']);
    const { counts, files }: ProofDocument = JSON.parse(output);
    const open = files.flatMap(({ invariants }) => invariants.filter(({ result }) => result !== 'proved'));
    expect({ code, open, counts }).toEqual({ code: 0, open: [], counts: { proved: 38, refuted: 0, unknown: 0 } });
    const policies = readdirSync(EXAMPLES, { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.yaml'))
      .map(name => basename(name));
    const edges = ['bookshop.json'];
    const proved = files.filter(({ invariants }) => invariants.length > 1).map(({ policy }) => basename(policy));
    expect(proved.toSorted()).toEqual([...policies, ...edges].toSorted());
  });

  it('are formatted', async () => {
    expect(await run('fmt', '--check', EXAMPLES)).toMatch(/^\d+ files unchanged\n0$/);
  });
});
