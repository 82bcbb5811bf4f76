// The OpenAPI document of the contract.

import { EXAMPLES } from './contract/examples.ts';
import { OPERATION_IDS, type OperationId, operationOf, sourceOf, UNSTABLE_OPERATIONS } from './contract/operations.ts';
import { requestFields, type ShapeName, shapeOf } from './contract/shapes.ts';
import { type Operation, pathParameters, RECORD_KINDS } from './definition/operation.ts';
import { WIRE } from './definition/wire.ts';
import { componentName, exampleAnswer, type JsonSchema, RESPONSES, schemas } from './openapi-components.ts';

/** How a server differs from the defaults of the contract. */
export interface DocumentOptions {
  /** Where the API is; `/` unless told. */
  readonly server?: string;
  readonly versionHeader?: string;
}

/** The API's description in OpenAPI 3.1. */
export function openApiDocument({
  server = '/',
  versionHeader = WIRE.versionHeader,
}: DocumentOptions = {}): JsonSchema {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Edge Configuration API',
      version: WIRE.version,
      summary: 'Manages HTTPS, TLS and TCP edges that front upstream applications.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: server }],
    security: [{ apiKey: [] }],
    tags: TAGS,
    paths: paths(),
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `Authorization: Bearer <API key>`.' },
      },
      parameters: parameters(versionHeader),
      headers: HEADERS,
      responses: RESPONSES,
      schemas: schemas(),
    },
  };
}

function parameters(versionHeader: string): JsonSchema {
  const { minLimit, maxLimit, defaultLimit, filterLength } = WIRE.paging;
  return {
    Version: {
      name: versionHeader,
      in: 'header',
      required: true,
      description: 'Version of the API.',
      schema: { type: 'integer', enum: [2], default: 2 },
    },
    BeforeId: {
      name: 'before_id',
      in: 'query',
      description: 'Return records created before the record with this identifier; none if empty.',
      schema: { type: 'string', pattern: `^(?:(?:${prefixes()})_[0-9A-Za-z]{27})?$` },
    },
    Limit: {
      name: 'limit',
      in: 'query',
      description: 'Maximum number of records per page.',
      schema: { type: 'integer', minimum: minLimit, maximum: maxLimit, default: defaultLimit },
    },
    Filter: {
      name: 'filter',
      in: 'query',
      description:
        'A CEL expression; only records for which it is true are returned. `obj` is the record, such as in ' +
        "`obj.description.contains('office')` or `obj.created_at > timestamp(time.now).subtract('7d')`. A record for which it fails does " +
        'not match. A page may have fewer records than the limit, even none, and still be followed by another one.',
      schema: { type: 'string', maxLength: filterLength },
      examples: { old: { value: "obj.created_at < timestamp('2026-01-01T00:00:00Z')" } },
    },
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      description:
        'A unique name for this request (an extension). For 24 hours, a request with the same name, API key and content gets the ' +
        'response to the first one that succeeded, and creates nothing.',
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]([ -~]*[!-~])?$' },
    },
    IfMatch: {
      name: 'If-Match',
      in: 'header',
      description:
        'The `ETag` of the state that the change is based on (an extension). Without it, the change is unconditional.',
      schema: { type: 'string', pattern: '[^\\s,]' },
    },
  };
}

/** The prefixes of identifiers, as alternatives of a pattern. */
function prefixes(): string {
  return Object.values(RECORD_KINDS)
    .map(({ prefix }) => prefix)
    .join('|');
}

const HEADERS: JsonSchema = {
  OperationId: { description: 'Identifier of the request, for support questions.', schema: { type: 'string' } },
  ETag: { description: 'State of the record or module, for `If-Match` (an extension).', schema: { type: 'string' } },
  IdempotentReplayed: {
    description: '`true` if this is the response to an earlier request with the same `Idempotency-Key` (an extension).',
    schema: { type: 'string', enum: ['true'] },
  },
  RetryAfter: { description: 'Seconds to wait before retrying.', schema: { type: 'integer', minimum: 0 } },
};

const UNSTABLE: ReadonlySet<OperationId> = new Set(UNSTABLE_OPERATIONS);

/** Returns every path with its operations. */
function paths(): Readonly<Record<string, JsonSchema>> {
  const found: Record<string, Record<string, unknown>> = {};
  for (const id of OPERATION_IDS) {
    const { path, verb } = operationOf(id);
    found[path] ??= {};
    found[path][verb.toLowerCase()] = operationObject(id);
  }
  return found;
}

function operationObject(id: OperationId): JsonSchema {
  const operation = operationOf(id);
  return {
    operationId: id,
    summary: summaryOf(operation),
    tags: [tagOf(operation)],
    parameters: parametersOf(operation),
    ...(operation.request === null ? {} : { requestBody: requestBody(operation, operation.request) }),
    responses: responsesOf(operation),
    ...(UNSTABLE.has(id) ? { 'x-unstable': true } : {}),
    'x-contract': sourceOf(id),
  };
}

const VERBS: Readonly<Record<Operation['kind'], string>> = {
  create: 'Create',
  get: 'Get',
  list: 'List all of kind:',
  update: 'Update',
  delete: 'Delete',
  'replace-module': 'Replace',
  'get-module': 'Get',
  'delete-module': 'Delete',
};

/** Returns a short description of an operation. */
function summaryOf({ kind, record, field }: Operation): string {
  const noun = record === 'event_source' ? 'event source' : RECORD_KINDS[record].noun;
  const article = /^(?:[aeio]|HTTP)/i.test(noun) && !/^HTTP/.test(noun) ? 'an' : /^HTTP|^IP/.test(noun) ? 'an' : 'a';
  if (field !== undefined) return `${VERBS[kind]} the ${field.replaceAll('_', ' ')} of ${article} ${noun}`;
  return kind === 'list' ? `List every ${noun}` : `${VERBS[kind]} ${article} ${noun}`;
}

function parametersOf(operation: Operation): readonly JsonSchema[] {
  const { path, paged, query } = operation;
  return [
    ...pathParameters(path).map(name => ({
      name,
      in: 'path',
      required: true,
      description: name === 'type' ? 'The event type.' : 'The identifier assigned by the service.',
      schema: { type: 'string' },
    })),
    { $ref: '#/components/parameters/Version' },
    ...(paged
      ? [
          { $ref: '#/components/parameters/BeforeId' },
          { $ref: '#/components/parameters/Limit' },
          { $ref: '#/components/parameters/Filter' },
        ]
      : []),
    ...(query ?? []).map(name => ({
      name,
      in: 'query',
      description: 'Comma-separated values; only matching entries are returned.',
      schema: { type: 'string' },
    })),
    ...(changesRecord(operation) ? [{ $ref: '#/components/parameters/IfMatch' }] : []),
    ...(operation.kind === 'create' ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ];
}

const CHANGING: ReadonlySet<Operation['kind']> = new Set(['update', 'delete', 'replace-module', 'delete-module']);

/**
 * Returns whether an operation changes an existing record and therefore accepts `If-Match`.
 * An event source is part of its subscription, so creating one changes the subscription.
 */
function changesRecord({ kind, record }: Operation): boolean {
  return CHANGING.has(kind) || (kind === 'create' && record === 'event_source');
}

function requestBody({ kind, path }: Operation, request: string): JsonSchema {
  const mode = kind === 'update' ? 'update' : 'whole';
  const names = pathParameters(path).map(name => `\`${name}\``);
  const also = names.length === 0 ? '' : ` The parameters of the path (${names.join(', ')}) may be repeated.`;
  const wrapped = kind === 'replace-module' ? ' The module may be wrapped in `module`.' : '';
  return {
    required: true,
    description: `Null means *not given*.${also}${wrapped}`,
    content: {
      [WIRE.contentType]: {
        schema: { $ref: `#/components/schemas/${componentName(request, mode)}` },
        examples: { usual: { value: exampleRequest(request, mode) } },
      },
    },
  };
}

function exampleRequest(request: string, mode: 'whole' | 'update'): unknown {
  const example = EXAMPLES[request as ShapeName] ?? {};
  const known = new Set(requestFields(shapeOf(request), mode).map(([key]) => key));
  return Object.fromEntries(Object.entries(example).filter(([key]) => known.has(key)));
}

function responsesOf(operation: Operation): JsonSchema {
  const { success, path, request, paged } = operation;
  const has = (name: string) => ({ $ref: `#/components/responses/${name}` });
  return {
    [success]: successOf(operation),
    400: has('BadRequest'),
    403: has('Forbidden'),
    ...(path.includes('{') ? { 404: has('NotFound') } : {}),
    ...(changesRecord(operation) ? { 412: has('PreconditionFailed') } : {}),
    ...(request === null ? {} : { 413: has('TooLarge'), 415: has('UnsupportedMediaType') }),
    ...(operation.kind === 'create' ? { 422: has('IdempotencyKeyRefused') } : {}),
    429: has('TooManyRequests'),
    // Of what a request has before its body, only a filter is long.
    ...(paged ? { 431: has('HeadersTooLarge') } : {}),
    500: has('Internal'),
    503: has('Unavailable'),
  };
}

function successOf(operation: Operation): JsonSchema {
  const { answer, listKey, success } = operation;
  const headers = {
    [WIRE.operationIdHeader]: { $ref: '#/components/headers/OperationId' },
    ...(operation.kind === 'create' && { 'Idempotent-Replayed': { $ref: '#/components/headers/IdempotentReplayed' } }),
  };
  if (answer === null) return { description: 'Deleted; the response has no body.', headers };
  const name = listKey === undefined ? answer : `${answer}List`;
  return {
    description: success === 201 ? 'Created.' : 'Success.',
    headers: listKey === undefined ? { ...headers, ETag: { $ref: '#/components/headers/ETag' } } : headers,
    content: {
      [WIRE.contentType]: {
        schema: { $ref: `#/components/schemas/${name}` },
        examples: { usual: { value: exampleAnswer(operation) } },
      },
    },
  };
}

/** Groups of operations in the documentation. */
const TAGS = [
  { name: 'HTTPS edges', description: 'Edges for HTTPS traffic and their modules.' },
  { name: 'HTTPS edge routes', description: 'Routes of HTTPS edges and their modules.' },
  { name: 'TLS edges', description: 'Edges for TLS traffic and their modules.' },
  { name: 'TCP edges', description: 'Edges for TCP traffic and their modules.' },
  { name: 'Backends', description: 'Upstreams that receive traffic.' },
  { name: 'IP policies', description: 'Access control by source address.' },
  { name: 'Certificate authorities', description: 'Access control by client certificate.' },
  { name: 'Events', description: 'Notifications about changes and their destinations.' },
  { name: 'API keys', description: 'Credentials for this API.' },
  { name: 'Endpoints', description: 'URLs and what serves them.' },
  { name: 'Reservations', description: 'Domains and addresses reserved for edges.' },
] as const;

type Tag = (typeof TAGS)[number]['name'];

const TAG_OF: Readonly<Partial<Record<Operation['record'], Tag>>> = {
  https_edge: 'HTTPS edges',
  https_edge_route: 'HTTPS edge routes',
  tls_edge: 'TLS edges',
  tcp_edge: 'TCP edges',
  ip_policy: 'IP policies',
  ip_policy_rule: 'IP policies',
  ip_restriction: 'IP policies',
  certificate_authority: 'Certificate authorities',
  event_destination: 'Events',
  event_subscription: 'Events',
  event_source: 'Events',
  api_key: 'API keys',
  endpoint: 'Endpoints',
  reserved_addr: 'Reservations',
  reserved_domain: 'Reservations',
};

/** Returns the group of an operation. */
function tagOf({ record }: Operation): Tag {
  return TAG_OF[record] ?? 'Backends';
}
