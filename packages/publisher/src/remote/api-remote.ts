import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CallError, CallOptions, Client, Result } from '@tollgate/edge-api';
import { canonicalModule } from '../model/canonical.ts';
import type { RecordKind, RecordRef } from '../model/record.ts';
import { wireModule } from '../model/wire.ts';
import { type LiveRecord, modulesOf } from '../plan/live.ts';
import { describeFailure, isTemporary } from './api-failure.ts';
import type { Pacer, Timing } from './pacer.ts';
import type { ModuleWrite, ReadResult, Remote, RemoteFailure, SeenPage, WriteAnswer } from './remote.ts';

/** What a remote over the API is made of. */
export interface ApiRemoteOptions {
  /** Must not repeat requests by itself: `retries: 0`. */
  readonly client: Client;
  /** For messages. */
  readonly url: string;
  readonly pacer: Pacer;
  readonly timing: Timing;
}

/** How often a read is tried. */
const TRIES = 6;

/** Creates a remote over the typed client. */
export function createApiRemote(options: ApiRemoteOptions): Remote {
  return {
    list: async (kinds, seen) => {
      const lists = await Promise.all(kinds.map(kind => listKind(kind, options, seen)));
      const failed = lists.find(list => !list.ok);
      return failed ?? { ok: true, value: { kinds, records: lists.flatMap(list => (list.ok ? list.value : [])) } };
    },
    read: async ref => {
      const result = await retried(() => readRecord(ref, options.client), options);
      if (!result.ok) return { ok: false, failure: describeFailure(result.error, options.url) };
      const record = liveRecord(ref.kind, result.value, ref.edgeId);
      return await withTextPolicy({ record, tag: result.etag }, options);
    },
    write: write => writeOnce(write, options),
  };
}

type Body = Readonly<Record<string, unknown>>;

async function listKind(
  kind: RecordKind,
  options: ApiRemoteOptions,
  seen: SeenPage = () => undefined,
): Promise<ReadResult<LiveRecord[]>> {
  const key = { 'https-route': 'https_edges', 'tls-edge': 'tls_edges', 'tcp-edge': 'tcp_edges' }[kind];
  const found: LiveRecord[] = [];
  let before: string | undefined;
  let page: ReturnType<typeof readPage> | undefined = readPage(kind, before, options);
  while (page) {
    const answer: Result<Body> = await page;
    if (!answer.ok) return { ok: false, failure: listFailure(answer.error, options.url) };
    const following = nextPage(answer.value, options.url);
    if (following !== undefined && following === before) return looped(options.url);
    before = following;
    page = before === undefined ? undefined : readPage(kind, before, options);
    // The server prepares the next page while this one is looked at.
    if (page) await nextTurn();
    const edges = answer.value[key] as readonly Body[];
    const records = edges.flatMap(edge => recordsIn(kind, edge));
    found.push(...records);
    seen(records);
  }
  return { ok: true, value: found };
}

/** Each API has lists of edges. */
function listFailure(error: CallError, url: string): RemoteFailure {
  const failure = describeFailure(error, url);
  if (failure.kind !== 'gone') return failure;
  const message = `${url} has no lists of edges (status 404); check \`url\``;
  return { kind: 'unreachable', message };
}

/** The maximum of the API. */
const PAGE = 100;

async function readPage(
  kind: RecordKind,
  before: string | undefined,
  options: ApiRemoteOptions,
): Promise<Result<Body>> {
  const { client } = options;
  const input = { query: { limit: PAGE, ...(before !== undefined && { before_id: before }) } };
  return await retried<Body>(() => {
    if (kind === 'https-route') return client.edgesHttpsList(input);
    return kind === 'tls-edge' ? client.edgesTlsList(input) : client.edgesTcpList(input);
  }, options);
}

/** Returns the id before which the next page begins. */
function nextPage({ next_page_uri: uri }: Body, base: string): string | undefined {
  const next = typeof uri === 'string' ? URL.parse(uri, base) : null;
  return next?.searchParams.get('before_id') ?? undefined;
}

function looped(url: string): ReadResult<never> {
  return { ok: false, failure: { kind: 'unreachable', message: `${url} returned a list whose pages never end` } };
}

function recordsIn(kind: RecordKind, edge: Body): readonly LiveRecord[] {
  if (kind !== 'https-route') return [liveRecord(kind, edge)];
  const routes = Array.isArray(edge.routes) ? (edge.routes as readonly Body[]) : [];
  return routes.map(route => ({ ...liveRecord(kind, route, String(edge.id)), hostports: hostportsOf(edge) }));
}

function hostportsOf({ hostports }: Body): readonly string[] {
  return Array.isArray(hostports) ? hostports.map(String) : [];
}

function liveRecord(kind: RecordKind, body: Body, edgeId?: string): LiveRecord {
  return {
    ref: { kind, id: String(body.id), ...(edgeId !== undefined && { edgeId }) },
    hostports: hostportsOf(body),
    route: kind === 'https-route' ? { match: String(body.match), matchType: String(body.match_type) } : undefined,
    modules: modulesOf(body),
  };
}

function readRecord({ kind, id, edgeId = '' }: RecordRef, client: Client): Promise<Result<Body>> {
  if (kind === 'https-route') return client.edgesHttpsRoutesGet({ edge_id: edgeId, id });
  return kind === 'tls-edge' ? client.edgesTlsGet({ id }) : client.edgesTcpGet({ id });
}

/** A policy that `/policy` cannot represent looks absent in a record; only `/traffic_policy` has it. */
async function withTextPolicy(
  { record, tag }: { readonly record: LiveRecord; readonly tag: string | undefined },
  options: ApiRemoteOptions,
): Promise<Awaited<ReturnType<Remote['read']>>> {
  if (record.modules.policy !== null) return { ok: true, value: { record, tag } };
  const result = await retried(() => readTextPolicy(record.ref, options.client), options);
  if (result.ok) {
    const modules = { ...record.modules, policy: canonicalModule('policy', result.value) };
    return { ok: true, value: { record: { ...record, modules }, tag: result.etag } };
  }
  // Servers without this form of the module respond with 404, or 405.
  const isAbsent = result.error.kind === 'answered' && [404, 405].includes(result.error.status);
  if (isAbsent) return { ok: true, value: { record, tag } };
  return { ok: false, failure: describeFailure(result.error, options.url) };
}

function readTextPolicy({ kind, id, edgeId = '' }: RecordRef, client: Client): Promise<Result<Body>> {
  if (kind === 'https-route') return client.edgeRouteTrafficPolicyModuleGet({ edge_id: edgeId, id });
  return kind === 'tls-edge'
    ? client.tlsEdgeTrafficPolicyModuleGet({ id })
    : client.tcpEdgeTrafficPolicyModuleGet({ id });
}

/** Repeats a read with back-off and jitter until it is answered. */
async function retried<T>(call: () => Promise<Result<T>>, options: ApiRemoteOptions): Promise<Result<T>> {
  for (let tried = 1; ; tried++) {
    await options.pacer.take();
    const result = await call();
    if (result.ok) return result;
    slowDown(result.error, options);
    if (tried >= TRIES || !isTemporary(result.error)) return result;
    await options.timing.wait(backOff(tried, options.timing));
  }
}

function backOff(tried: number, { random }: Timing): number {
  return 100 * 2 ** tried * (0.5 + random() / 2);
}

/** All workers pause when one is told that it is too fast, or that the server is too busy. */
function slowDown(error: CallError, { pacer, timing }: ApiRemoteOptions): void {
  if (error.kind !== 'answered' || (error.status !== 429 && error.status !== 503)) return;
  pacer.pause(error.retryAfterMs ?? backOff(2, timing));
}

async function writeOnce(write: ModuleWrite, options: ApiRemoteOptions): Promise<WriteAnswer> {
  const { pacer, url, client } = options;
  await pacer.take();
  const result = await send(write, client);
  if (result.ok) return { kind: 'accepted' };
  slowDown(result.error, options);
  const { message } = describeFailure(result.error, url);
  if (result.error.kind === 'input') return { kind: 'rejected', message };
  if (result.error.kind !== 'answered') return { kind: 'unsettled', message };
  const { status } = result.error;
  if (status === 412) return { kind: 'changed', message };
  return { kind: status === 429 || status >= 500 || status === 408 ? 'unsettled' : 'rejected', message };
}

function send({ ref, module, value, tag }: ModuleWrite, client: Client): Promise<Result<unknown>> {
  const options: CallOptions = tag === undefined ? {} : { ifMatch: tag };
  const { kind, id, edgeId = '' } = ref;
  const operation = OPERATIONS[kind];
  const wire = value === null ? undefined : wireModule(module, value);
  const field = wire?.field ?? module;
  const name = operation[field];
  if (name === undefined) throw new TypeError(`a ${kind} has no module \`${field}\``);
  const method = client[`${name}Module${wire === undefined ? 'Delete' : 'Replace'}`] as (
    input: object,
    options: CallOptions,
  ) => Promise<Result<unknown>>;
  return method({ id, edge_id: edgeId, ...(wire && { body: wire.body }) }, options);
}

const OPERATIONS = {
  'https-route': {
    policy: 'edgeRoutePolicy',
    traffic_policy: 'edgeRouteTrafficPolicy',
    webhook_verification: 'edgeRouteWebhookVerification',
    ip_restriction: 'edgeRouteIpRestriction',
  },
  'tls-edge': {
    policy: 'tlsEdgePolicy',
    traffic_policy: 'tlsEdgeTrafficPolicy',
    webhook_verification: undefined,
    ip_restriction: 'tlsEdgeIpRestriction',
  },
  'tcp-edge': {
    policy: 'tcpEdgePolicy',
    traffic_policy: 'tcpEdgeTrafficPolicy',
    webhook_verification: undefined,
    ip_restriction: 'tcpEdgeIpRestriction',
  },
} as const;
