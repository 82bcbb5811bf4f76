import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROFILES, type Profile } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy, createPhaseEnvironments } from '@tollgate/policy';
import { replayOnDuckdb } from '@tollgate/query';
import { replay } from '@tollgate/simulator';
import { FILE_READER } from '@tollgate/traffic-node';
import fc from 'fast-check';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { runs } from '../support/runs.ts';
import { LINES, PLAIN_LINES, SELECTIONS, VARIED_LINES } from './generated-lines.ts';
import { meaningfulPolicies } from './generated-rules.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-duckdb-'));
afterAll(() => rmSync(folder, { recursive: true }));

const OTHERWISE = { evaluationError: 'fail-request', responsePhaseAfterAnswer: 'run' } as const;

const PLACES = PROFILES.flatMap(profile =>
  [profile, { ...profile, switches: { ...profile.switches, ...OTHERWISE } }].map((variant: Profile, index) => {
    const endpoint = profile.endpoints[0]!;
    return [`${profile.name}${index === 0 ? '' : ', other switches'}`, { profile: variant, endpoint }] as const;
  }),
).map(([name, place], index) => [name, { ...place, place: index }] as const);

describe.each(PLACES)('a replay on DuckDB under policies of %s', (_, { profile, endpoint, place }) => {
  const environments = createPhaseEnvironments(profile, endpoint);
  const analyzed = (document: unknown) => {
    const source = new SourceText('policy.json', JSON.stringify(document));
    return analyzePolicy(source, { profile, endpoint, environments }).policy!;
  };

  const kinds = [
    ['any lines', LINES, 8],
    ['plain lines', PLAIN_LINES, 40],
    ['varied values', VARIED_LINES, 40],
  ] as const;
  // The quick form takes the kinds by turns.
  const tried = inject('isDeep') ? kinds : kinds.filter((_, kind) => (kind + place) % 2 === 0);
  it.each(tried)('has the figures of one in process, or says why not: %s', async (_, lines, deep) => {
    await fc.assert(
      fc.asyncProperty(
        meaningfulPolicies(profile, endpoint),
        lines,
        lines,
        SELECTIONS,
        // With few, conditions are tested in SQL wherever that is possible, and columns seem to have few values.
        fc.constantFrom(1, 4, undefined),
        async (document, one, other, select, few) => {
          const files = [join(folder, 'one.jsonl'), join(folder, 'other.jsonl')];
          writeFileSync(files[0]!, one);
          writeFileSync(files[1]!, other);
          const traffic = { format: 'json-lines' } as const;
          const options = {
            profile,
            environments,
            files,
            reader: FILE_READER,
            traffic,
            breakdown: { top: 3 },
            ...(select && { select }),
          };
          const policy = analyzed(document);
          const found = await replayOnDuckdb(policy, options, { threads: 2, manyValues: few, firstRows: few });
          if (found.kind === 'replayed') expect(found.summary).toEqual(await replay(policy, options));
          else expect(found).not.toMatchObject({ reason: expect.stringMatching(/Error/) });
        },
      ),
      { numRuns: runs(1, deep) },
    );
  });
});
