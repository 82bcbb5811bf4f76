import {
  EXAMPLES,
  exampleId,
  OPERATION_IDS,
  type OperationId,
  operationOf,
  pathParameters,
  type RecordKindName,
  type ShapeName,
} from '@tollgate/edge-api';
import { substituted } from './substitute.ts';

/** A response of the server. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; undefined for an empty one. */
  readonly body: unknown;
}

/** The parts of a request; the key, the version and the content type are added unless headers override them. */
export interface Request {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: unknown;
  /** The raw body, instead of `body`. */
  readonly raw?: string | Buffer;
  /** Null omits a header. */
  readonly headers?: Readonly<Record<string, string | null>>;
}

/** The server under test. */
export interface Server {
  readonly baseUrl: string;
  readonly token: string;
}

/** A server, and functions that create records on it. */
export interface ApiFixture {
  readonly server: Server;
  /** The numbers of all errors so far. */
  readonly answered: ReadonlySet<number>;
  readonly call: (id: OperationId, request?: Request) => Promise<Answer>;
  readonly send: (verb: string, path: string, request?: Request) => Promise<Answer>;
  /** Creates a record of a kind, and returns the parameters for its paths. */
  readonly make: (kind: RecordKindName, body?: object) => Promise<CreatedRecord>;
  /** Returns the example body of an operation, with references to existing records. */
  readonly example: (id: OperationId) => Promise<unknown>;
  /** Returns the identifier of a shared record of a kind. Cases must neither change nor delete it. */
  readonly shared: (kind: RecordKindName) => Promise<string>;
}

/** A created record. */
interface CreatedRecord {
  readonly id: string;
  readonly path: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Returns a fixture on a server. */
export function createApiFixture(server: Server): ApiFixture {
  const shared = new Map<string, Promise<string>>();
  const answered = new Set<number>();
  const noted = async (answer: Promise<Answer>): Promise<Answer> => {
    const { body } = await answer;
    for (const [, number] of JSON.stringify(body ?? {}).matchAll(/ERR_EDGE_(\d+)/g)) answered.add(Number(number));
    return answer;
  };
  const call: ApiFixture['call'] = (id, request = {}) => {
    const { verb, path } = operationOf(id);
    return noted(send(server, verb, filled(path, request.path ?? {}), request));
  };
  const api: ApiFixture = {
    server,
    call,
    answered,
    send: (verb, path, request = {}) => noted(send(server, verb, path, request)),
    make: (kind, body) => make(api, kind, body),
    example: id => substituted(api, EXAMPLES[operationOf(id).request as ShapeName] ?? {}),
    shared: kind => {
      const made = shared.get(kind) ?? make(api, kind).then(({ id }) => id);
      shared.set(kind, made);
      return made;
    },
  };
  return api;
}

function filled(template: string, path: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? `no-${name}`));
}

async function send({ baseUrl, token }: Server, verb: string, path: string, request: Request): Promise<Answer> {
  const body = request.raw ?? (request.body === undefined ? undefined : JSON.stringify(request.body));
  const headers: Record<string, string | null> = {
    authorization: `Bearer ${token}`,
    'service-version': '2',
    'content-type': body === undefined ? null : 'application/json',
    ...request.headers,
  };
  const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== null);
  const response = await fetch(`${baseUrl}${path}${request.query === undefined ? '' : `?${request.query}`}`, {
    method: verb,
    headers: given,
    ...(body === undefined ? {} : { body: Buffer.from(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: text === '' ? undefined : JSON.parse(text) };
}

/** Returns the operation that creates records of a kind. */
export function creationOf(kind: RecordKindName | 'event_source'): OperationId {
  return OPERATION_IDS.find(id => operationOf(id).kind === 'create' && operationOf(id).record === kind)!;
}

async function make(api: ApiFixture, kind: RecordKindName, given?: object): Promise<CreatedRecord> {
  const id = creationOf(kind);
  const { request, path } = operationOf(id);
  const parents = await parentsOf(api, path);
  const example = given ?? unique(kind) ?? PLAIN[kind] ?? EXAMPLES[request as ShapeName] ?? {};
  const answer = await api.call(id, { path: parents, body: await substituted(api, example) });
  if (answer.status !== 201) throw new Error(`${id} answered ${answer.status}: ${answer.text}`);
  const body = answer.body as Readonly<Record<string, unknown>>;
  return { id: String(body.id), path: { ...parents, id: String(body.id) }, body };
}

/** Returns the path parameters besides the record's own identifier. */
export async function parentsOf(api: ApiFixture, path: string): Promise<Readonly<Record<string, string>>> {
  const names = pathParameters(path);
  return {
    ...(names.includes('edge_id') ? { edge_id: (await make(api, 'https_edge')).id } : {}),
    ...(names.includes('subscription_id') ? { subscription_id: (await make(api, 'event_subscription')).id } : {}),
  };
}

/** Returns bodies of records that do not conflict. */
const PLAIN: Readonly<Partial<Record<RecordKindName, object>>> = {
  https_edge: {},
  tls_edge: {},
  tcp_edge: {},
  https_edge_route: { match_type: 'path_prefix', match: '/made' },
  event_subscription: {
    sources: [{ type: 'ip_policy_created.v0' }],
    destination_ids: [exampleId('event_destination')],
  },
  event_destination: { format: 'json', target: { stdout: {} } },
};

/** Returns domains and address ranges that no other record has. */
let made = 0;
function unique(kind: RecordKindName): object | undefined {
  made++;
  if (kind === 'reserved_domain') return { domain: `d${made}.made.example.com` };
  const cidr = `10.${made >> 8}.${made & 255}.0/24`;
  return kind === 'ip_policy_rule' ? { cidr, ip_policy_id: exampleId('ip_policy') } : undefined;
}
