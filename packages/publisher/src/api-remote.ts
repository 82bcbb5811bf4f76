// The port `Remote` over the typed client of the Edge Configuration API, and what its failures mean to a publisher.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CallError, CallOptions, Client, OtherError, Result } from '@tollgate/edge-api';
import { type LiveRecord, modulesOf } from './live.ts';
import { canonicalModule, type RecordKind, type RecordRef, wireModule } from './module.ts';
import type {
  Annotation,
  EdgeReader,
  ModuleWrite,
  Pacer,
  ReadResult,
  Remote,
  RemoteFailure,
  SeenPage,
  Timing,
  WriteAnswer,
} from './remote.ts';

/** What a remote over the API is made of. */
export interface ApiRemoteOptions {
  /** Must not repeat requests by itself: `retries: 0`. */
  readonly client: Client;
  /** For messages. */
  readonly url: string;
  readonly pacer: Pacer;
  readonly timing: Timing;
  /** Explains failures of plain HTTP; nothing is explained without it. */
  readonly speaksTls?: SpeaksTls;
}

/** How often a read is tried. */
const TRIES = 6;

/** How often the server may say that there are too many requests. */
const THROTTLED_TRIES = 30;

/** Creates a remote over the typed client. */
export function createApiRemote(options: ApiRemoteOptions): Remote & EdgeReader {
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
    pause: tried => options.timing.wait(backOff(tried, options.timing)),
    write: write => writeOnce(write.tag, call => send(write, options.client, call), options),
    annotate: one => writeOnce(one.tag, call => sendMetadata(one, options.client, call), options),
    readEdge: id => readEdge(id, options),
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
    if (!answer.ok) return { ok: false, failure: await listFailure(answer.error, options) };
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
async function listFailure(error: CallError, { url, speaksTls }: ApiRemoteOptions): Promise<RemoteFailure> {
  const failure = await explainFailure(error, url, speaksTls);
  if (failure.kind !== 'gone') return failure;
  const message = `${url} has no lists of edges (status 404); check \`url\``;
  return { kind: 'gone', message };
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
    metadata: typeof body.metadata === 'string' ? body.metadata : '',
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
  const text = await textPolicyOf(record.ref, options);
  if (!text.ok) return text;
  if (text.value === undefined) return { ok: true, value: { record, tag } };
  const modules = { ...record.modules, policy: canonicalModule('policy', text.value.body) };
  return { ok: true, value: { record: { ...record, modules }, tag: text.value.tag } };
}

/** Returns a policy in the form of `/traffic_policy`; undefined if there is none. */
async function textPolicyOf(
  ref: RecordRef,
  options: ApiRemoteOptions,
): Promise<ReadResult<{ readonly body: Body; readonly tag: string | undefined } | undefined>> {
  const result = await retried(() => readTextPolicy(ref, options.client), options);
  if (result.ok) return { ok: true, value: { body: result.value, tag: result.etag } };
  // Servers without this form of the module respond with 404, or 405.
  const isAbsent = result.error.kind === 'answered' && [404, 405].includes(result.error.status);
  return isAbsent ? { ok: true, value: undefined } : { ok: false, failure: describeFailure(result.error, options.url) };
}

async function readEdge(id: string, options: ApiRemoteOptions): Promise<ReadResult<Body>> {
  const result: Result<Body> = await retried<Body>(() => options.client.edgesHttpsGet({ id }), options);
  if (!result.ok) return { ok: false, failure: describeFailure(result.error, options.url) };
  const routes: Body[] = [];
  for (const route of Array.isArray(result.value.routes) ? (result.value.routes as readonly Body[]) : []) {
    const ref = { kind: 'https-route', id: String(route.id), edgeId: id } as const;
    const text = route.policy === null ? await textPolicyOf(ref, options) : undefined;
    if (text?.ok === false) return text;
    routes.push(text === undefined ? route : { ...route, traffic_policy: text.value?.body ?? null });
  }
  return { ok: true, value: { ...result.value, routes } };
}

function readTextPolicy({ kind, id, edgeId = '' }: RecordRef, client: Client): Promise<Result<Body>> {
  if (kind === 'https-route') return client.edgeRouteTrafficPolicyModuleGet({ edge_id: edgeId, id });
  return kind === 'tls-edge'
    ? client.tlsEdgeTrafficPolicyModuleGet({ id })
    : client.tcpEdgeTrafficPolicyModuleGet({ id });
}

/** Repeats a read with back-off and jitter until it is answered. Refusals for the number of requests count apart: the pacer makes them rare. */
async function retried<T>(call: () => Promise<Result<T>>, options: ApiRemoteOptions): Promise<Result<T>> {
  let [tried, throttled] = [0, 0];
  for (;;) {
    const result = await paced(call, options);
    if (result.ok) return result;
    if (isThrottled(result.error)) throttled += 1;
    else tried += 1;
    if (tried >= TRIES || throttled >= THROTTLED_TRIES || !isTemporary(result.error)) return result;
    if (!isThrottled(result.error)) await options.timing.wait(backOff(tried, options.timing));
  }
}

/** Sends a request when the pacer allows it, and tells the pacer how it went. */
async function paced<T>(call: () => Promise<Result<T>>, { pacer, timing }: ApiRemoteOptions): Promise<Result<T>> {
  const sentAt = await pacer.take();
  const result = await call();
  if (result.ok) pacer.speedUp();
  else if (isThrottled(result.error)) pacer.slowDown(sentAt, askedDelay(result.error));
  // The server is too busy, whoever asks.
  else if (result.error.kind === 'answered' && result.error.status === 503)
    pacer.slowDown(sentAt, askedDelay(result.error) ?? backOff(2, timing));
  return result;
}

/** Also what a proxy says in its own words. */
function isThrottled(error: CallError): boolean {
  return (error.kind === 'answered' || error.kind === 'malformed') && error.status === 429;
}

function askedDelay(error: CallError): number | undefined {
  return error.kind === 'answered' ? error.retryAfterMs : undefined;
}

function backOff(tried: number, { random }: Timing): number {
  return 100 * 2 ** tried * (0.5 + random() / 2);
}

async function writeOnce(
  tag: string | undefined,
  call: (options: CallOptions) => Promise<Result<unknown>>,
  options: ApiRemoteOptions,
): Promise<WriteAnswer> {
  const result = await paced(() => call(tag === undefined ? {} : { ifMatch: tag }), options);
  if (result.ok) return { kind: 'accepted', tag: result.etag };
  const message = writeFailure(result.error, options.url);
  if (isThrottled(result.error)) return { kind: 'throttled', message };
  if (result.error.kind === 'input') return { kind: 'rejected', message };
  if (result.error.kind !== 'answered') return { kind: 'unsettled', message };
  const { status } = result.error;
  if (status === 412) return { kind: 'changed', message };
  return { kind: status >= 500 || status === 408 ? 'unsettled' : 'rejected', message };
}

/** Nothing is written before it has been read, so the key is valid. */
function writeFailure(error: CallError, url: string): string {
  if (error.kind !== 'answered' || error.status !== 403) return describeFailure(error, url).message;
  const code = error.code === undefined ? '' : ` [${error.code}]`;
  return `the API key may read but not change it: status 403${code}; use a key that may write`;
}

function sendMetadata({ ref, metadata }: Annotation, client: Client, options: CallOptions): Promise<Result<unknown>> {
  const { kind, id, edgeId = '' } = ref;
  const body = { metadata };
  if (kind === 'https-route') return client.edgesHttpsRoutesUpdate({ edge_id: edgeId, id, body }, options);
  return kind === 'tls-edge'
    ? client.edgesTlsUpdate({ id, body }, options)
    : client.edgesTcpUpdate({ id, body }, options);
}

function send({ ref, module, value }: ModuleWrite, client: Client, options: CallOptions): Promise<Result<unknown>> {
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

/** Describes a failed call in one line. Quotes no body: a proxy may return what it was sent, with the API key. */
function describeFailure(error: CallError, url: string): RemoteFailure {
  if (error.kind === 'answered') return answered(error, url);
  if (error.kind === 'malformed') {
    const status = error.status === undefined ? '' : ` (status ${error.status})`;
    const found = isHtml(error) ? 'HTML' : 'something else';
    const message = `${url} did not respond as an Edge Configuration API: expected JSON, found ${found}${status}; check \`url\``;
    return { kind: 'unreachable', message };
  }
  if (error.kind === 'redirected') return { kind: 'rejected', message: redirect(error, url) };
  const host = URL.parse(url)?.host ?? url;
  const certificate = certificateFault(error.cause);
  if (certificate !== undefined) return { kind: 'unreachable', message: `the certificate of ${host} ${certificate}` };
  if (NO_TLS.has(codeOf(error.cause)))
    return {
      kind: 'unreachable',
      message: `${host} does not speak TLS; write \`http://\` in \`url\`, or another port`,
    };
  const proxied = /Proxy response \((\d+)\)/.exec(deepest(error.cause)?.message ?? '')?.[1];
  if (proxied !== undefined) {
    const message = `the proxy does not connect to ${host}: status ${proxied}; check \`HTTPS_PROXY\` and \`NO_PROXY\``;
    return { kind: 'unreachable', message };
  }
  const remedy = isNowhere(error.cause) ? '; check `url`' : '';
  const message = `cannot reach ${host}: ${error.message.replace('no response: ', '')}${remedy}`;
  return { kind: 'unreachable', message };
}

/** Shows no more than the origin: the rest may be made of what was sent. */
function redirect({ status, location }: OtherError, url: string): string {
  const origin = URL.parse(location ?? '')?.origin;
  const target = origin === undefined || origin === URL.parse(url)?.origin ? 'another URL' : origin;
  return `${url} redirects to ${target} (status ${status}), which is not followed; set \`url\` to the API itself`;
}

/** Codes of Node's errors where something else than TLS is spoken. */
const NO_TLS: ReadonlySet<string> = new Set([
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
  'EPROTO',
]);

/** Finds out whether TLS is spoken at a port. */
type SpeaksTls = (host: string, port: number) => Promise<boolean>;

/**
 * Describes a failed call like {@link describeFailure}. Where plain HTTP got no response, or one that is not of the API, finds out whether
 * TLS is spoken at the port.
 */
async function explainFailure(
  error: CallError,
  url: string,
  speaksTls: SpeaksTls = async () => false,
): Promise<RemoteFailure> {
  const failure = describeFailure(error, url);
  const { protocol, hostname = '', port = '', host } = URL.parse(url) ?? {};
  const isOdd = error.kind === 'malformed' || (error.kind === 'network' && !isNowhere(error.cause));
  if (protocol !== 'http:' || !isOdd || !(await speaksTls(hostname, Number(port || 80)))) return failure;
  return { kind: 'unreachable', message: `${host} speaks TLS; write \`https://\` in \`url\`` };
}

/** Returns true if the same request may succeed later. A page of a proxy and a wrong certificate stay. */
function isTemporary(error: CallError): boolean {
  if (error.kind === 'answered') return error.status === 429 || error.status >= 500;
  if (error.kind === 'malformed') {
    const { status = 200 } = error;
    if (status === 429 || status >= 500) return true;
    return status >= 400 ? isCutOff(error) : !isHtml(error);
  }
  if (error.kind !== 'network' && error.kind !== 'timeout') return false;
  return certificateFault(error.cause) === undefined && !NO_TLS.has(codeOf(error.cause));
}

/** Returns true for the beginning of an error of the API, and false for an empty body and what other servers say. */
function isCutOff({ message }: CallError): boolean {
  return message.includes('`{');
}

function isHtml({ message }: CallError): boolean {
  return /`\s*</.test(message);
}

function answered(error: Extract<CallError, { kind: 'answered' }>, url: string): RemoteFailure {
  const { status, message, code } = error;
  const suffix = code === undefined ? '' : ` [${code}]`;
  // The message is not quoted, because it may contain the key.
  if (status === 401 || status === 403) {
    return { kind: 'rejected', message: `${url} rejected the API key: status ${status}${suffix}; check \`apiKey\`` };
  }
  const said = `${message}${suffix}`;
  if (status === 404) return { kind: 'gone', message: said };
  return { kind: status >= 500 || status === 429 ? 'unreachable' : 'rejected', message: `status ${status}: ${said}` };
}

/** What a proxy says is wrapped several times. */
function deepest(error: unknown): Error | undefined {
  if (!(error instanceof Error)) return undefined;
  return error.cause instanceof Error ? deepest(error.cause) : error;
}

function causeOf(error: unknown): Error | undefined {
  if (!(error instanceof Error)) return undefined;
  return error.cause instanceof Error ? error.cause : error;
}

/** Codes of Node's errors for addresses at which there is no server. */
const NOWHERE: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

function isNowhere(error: unknown): boolean {
  return NOWHERE.has(codeOf(error));
}

const CERTIFICATE = /CERT|UNABLE_TO_|SELF_SIGNED|ALTNAME/;

/** Returns what is wrong with a certificate, and what to do; undefined if the error is another. */
function certificateFault(error: unknown): string | undefined {
  const code = codeOf(error);
  if (!CERTIFICATE.test(code)) return undefined;
  if (code.includes('ALTNAME')) return 'is for another host; check `url`';
  // Node adds advice on its own options.
  const [reason = ''] = (causeOf(error)?.message ?? String(error)).split(';');
  if (code === 'CERT_HAS_EXPIRED') return `cannot be verified: ${reason}; renew it`;
  if (code === 'CERT_NOT_YET_VALID') return `cannot be verified: ${reason}; check the clock`;
  return `cannot be verified: ${reason}; set \`caFile\``;
}

function codeOf(error: unknown): string {
  const cause = causeOf(error);
  return cause !== undefined && 'code' in cause ? String(cause.code) : '';
}
