import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROFILES, type Profile } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy, createPhaseEnvironments } from '@tollgate/policy';
import { createSimulation, replay, verdictOf } from '@tollgate/simulator';
import { readTraffic } from '@tollgate/traffic';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { runs } from '../support/runs.ts';
import { LINES } from './generated-lines.ts';
import { meaningfulPolicies } from './generated-rules.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-rows-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Longer than what is walked over: each line is parsed. */
const PARSED = { limits: { maxLineLength: 5_000_000 } };

const OTHERWISE = { evaluationError: 'fail-request', responsePhaseAfterAnswer: 'run' } as const;

const PLACES = PROFILES.flatMap(profile =>
  [profile, { ...profile, switches: { ...profile.switches, ...OTHERWISE } }].map((variant: Profile, index) => {
    const endpoint = profile.endpoints[0]!;
    return [`${profile.name}${index === 0 ? '' : ', other switches'}`, { profile: variant, endpoint }] as const;
  }),
);

describe.each(PLACES)('rows of JSON lines under policies of %s', (_, { profile, endpoint }) => {
  const environments = createPhaseEnvironments(profile, endpoint);
  const analyzed = (document: unknown) => {
    const source = new SourceText('policy.json', JSON.stringify(document));
    return analyzePolicy(source, { profile, endpoint, environments }).policy!;
  };
  const file = join(folder, 'traffic.jsonl');

  it('have the verdicts that the exchanges have', async () => {
    await fc.assert(
      fc.asyncProperty(meaningfulPolicies(profile, endpoint), LINES, async (document, lines) => {
        writeFileSync(file, Buffer.from(lines));
        const simulation = createSimulation(analyzed(document), { profile, environments });
        const [judging, deciding] = [simulation.begin(), simulation.begin()];
        for await (const { rows } of readTraffic(file, { format: 'json-lines' })) {
          for (let index = 0; index < rows!.count; index++) {
            const { number: _, ...judged } = judging.judgeRow(rows!, index);
            // Deciding takes long, and repeated lines need not be decided each time.
            if (index < 40 || index % 97 === 0)
              expect(judged).toEqual(verdictOf(deciding.decide(rows!.exchangeAt(index))));
          }
        }
      }),
      { numRuns: runs(1, 12) },
    );
  });

  it('have the figures that parsed lines have', async () => {
    await fc.assert(
      fc.asyncProperty(meaningfulPolicies(profile, endpoint), LINES, LINES, async (document, one, other) => {
        const files = [file, join(folder, 'more.jsonl')];
        writeFileSync(files[0]!, one);
        writeFileSync(files[1]!, other);
        const options = { profile, environments, files, breakdown: { top: 3 } };
        const policy = analyzed(document);
        const traffic = { format: 'json-lines' } as const;
        const expected = await replay(policy, { ...options, traffic: { ...traffic, ...PARSED } });
        expect(await replay(policy, { ...options, traffic })).toEqual(expected);
      }),
      { numRuns: runs(1, 12) },
    );
  });
});
