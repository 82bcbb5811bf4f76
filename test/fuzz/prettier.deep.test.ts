import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EDGE_V2, MODERN } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { detectProfile, formatPolicy } from '@tollgate/policy';
import fc from 'fast-check';
import { format } from 'prettier';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { type Json, policies } from '../schemas/generated-policy.ts';
import { meaningfulPolicies } from '../simulation/generated-rules.ts';
import { runs, seed } from '../support/runs.ts';

// Prettier runs on every YAML file of many repositories: it must have nothing to change in what `tollgate fmt` writes.

const ROOT = join(import.meta.dirname, '../..');
const SEED = seed(20_261_129, 'TOLLGATE_PRETTIER_SEED');
const QUOTES = ['double', 'single'] as const;

/** What `tollgate fmt` writes; undefined if it refuses the document. */
function formatted(text: string, quotes: (typeof QUOTES)[number]): string | undefined {
  const { profile } = detectProfile(text);
  return formatPolicy(new SourceText('p.yaml', text), { profile, endpoint: profile.endpoints[0]!, width: 100, quotes })
    .text;
}

/** JSON stays JSON, also in a file that is named as YAML. */
const JSON_DOCUMENT = /^\s*[{[]/;

async function isFixedPoint(text: string, quotes: (typeof QUOTES)[number]): Promise<void> {
  if (JSON_DOCUMENT.test(text)) return;
  const ours = formatted(text, quotes);
  if (ours !== undefined) expect(await format(ours, { parser: 'yaml', singleQuote: quotes === 'single' })).toBe(ours);
}

describe.each(QUOTES)(`Prettier changes nothing that fmt writes, with %s quotes (seed ${SEED})`, quotes => {
  const files = globSync('{examples,test/dialects,test/golden}/**/*.yaml', { cwd: ROOT }).filter(name =>
    /^\s*(?:inbound|outbound|on_\w+):/m.test(readFileSync(join(ROOT, name), 'utf8')),
  );

  it.each(files)('in %s', async name => {
    // A template may fill what looks like its variable, so such strings keep their quotes.
    const text = readFileSync(join(ROOT, name), 'utf8').replace('$first ${first}', '$1');
    await isFixedPoint(text, quotes);
  });

  const documents: readonly (readonly [string, fc.Arbitrary<Json>])[] = [EDGE_V2, MODERN].flatMap(profile => {
    const endpoint = profile.endpoints[0]!;
    return [
      [`generated rules of ${profile.name}`, meaningfulPolicies(profile, endpoint)] as const,
      [`every shape of ${profile.name}`, policies(profile, endpoint)] as const,
    ];
  });
  const layouts = fc.record({
    lineWidth: fc.constantFrom(0, 40, 80),
    collectionStyle: fc.constantFrom('any', 'flow', 'block'),
    defaultStringType: fc.constantFrom('PLAIN', 'QUOTE_SINGLE', 'QUOTE_DOUBLE'),
    indentSeq: fc.boolean(),
  } as const);

  it.each(documents)('in %s', async (_, document) => {
    await fc.assert(
      fc.asyncProperty(document, layouts, async (policy, layout) => {
        await isFixedPoint(stringify(policy, layout), quotes);
      }),
      { numRuns: runs(30, 1000), seed: SEED },
    );
  });
});
