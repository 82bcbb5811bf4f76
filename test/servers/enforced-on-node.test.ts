import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EDGE_V2, MODERN } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { createEnforcer, type DecisionRecord, type Enforcer } from '@tollgate/enforce';
import { NODE_HOST, nodeMiddleware } from '@tollgate/enforce/node';
import { analyzePolicy, createPhaseEnvironments } from '@tollgate/policy';
import { createSimulation } from '@tollgate/simulator';
import { type HeaderField, NO_HEADER_KNOWN } from '@tollgate/traffic';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs, seed } from '../support/runs.ts';
import { expectSameReplay } from './decision-logs.ts';
import { APPLICATION, decidedWire, enforcedPolicies, fieldsByName, unchunked } from './enforced-traffic.ts';
import { REQUESTS, sendWhole } from './sent-requests.ts';

// What a policy in front of a Node server does to bytes on the wire is what the simulator decides about them.

let enforcer: Enforcer;
const asked: Pick<IncomingMessage, 'url' | 'rawHeaders'>[] = [];
const middleware = nodeMiddleware(() => enforcer);
const server = createServer((request, response) => {
  // As frameworks do before anything else.
  response.setHeader('X-Powered-By', 'a framework');
  middleware(request, response, () => {
    const { url, rawHeaders } = request;
    asked.push({ url, rawHeaders });
    response.writeHead(APPLICATION.status, Object.fromEntries(APPLICATION.headers));
    response.write('from the ');
    response.end('application');
  });
});
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => void server.close());

/** Policies, and requests for each. 10,000 exchanges under `npm run test:deep`. */
const [POLICIES, REQUESTS_EACH] = [runs(4, 125, 'ENFORCED_POLICIES'), 40];
const SEED = seed(20_261_129, 'ENFORCED_SEED');

describe.each([MODERN, EDGE_V2])('a policy of the profile $name on a Node server', profile => {
  const endpoint = profile.endpoints[0]!;
  const environments = createPhaseEnvironments(profile, endpoint);
  const documents = fc.sample(enforcedPolicies(profile), { seed: SEED, numRuns: POLICIES });
  const requests = fc.sample(REQUESTS, { seed: SEED, numRuns: REQUESTS_EACH });

  it('does to traffic what the simulator decides, and logs what replays to the same', async () => {
    let compared = 0;
    for (const document of documents) {
      const text = JSON.stringify(document);
      const source = new SourceText('policy.json', text);
      const { policy, diagnostics } = analyzePolicy(source, { profile, endpoint, environments });
      expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
      const records: DecisionRecord[] = [];
      const onDecision = (record: DecisionRecord) => void records.push(record);
      const created = createEnforcer(policy!, { profile, environments, host: NODE_HOST, onDecision });
      if ('refusals' in created) throw new Error(`${text}: ${created.refusals[0]!.message}`);
      enforcer = created.enforcer;
      const run = createSimulation(policy!, { profile, environments }).begin();
      for (const request of requests) {
        const before = records.length;
        asked.length = 0;
        const { exchange, body } = await sendWhole(request, (server.address() as AddressInfo).port);
        // Node itself refuses some requests.
        if (records.length === before) continue;
        const { status, headers } = APPLICATION;
        const fields = [...headers, ['x-powered-by', 'a framework']].map(([name = '', value = '']) => ({
          name,
          value,
        }));
        const own = { status, headers: { ...NO_HEADER_KNOWN, fields, complete: true }, bodySize: undefined };
        const sent = { ...exchange, time: Date.parse(String(records.at(-1)!.time)), response: own };
        const decision = run.decide(sent);
        const received = exchange.response?.headers.fields ?? [];
        const seen = exchange.response && {
          status: exchange.response.status,
          headers: fieldsByName(received),
          body: unchunked(body, received),
        };
        const [one] = asked;
        const gotten = one && { target: one.url, headers: fieldsByName(pairs(one.rawHeaders)) };
        expect([seen, gotten, text, request]).toEqual([...decidedWire(decision, sent), text, request]);
        compared++;
      }
      await expectSameReplay(records, policy!, { profile, environments });
    }
    expect(compared).toBeGreaterThan((POLICIES * REQUESTS_EACH) / 2);
  });
});

function pairs(raw: readonly string[]): readonly HeaderField[] {
  return raw.flatMap((name, at) => (at % 2 === 0 ? [{ name, value: raw[at + 1]! }] : []));
}
