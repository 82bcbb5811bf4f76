import { OPERATION_IDS, type OperationId, openApiDocument, operationOf, RECORD_KINDS } from '@tollgate/edge-api';
import { type Chance, createChance } from './chance.ts';
import { broken, type Materials, type Schema, valueFor } from './value.ts';

/** A request to send. */
export interface FuzzRequest {
  readonly operation: OperationId;
  readonly verb: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

/** Makes requests, and learns from answers which records there are. */
interface RequestMaker {
  readonly next: () => FuzzRequest;
  readonly learn: (answer: unknown) => void;
}

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly requestBody?: RequestBody }>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface RequestBody {
  readonly content: {
    readonly 'application/json': {
      readonly schema: Schema;
      readonly examples: { readonly usual: { readonly value: unknown } };
    };
  };
}

/** Most identifiers of a kind that are remembered: old ones are of deleted records more often than not. */
const REMEMBERED = 50;

/** What is created must outnumber what is deleted, or nothing would be there to be found. */
const OFTEN: readonly OperationId[] = [
  ...OPERATION_IDS.filter(id => operationOf(id).kind !== 'delete'),
  ...OPERATION_IDS.filter(id => operationOf(id).kind === 'create').flatMap(id => [id, id, id]),
];

/** Requests of the operations of the OpenAPI description, most of them nearly right. */
export function createRequestMaker(seed: number, token: string): RequestMaker {
  const chance = createChance(seed);
  const document: object = openApiDocument();
  const description = document as Described;
  const known = new Map<string, string[]>();
  const materials: Materials = {
    chance,
    schemas: description.components.schemas,
    identifier: pattern => identifier(chance, known, pattern),
  };
  return {
    next: () => {
      const operation = chance.one(chance.is(0.03) ? OPERATION_IDS : OFTEN);
      const { verb, path } = operationOf(operation);
      const { requestBody } = description.paths[path]![verb.toLowerCase()]!;
      const body = requestBody === undefined ? strayBody(chance) : bodyOf(requestBody, materials);
      const target = `${targetOf(operation, chance, known)}${queryOf(operation, chance)}`;
      return { operation, verb, target, headers: headersOf(chance, token, body !== undefined), body };
    },
    learn: answer => learn(known, answer),
  };
}

function identifier(chance: Chance, known: ReadonlyMap<string, readonly string[]>, pattern: string): string {
  const prefixes =
    /^\^\(([a-z|]+)\)/.exec(pattern)?.[1]?.split('|') ?? [...known.keys()].filter(prefix => prefix.startsWith(pattern));
  const prefix = prefixes.length === 0 ? 'bkdsc' : chance.one(prefixes);
  const ids = known.get(prefix) ?? [];
  if (ids.length > 0 && chance.is(0.9)) return chance.one(ids);
  return chance.one([`${prefix}_${'0'.repeat(27)}`, 'nope', '']);
}

function learn(known: Map<string, string[]>, answer: unknown): void {
  const { id, edge_id: edge } = (answer ?? {}) as { readonly id?: unknown; readonly edge_id?: unknown };
  if (typeof id !== 'string') return;
  const prefix = id.slice(0, id.indexOf('_'));
  const ids = known.get(prefix) ?? [];
  // A route is only found through its edge.
  ids.push(typeof edge === 'string' ? `${edge}/${id}` : id);
  if (ids.length > REMEMBERED) ids.shift();
  known.set(prefix, ids);
}

const ODD_PARAMETERS = [
  'nope',
  'x'.repeat(90),
  '%00',
  '%2e%2e',
  '%F0%9F%A7%80',
  '%zz',
  'null',
  'ip_policy_created.v0',
  "'--",
  'a;b',
  '*',
];

function targetOf(id: OperationId, chance: Chance, known: ReadonlyMap<string, readonly string[]>): string {
  const { path, record } = operationOf(id);
  if (path.includes('{edge_id}') && path.includes('{id}')) {
    const [edge, route] = chance.one(known.get('edghtsrt') ?? ['a/b']).split('/') as [string, string];
    return path
      .replace('{edge_id}', chance.is(0.95) ? edge : chance.one(ODD_PARAMETERS))
      .replace('{id}', chance.is(0.95) ? route : chance.one(ODD_PARAMETERS));
  }
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (chance.is(0.1)) return chance.one(ODD_PARAMETERS);
    if (name === 'type') return chance.one(['ip_policy_created.v0', 'https_edge_updated.v0', 'nope.v0']);
    const kind = name === 'edge_id' ? 'https_edge' : name === 'subscription_id' ? 'event_subscription' : record;
    return chance.one(known.get(kind === 'event_source' ? 'esb' : RECORD_KINDS[kind].prefix) ?? ['nope']);
  });
}

const QUERIES = [
  'limit=1',
  'limit=100',
  'limit=0',
  'limit=x',
  'limit=1&limit=2',
  'surprise=1',
  'before_id=nope',
  'beforeId=',
  'limit=%zz',
  '&&=',
  'ids=a,b',
  'limit=1e2',
  'limit=%00',
];

function queryOf(id: OperationId, chance: Chance): string {
  const isList = operationOf(id).kind === 'list';
  // Most lists are short ones: an answer of a hundred records takes longer than all other requests together.
  if (isList && chance.is(0.7)) return `?limit=${1 + chance.below(5)}`;
  return chance.is(isList ? 0.7 : 0.05) ? `?${chance.one(QUERIES)}` : '';
}

const CONTENT_TYPES = [
  'text/plain',
  'application/json; charset=utf-8',
  'application/xml',
  'application/json;',
  'x',
  'multipart/form-data; boundary=a',
];

function headersOf(chance: Chance, token: string, hasBody: boolean): Readonly<Record<string, string>> {
  const headers: Record<string, string> = { authorization: `Bearer ${token}`, 'service-version': '2' };
  if (hasBody) headers['content-type'] = 'application/json';
  if (chance.is(0.01))
    headers.authorization = chance.one(['', 'Bearer', 'Bearer x', 'Basic ???', `bearer  ${token}`, 'Bearer ak_x']);
  if (chance.is(0.01)) headers['service-version'] = chance.one(['', '1', '2, 2', 'two']);
  if (chance.is(0.02)) headers['content-type'] = chance.one(CONTENT_TYPES);
  if (chance.is(0.01)) headers['if-match'] = chance.one(['*', '""', 'x', '"0"', 'W/"1"', '"a", "b"']);
  if (chance.is(0.01)) headers['content-encoding'] = chance.one(['gzip', 'identity', 'x']);
  if (chance.is(0.02)) headers.origin = 'https://page.example';
  return headers;
}

function strayBody(chance: Chance): Buffer | undefined {
  return chance.is(0.02) ? Buffer.from(chance.one(['{}', 'null', '"x"', '{"id":"x"}'])) : undefined;
}

function bodyOf({ content }: RequestBody, materials: Materials): Buffer {
  const { chance } = materials;
  const { schema, examples } = content['application/json'];
  const made = chance.is(0.2) ? withLiveIds(examples.usual.value, materials) : valueFor(schema, materials);
  const text = JSON.stringify(chance.is(0.4) ? broken(made, chance) : made);
  return chance.is(0.05) ? spoilt(text, chance) : Buffer.from(text);
}

/** The example of the description, with identifiers of records that exist. */
function withLiveIds(value: unknown, { identifier: live }: Materials): unknown {
  return JSON.parse(
    JSON.stringify(value).replace(/([a-z]+)_2cSjwFetnYBX2V3aBcDeFgHiJkL/g, (_, prefix: string) => live(`^(${prefix})`)),
  );
}

/** Bytes that are no JSON any more, or other JSON. */
function spoilt(text: string, chance: Chance): Buffer {
  const at = chance.below(text.length);
  return chance.one([
    Buffer.from(text.slice(0, at)),
    Buffer.concat([Buffer.from(text.slice(0, at)), Buffer.from([0xff, 0xfe]), Buffer.from(text.slice(at))]),
    Buffer.from(`\ufeff${text}`),
    Buffer.from(`${text}${text}`),
    Buffer.from(text.replace('{', '{"description":"a","description":5,')),
    Buffer.from(`${'['.repeat(20_000)}`),
    Buffer.from(`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`),
    Buffer.from('NaN'),
    Buffer.alloc(0),
  ]);
}
