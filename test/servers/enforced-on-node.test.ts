import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EDGE_V2, MODERN, type Profile } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { createEnforcer, type DecisionRecord, type Enforcer } from '@tollgate/enforce';
import { NODE_HOST, nodeMiddleware } from '@tollgate/enforce/node';
import { analyzePolicy, createPhaseEnvironments } from '@tollgate/policy';
import { createSimulation, type Decision, type HeaderMap, headerValues } from '@tollgate/simulator';
import { type Exchange, type HeaderField, NO_HEADER_KNOWN } from '@tollgate/traffic';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../schemas/generated-policy.ts';
import { runs, seed } from '../support/runs.ts';
import { expectSameReplay } from './decision-logs.ts';
import { policiesOver } from './sent-policies.ts';
import { REQUESTS, sendWhole } from './sent-requests.ts';

// What a policy in front of a Node server does to bytes on the wire is what the simulator decides about them.

/** What the application behind the policy responds with. */
const APPLICATION = {
  status: 404,
  headers: [
    ['content-type', 'text/plain'],
    ['server', 'app'],
    ['x-mark', '0'],
  ],
} as const;

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

const EVERYWHERE: readonly Json[] = [
  { type: 'remove-headers', config: { headers: ['x-api-key', 'cookie', 'server', 'x-mark'] } },
  { type: 'add-headers', config: { headers: { 'set-cookie': 'by=edge', 'x-api-key': 'ü' } } },
  { type: 'log', config: { metadata: { seen: 'yes' } } },
];

function actionsOnRequests({ name }: Profile): readonly Json[] {
  const key = name === 'modern' ? 'conn.client_ip' : 'conn.ClientIP';
  const limit = { name: 'all', algorithm: 'sliding_window', capacity: 3, rate: '60s', bucket_key: [key] };
  return [
    ...EVERYWHERE,
    { type: 'add-headers', config: { headers: { cookie: 'by=edge' } } },
    { type: 'redirect', config: { from: '/a(.*)', to: '/b$1', headers: { 'x-why': 'moved' } } },
    { type: 'redirect', config: { from: '.*/admin(.*)', to: 'https://other.example/ü$1' } },
    { type: 'url-rewrite', config: { from: '/a', to: '/rewritten' } },
    { type: 'restrict-ips', config: { enforce: true, allow: ['127.0.0.0/8'], deny: ['127.0.0.2/32'] } },
    { type: 'rate-limit', config: limit },
  ];
}

/** Policies of the suite of servers, with more kinds of actions. */
function policies(profile: Profile): fc.Arbitrary<Json> {
  const others = (actions: readonly Json[]) =>
    fc.array(fc.tuple(fc.nat(5), fc.boolean(), fc.constantFrom(...actions)), { maxLength: 3 });
  return fc
    .tuple(policiesOver(profile), others(actionsOnRequests(profile)), others(EVERYWHERE))
    .map(([document, onRequests, onResponses]) => {
      const [requests, responses] = Object.values(document as object) as (readonly { readonly actions: Json[] }[])[];
      for (const [rules, placed] of [[requests!, onRequests] as const, [responses!, onResponses] as const])
        for (const [at, isFirst, action] of placed) {
          const { actions } = rules[at % rules.length]!;
          if (isFirst) actions.unshift(action);
          else actions.splice(0, actions.length, action);
        }
      return document;
    });
}

/** Headers that Node adds to responses, or that say how a body is framed. */
const FRAMING = new Set(['date', 'connection', 'transfer-encoding', 'content-length', 'keep-alive']);

interface Wire {
  readonly status: number | undefined;
  /** Values by name in lower case, in order. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly body: string;
}

function fieldsByName(fields: readonly HeaderField[]): Wire['headers'] {
  const headers: Record<string, string[]> = {};
  for (const { name, value } of fields) {
    const key = name.toLowerCase();
    const values = headers[key] ?? [];
    values.push(Buffer.from(value, 'latin1').toString());
    if (!FRAMING.has(key)) headers[key] = values;
  }
  return headers;
}

/** Returns a body whose chunks are at most a few bytes long. */
function unchunked(body: Buffer, headers: readonly HeaderField[]): string {
  const text = body.toString();
  const isChunked = headers.some(
    ({ name, value }) => name.toLowerCase() === 'transfer-encoding' && value === 'chunked',
  );
  return isChunked ? text.replace(/([0-9a-f]+)\r\n((?:(?!\r\n).)*)\r\n/gis, '$2') : text;
}

function decidedHeaders(map: HeaderMap): Wire['headers'] {
  return Object.fromEntries(
    Object.keys(map).flatMap(key => {
      const values = headerValues(map, key) as readonly string[] | undefined;
      const name = key.toLowerCase();
      return values === undefined || values.length === 0 || FRAMING.has(name) ? [] : [[name, values]];
    }),
  );
}

/** What the client and the application get by a decision. */
function decidedWire({ outcomes, response, upstream }: Decision, sent: Exchange): readonly unknown[] {
  // Only the application knows what it responds to another URL.
  const isRewritten = upstream.request.changes.url && upstream.isAsked === true;
  if (!isRewritten) expect(outcomes).toHaveLength(1);
  const isMade = response?.changes.isMade === true;
  const body = isMade ? response.body : BODY;
  const client = response && { status: response.status, headers: decidedHeaders(response.headers), body };
  const application = upstream.isAsked && {
    target: upstream.request.changes.url ? upstream.request.target : sent.target,
    headers: decidedHeaders(upstream.request.headers),
  };
  return [isRewritten ? ANYTHING : client, application || undefined];
}

const ANYTHING: unknown = expect.anything();

const BODY = 'from the application';
/** Policies, and requests for each. 10,000 exchanges under `npm run test:deep`. */
const [POLICIES, REQUESTS_EACH] = [runs(8, 125, 'ENFORCED_POLICIES'), 40];
const SEED = seed(20_261_129, 'ENFORCED_SEED');

describe.each([MODERN, EDGE_V2])('a policy of the profile $name on a Node server', profile => {
  const endpoint = profile.endpoints[0]!;
  const environments = createPhaseEnvironments(profile, endpoint);
  const documents = fc.sample(policies(profile), { seed: SEED, numRuns: POLICIES });
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
        const sent = { ...exchange, time: Date.now(), response: own };
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
