import { EDGE_V2, type EndpointKind, MODERN } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { createClient } from '@tollgate/edge-api';
import { analyzePolicy, plainValue } from '@tollgate/policy';
import {
  canonicalModule,
  canonicalText,
  createApiRemote,
  createPacer,
  type RecordKind,
  type RecordRef,
  type Remote,
} from '@tollgate/publisher';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer, textOf } from '../../edge-server/test-server.ts';
import { policies } from '../../schemas/generated-policy.ts';
import { runs } from '../../support/runs.ts';

/** Policies of each kind of record. */
const RUNS = runs(6, 1000);

let server: TestServer;
let remote: Remote;
const refs = new Map<RecordKind, RecordRef>();

beforeAll(async () => {
  server = await startTestServer({ development: true });
  let now = 0;
  const wait = async (ms: number) => {
    now += ms;
  };
  const timing = { now: () => now, wait, random: () => 0 };
  const client = createClient({ baseUrl: server.url, token: server.token, retries: 0 });
  remote = createApiRemote({ client, url: server.url, pacer: createPacer(1e9, timing), timing });
  const create = async (path: string, body: object) => textOf(await server.call('POST', path, { body }), 'id');
  const edgeId = await create('/edges/https', { hostports: ['a.example:443'] });
  const id = await create(`/edges/https/${edgeId}/routes`, { match_type: 'path_prefix', match: '/' });
  refs.set('https-route', { kind: 'https-route', id, edgeId });
  refs.set('tls-edge', { kind: 'tls-edge', id: await create('/edges/tls', { hostports: ['b.example:443'] }) });
  refs.set('tcp-edge', { kind: 'tcp-edge', id: await create('/edges/tcp', { hostports: ['1.tcp.example:10001'] }) });
});

afterAll(() => server.stop());

it.each([
  [EDGE_V2, 'https-route', 'https-route'],
  [EDGE_V2, 'tls-edge', 'tls-edge'],
  [EDGE_V2, 'tcp-edge', 'tcp-edge'],
  [MODERN, 'http-endpoint', 'https-route'],
] as const)('reads back what it has written, for every policy: %o on %s', async (profile, endpoint, kind) => {
  let published = 0;
  await fc.assert(
    fc.asyncProperty(policies(profile, endpoint as EndpointKind), async document => {
      const source = new SourceText('policy.json', JSON.stringify(document));
      const { policy, diagnostics } = analyzePolicy(source, { profile, endpoint });
      if (!policy || diagnostics.some(({ severity }) => severity === 'error')) return;
      const wanted = canonicalModule('policy', plainValue(policy.node));
      const ref = refs.get(kind)!;
      const write = () => remote.write({ ref, module: 'policy', value: wanted, tag: undefined });
      let answer = await write();
      // The server may be too busy.
      while (answer.kind === 'unsettled') answer = await write();
      // The server has rules that are not about one policy alone.
      if (answer.kind === 'rejected') return;
      expect(answer).toEqual({ kind: 'accepted', tag: expect.any(String) });
      const reading = await remote.read(ref);
      const live = reading.ok ? reading.value.record.modules.policy : null;
      expect(canonicalText(live)).toBe(canonicalText(wanted));
      published += 1;
    }),
    { numRuns: RUNS },
  );
  expect(published).toBeGreaterThan(Math.min(10, RUNS / 4));
});
