// The typed client: a method per operation, with retries and iteration over pages. Failures are values.

import { OPERATION_IDS, type OPERATIONS, type OperationId, operationOf } from './contract/operations.ts';
import type { BodyOf, EntryOf, ResultOf } from './contract/shapes.ts';
import type { Operation } from './definition/operation.ts';
import { WIRE } from './definition/wire.ts';

type Op<I extends OperationId> = (typeof OPERATIONS)[I];

type ParameterOf<P> = P extends `${string}{${infer N}}${infer Rest}` ? N | ParameterOf<Rest> : never;

type QueryOf<I extends OperationId> =
  Op<I> extends { paged: true }
    ? {
        readonly query?: { readonly limit?: number; readonly before_id?: string } & Readonly<
          Record<string, string | number>
        >;
      }
    : unknown;

type BodyInput<I extends OperationId> = [BodyOf<I>] extends [never] ? unknown : { readonly body: BodyOf<I> };

/** The input of an operation: path parameters, query and body. */
export type InputOf<I extends OperationId> = { readonly [K in ParameterOf<Op<I>['path']>]: string } & QueryOf<I> &
  BodyInput<I>;

/** Options of a call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** The `etag` that the change is based on. The server responds with 412 if the record has changed since. */
  readonly ifMatch?: string;
}

/** The ids of operations that return a list. */
export type ListId = { [I in OperationId]: Op<I> extends { listKey: string } ? I : never }[OperationId];

type Methods = {
  readonly [I in OperationId as Uncapitalize<I>]: (
    input: InputOf<I>,
    options?: CallOptions,
  ) => Promise<Result<ResultOf<I>>>;
};

type Iterators = {
  readonly [I in ListId as Uncapitalize<I>]: (
    input: InputOf<I>,
    options?: CallOptions,
  ) => AsyncIterable<Result<EntryOf<I>>>;
};

/**
 * A method for each operation, named like its id with a lower-case first letter. `each` has the list operations as iterators over the
 * records of all pages, which end with the first failure.
 */
export type Client = Methods & { readonly each: Iterators };

/**
 * Creates a client of the Edge Configuration API. Methods return I/O errors and error responses as typed values instead of throwing. Keys
 * of bodies and maps are not converted. Throws a `TypeError` for invalid options.
 */
export function createClient(options: ClientOptions): Client {
  const settings = settingsOf(options);
  const methods = OPERATION_IDS.map(id => {
    const operation = operationOf(id);
    const method = (input: Input = {}, call: CallOptions = {}) => run(settings, operation, input, call);
    return [methodName(id), method] as const;
  });
  const each = OPERATION_IDS.map(operationOf).flatMap((operation, index) => {
    const list = (input: Input = {}, call: CallOptions = {}) =>
      entriesOf(operation, input.query ?? {}, query => run(settings, operation, { ...input, query }, call));
    return operation.listKey === undefined ? [] : [[methodName(OPERATION_IDS[index]!), list] as const];
  });
  // The types of the methods follow from the table of operations.
  return { ...Object.fromEntries<unknown>(methods), each: Object.fromEntries<unknown>(each) } as Client;
}

type Query = Readonly<Record<string, string | number>>;
type Input = { readonly query?: Query; readonly body?: unknown } & Readonly<Record<string, unknown>>;

function methodName(id: OperationId): string {
  return `${id[0]!.toLowerCase()}${id.slice(1)}`;
}

async function run(
  settings: ClientSettings,
  operation: Operation,
  input: Input,
  { signal, ifMatch }: CallOptions,
): Promise<Result<unknown>> {
  const path = pathOf(operation.path, input);
  if (path instanceof Error) return failure('input', path.message);
  if (operation.request !== null && !isSendable(input.body)) {
    return failure('input', '`body` must be an object that can be serialized as JSON');
  }
  const query = new URLSearchParams(
    Object.entries(input.query ?? {}).map(([key, value]): [string, string] => [key, String(value)]),
  );
  const url = `${settings.baseUrl}${path}${query.size > 0 ? `?${query}` : ''}`;
  return send(settings, { operation, url, body: input.body, signal, ifMatch });
}

/** Returns the path with its parameters, or an error for a parameter that is empty or only dots and would address another resource. */
function pathOf(template: string, input: Input): string | Error {
  let wrong: string | undefined;
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = input[name];
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) wrong ??= name;
    return encodeURIComponent(String(value));
  });
  return wrong === undefined
    ? path
    : new Error(`\`${wrong}\` must be an identifier, found \`${String(input[wrong])}\``);
}

function isSendable(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  try {
    JSON.stringify(body);
    return true;
  } catch {
    return false;
  }
}

/** Options of a client. */
export interface ClientOptions {
  /** The URL of the API, with or without a path; a trailing slash is ignored. */
  readonly baseUrl: string;
  /** The API key. */
  readonly token: string;
  /** The header that selects the version; `Service-Version` by default. */
  readonly versionHeader?: string;
  /** The response header with the operation id; `Service-Operation-Id` by default. */
  readonly operationIdHeader?: string;
  /** Sends requests; the platform's `fetch` by default. */
  readonly fetch?: typeof fetch;
  /** The time limit for an attempt in milliseconds; 30,000 by default. */
  readonly timeoutMs?: number;
  /** How often an idempotent request is retried after 429, 5xx or no response; 3 by default. */
  readonly retries?: number;
  /** The maximum delay between attempts in milliseconds, whatever the server asks for; 30,000 by default. */
  readonly maxDelayMs?: number;
  /** Waits between attempts and rejects when aborted; a timer by default. */
  readonly wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** Options with all defaults. */
type ClientSettings = Required<ClientOptions>;

/** Returns the options with defaults. Throws a `TypeError` for an invalid base URL or token. */
function settingsOf(options: ClientOptions): ClientSettings {
  const url = URL.parse(options.baseUrl);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new TypeError(`baseUrl must be an http or https URL, found \`${options.baseUrl}\``);
  }
  if (url.search !== '' || url.hash !== '') throw new TypeError('baseUrl must have neither query nor fragment');
  if (!/^[\x21-\x7e]+$/.test(options.token)) throw new TypeError('token must be visible ASCII without spaces');
  return {
    versionHeader: WIRE.versionHeader,
    operationIdHeader: WIRE.operationIdHeader,
    fetch: globalThis.fetch,
    timeoutMs: 30_000,
    retries: 3,
    maxDelayMs: 30_000,
    wait,
    ...options,
    baseUrl: options.baseUrl.replace(/\/+$/, ''),
  };
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** The result of a call. */
export type Result<T> = Success<T> | Failure;

/** A successful call. */
export interface Success<T> {
  readonly ok: true;
  readonly value: T;
  readonly status: number;
  /** The server's id of the request. */
  readonly operationId: string | undefined;
  /** The state of the record, for `ifMatch` of a later change. */
  readonly etag: string | undefined;
}

/** A failed call. */
export interface Failure {
  readonly ok: false;
  readonly error: CallError;
}

/** Why a call failed. */
export type CallError = AnsweredError | OtherError;

/** An error response of the server. */
export interface AnsweredError {
  readonly kind: 'answered';
  readonly status: number;
  /** The error code, such as `ERR_EDGE_7117`; undefined for errors without a number. */
  readonly code: string | undefined;
  /** The number in the code, independent of the server's prefix. */
  readonly number: number | undefined;
  readonly message: string;
  readonly details: Readonly<Record<string, string>>;
  readonly operationId: string | undefined;
  /** How long the server asks to wait before the next request, in milliseconds; undefined if it does not say. */
  readonly retryAfterMs?: number;
}

/**
 * A call without an error response: no response (`network`, `timeout`), an unexpected response (`malformed`), one that refers to another URL
 * (`redirected`), a call that was `aborted`, or an `input` that cannot be sent.
 */
export interface OtherError {
  readonly kind: 'network' | 'timeout' | 'aborted' | 'malformed' | 'redirected' | 'input';
  readonly message: string;
  readonly cause?: unknown;
  /** The status of a malformed response, or of a redirect. */
  readonly status?: number;
  /** The URL that a redirect refers to, if the platform reveals it. Nothing was sent there. */
  readonly location?: string;
}

/** Returns a failure without an error response of the API. */
function failure(
  kind: OtherError['kind'],
  message: string,
  facts: Pick<OtherError, 'cause' | 'status' | 'location'> = {},
): Failure {
  return { ok: false, error: { kind, message, ...facts } };
}

/** A request that is ready to send. */
interface Call {
  readonly operation: Operation;
  readonly url: string;
  readonly body: unknown;
  readonly signal: AbortSignal | undefined;
  readonly ifMatch: string | undefined;
}

/** An attempt: its result and the delay that the server asks for. */
interface Attempt {
  readonly result: Result<unknown>;
  readonly retryAfterMs: number | undefined;
}

/** Sends a request and retries it where that is safe and may help. */
async function send(settings: ClientSettings, call: Call): Promise<Result<unknown>> {
  for (let tried = 0; ; tried++) {
    const { result, retryAfterMs } = await attempt(settings, call);
    if (result.ok || tried >= settings.retries || !mayRetry(call.operation, result)) return result;
    try {
      await settings.wait(Math.min(retryAfterMs ?? backOff(tried), settings.maxDelayMs), call.signal);
    } catch (cause) {
      return failure('aborted', 'the call was aborted', { cause });
    }
  }
}

const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'PUT', 'DELETE']);

function mayRetry({ verb }: Operation, result: Result<unknown>): boolean {
  if (result.ok || !IDEMPOTENT.has(verb)) return false;
  const { error } = result;
  if (error.kind === 'answered' || error.kind === 'malformed')
    return error.status === 429 || (error.status ?? 0) >= 500;
  return error.kind === 'network' || error.kind === 'timeout';
}

/** Returns an exponential delay from 200 ms, randomized so that clients do not retry in lockstep. */
function backOff(tried: number): number {
  return 200 * 2 ** tried * (0.5 + Math.random() / 2);
}

async function attempt(settings: ClientSettings, call: Call): Promise<Attempt> {
  const timeout = AbortSignal.timeout(settings.timeoutMs);
  const signal = call.signal === undefined ? timeout : AbortSignal.any([call.signal, timeout]);
  try {
    const response = await settings.fetch(call.url, { ...requestOf(settings, call), signal });
    const result = await resultOf(call.operation, response, settings.operationIdHeader);
    return { result, retryAfterMs: retryAfter(response.headers) };
  } catch (cause) {
    return { result: unanswered(cause, call.signal, timeout, settings.timeoutMs), retryAfterMs: undefined };
  }
}

function requestOf({ token, versionHeader }: ClientSettings, { operation, body, ifMatch }: Call): RequestInit {
  const hasBody = operation.request !== null;
  return {
    method: operation.verb,
    redirect: 'manual',
    // What a cache on the way keeps may be out of date.
    cache: 'no-store',
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${token}`,
      [versionHeader]: '2',
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
      ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
    },
    ...(hasBody ? { body: JSON.stringify(body) } : {}),
  };
}

function unanswered(cause: unknown, caller: AbortSignal | undefined, timeout: AbortSignal, ms: number): Result<never> {
  if (caller?.aborted) return failure('aborted', 'the call was aborted', { cause });
  if (timeout.aborted) return failure('timeout', `no response within ${ms} ms`, { cause });
  const reason =
    cause instanceof Error ? ((cause.cause as Error | undefined)?.message ?? cause.message) : String(cause);
  return failure('network', `no response: ${reason}`, { cause });
}

/** Converts an HTTP response to the result of a call. */
async function resultOf(operation: Operation, response: Response, operationIdHeader: string): Promise<Result<unknown>> {
  const { status } = response;
  if (isRedirect(response)) return redirected(response);
  const text = await response.text();
  const operationId = response.headers.get(operationIdHeader) ?? undefined;
  if (!response.ok) return answeredError(text, status, { operationId, retryAfterMs: retryAfter(response.headers) });
  const facts = { status, operationId, etag: response.headers.get('etag') ?? undefined };
  // A server may respond to a deletion with a body, which some clients require.
  if (operation.answer === null) return { ok: true, value: null, ...facts };
  const value = parsed(text);
  if (!isObject(value)) return failure('malformed', `expected a JSON object, found ${shown(text)}`, { status });
  const { listKey } = operation;
  if (listKey !== undefined && !Array.isArray(value[listKey])) {
    return failure('malformed', `expected a list in \`${listKey}\`, found ${shown(text)}`, { status });
  }
  return { ok: true, value, ...facts };
}

/** Browsers reveal neither the status nor the location of a redirect that is not followed. */
function isRedirect({ type, status }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400);
}

/** An API does not redirect, and its key, headers and bodies are for nobody else. */
function redirected({ status, headers, url }: Response): Failure {
  const location = URL.parse(headers.get('location') ?? '', url)?.href;
  const target = location === undefined ? 'another URL' : `\`${location}\``;
  const facts = { status, ...(location !== undefined && { location }) };
  return failure('redirected', `redirected to ${target}, which is not followed; an API does not redirect`, facts);
}

interface HeaderFacts {
  readonly operationId: string | undefined;
  readonly retryAfterMs: number | undefined;
}

function answeredError(text: string, status: number, { operationId, retryAfterMs }: HeaderFacts): Failure {
  const body = parsed(text);
  if (!isObject(body) || typeof body.msg !== 'string') {
    return failure('malformed', `expected an error as JSON with status ${status}, found ${shown(text)}`, { status });
  }
  const code = typeof body.error_code === 'string' ? body.error_code : undefined;
  const number = /\d+$/.exec(code ?? '')?.[0];
  const details = isObject(body.details) ? (body.details as Readonly<Record<string, string>>) : {};
  const error: AnsweredError = {
    kind: 'answered',
    status,
    code,
    number: number === undefined ? undefined : Number(number),
    message: body.msg,
    details,
    operationId: operationId ?? details.operation_id,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
  return { ok: false, error };
}

/** Parses a Retry-After header: seconds or a date (RFC 9110, section 10.2.3). */
function retryAfter(headers: Headers): number | undefined {
  const header = headers.get('retry-after');
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shown(text: string): string {
  if (text === '') return 'an empty body';
  return `\`${text.length > 100 ? `${text.slice(0, 100)}…` : text}\``;
}

type PageQuery = Readonly<Record<string, string | number>>;

/**
 * Yields the records of all pages of a list. Only the query of the next page's URI is used: the server may be reachable at another address
 * than it reports, and the API key must not be sent to a host named in a response. A page that links to itself or to an earlier page ends the
 * iteration with a failure.
 */
async function* entriesOf(
  { listKey }: Operation,
  first: PageQuery,
  page: (query: PageQuery) => Promise<Result<unknown>>,
): AsyncGenerator<Result<unknown>> {
  const seen = new Set<string>();
  let query: PageQuery | undefined = first;
  while (query !== undefined) {
    const result: Result<unknown> = await page(query);
    if (!result.ok) return yield result;
    const body = result.value as Readonly<Record<string, unknown>>;
    for (const value of body[listKey!] as readonly unknown[]) yield { ...result, value };
    const next = body.next_page_uri;
    if (typeof next !== 'string' || next === '') return;
    query = queryOf(next);
    const key = JSON.stringify(query);
    if (query === undefined || seen.has(key))
      return yield failure('malformed', `expected a next page, found \`${next}\``);
    seen.add(key);
  }
}

function queryOf(uri: string): PageQuery | undefined {
  const url = URL.parse(uri, 'http://page.invalid');
  return url === null ? undefined : Object.fromEntries(url.searchParams);
}
