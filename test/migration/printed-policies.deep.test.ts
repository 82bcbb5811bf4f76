import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EDGE_V2, EDGE_V2_SNAKE } from '@tollgate/catalog';
import { runCaptured } from '@tollgate/cli';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Json, policies } from '../schemas/generated-policy.ts';
import { meaningfulPolicies } from '../simulation/generated-rules.ts';
import { runs, seed } from '../support/runs.ts';

const ROOT = join(import.meta.dirname, '../..');
const SEED = seed(20_261_128, 'TOLLGATE_PRINTED_SEED');

/** What `tollgate migrate` prints, and the errors that `tollgate check` finds in it. */
async function migrated(policy: string, options: readonly string[] = []) {
  const { code, output } = await runCaptured(['migrate', ...options, '-'], { input: policy });
  if (output === '') return { code, isPrinted: false, errors: [] };
  const checked = await runCaptured(['check', '-f', 'json', ...options, '-'], { input: output });
  const { diagnostics } = JSON.parse(checked.output) as {
    readonly diagnostics: readonly { readonly severity: string; readonly code: string; readonly message: string }[];
  };
  const errors = diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message);
  return { code, isPrinted: true, errors };
}

describe(`what tollgate migrate prints (seed ${SEED})`, () => {
  const files = globSync('{examples,test/dialects,test/golden}/**/*.{yaml,json}', { cwd: ROOT }).filter(name =>
    /^\s*["']?(?:inbound|outbound)["']?:/m.test(readFileSync(join(ROOT, name), 'utf8')),
  );

  it.each(files)('checks: %s', async name => {
    const { isPrinted, code, errors } = await migrated(readFileSync(join(ROOT, name), 'utf8'));
    expect({ errors, isPrinted: isPrinted || code !== 0 }).toEqual({ errors: [], isPrinted: true });
  });

  const endpoint = 'https-route';
  const documents: readonly (readonly [string, fc.Arbitrary<Json>])[] = [EDGE_V2, EDGE_V2_SNAKE].flatMap(profile => [
    [`rules of ${profile.name} that mean something`, meaningfulPolicies(profile, endpoint)] as const,
    [`every shape of ${profile.name}`, policies(profile, endpoint)] as const,
  ]);

  it.each(documents)('checks: %s', async (_, document) => {
    let printed = 0;
    await fc.assert(
      fc.asyncProperty(document, async policy => {
        const text = JSON.stringify(policy);
        const { isPrinted, errors } = await migrated(text);
        if (isPrinted) printed += 1;
        expect({ text, errors }).toEqual({ text, errors: [] });
      }),
      { numRuns: runs(3, 300), seed: SEED },
    );
    expect(printed).toBeGreaterThan(0);
  });
});
