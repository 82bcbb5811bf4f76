import { EDGE_V2 } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy, createPhaseEnvironments } from '@tollgate/policy';
import { beginEdgeRun, readEdge, verdictOf } from '@tollgate/simulator';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../support/runs.ts';
import { MASK, masked, WHOLE } from './generated-exchange.ts';
import { meaningfulPolicies } from './generated-rules.ts';

const ENDPOINT = 'https-route';
const environments = createPhaseEnvironments(EDGE_V2, ENDPOINT);

/** Routes with and without modules, whose policies are judged in different ways. */
const EDGE = {
  routes: [
    { match_type: 'exact_path', match: '/' },
    { match_type: 'path_prefix', match: 'e.co/a', response_headers: { enabled: true, add: { 'x-a': '1' } } },
    { match_type: 'path_prefix', match: '/a' },
    { match_type: 'path_prefix', match: 'f.co/b' },
  ],
};

const POLICIES = fc.tuple(...EDGE.routes.map(() => meaningfulPolicies(EDGE_V2, ENDPOINT)));
const TRAFFIC = fc.array(fc.tuple(WHOLE, fc.option(MASK)), { minLength: 1, maxLength: 16 });

describe('the verdict of an edge', () => {
  it('says what its decision says', () => {
    const reading = readEdge(EDGE);
    if ('faults' in reading) throw new Error(reading.faults.join());
    const { edge } = reading;
    const kinds = new Set<string>();
    fc.assert(
      fc.property(POLICIES, TRAFFIC, (documents, traffic) => {
        const policies = new Map(
          documents.map((document, index) => {
            const source = new SourceText('policy.json', JSON.stringify(document));
            const { policy } = analyzePolicy(source, { profile: EDGE_V2, endpoint: ENDPOINT, environments });
            return [edge.routes[index]!, policy!] as const;
          }),
        );
        const options = { profile: EDGE_V2, environments };
        const [judging, deciding] = [beginEdgeRun(edge, policies, options), beginEdgeRun(edge, policies, options)];
        for (const [whole, mask] of traffic) {
          const exchange = mask === null ? whole : masked(whole, mask);
          const judged = judging.judge(exchange);
          const decided = deciding.decide(exchange);
          kinds.add(decided.kind === 'routed' ? decided.route.match : decided.kind);
          if (judged.kind !== 'routed' || decided.kind !== 'routed') expect(judged).toEqual(decided);
          else {
            const { number: _, ...verdict } = judged.verdict;
            expect([judged.route, verdict]).toEqual([decided.route, verdictOf(decided.decision)]);
          }
        }
      }),
      { numRuns: runs(8, 60) },
    );
    expect([...kinds].sort()).toEqual(['/', '/a', 'e.co/a', 'f.co/b', 'open', 'unrouted']);
  });
});
