// The components of the OpenAPI document: schemas, responses and examples.

import { toAnswer, toStored } from './contract/conversion.ts';
import { ERRORS } from './contract/errors.ts';
import { EXAMPLES, exampleId } from './contract/examples.ts';
import { OPERATION_IDS, operationOf } from './contract/operations.ts';
import { answerFields, type RequestMode, requestFields, type ShapeName, shapeOf } from './contract/shapes.ts';
import type { Field, FieldType, NumberType, TextType } from './definition/field.ts';
import { type Operation, pathOfIdentifier, RECORD_KINDS, type RecordKindName } from './definition/operation.ts';
import { PLAIN_ERRORS, WIRE } from './definition/wire.ts';
import { errorCode } from './validation/faults.ts';

type Use = 'answer' | RequestMode;

/** Returns the schema of every object that operations send or return. */
export function schemas(): Readonly<Record<string, JsonSchema>> {
  const found = new Map<string, JsonSchema>();
  function add(name: string, use: Use): void {
    const component = componentName(name, use);
    if (found.has(component)) return;
    found.set(component, objectSchema(name, use));
    const shape = shapeOf(name);
    const fields = use === 'answer' ? answerFields(shape) : requestFields(shape, use);
    for (const [, field] of fields) {
      const inner = innerShape(field.type);
      if (inner !== undefined)
        add(use === 'answer' ? inner.name : (inner.request ?? inner.name), use === 'answer' ? use : 'whole');
    }
  }
  for (const id of OPERATION_IDS) {
    const { kind, request, answer, listKey, paged } = operationOf(id);
    if (request !== null) add(request, kind === 'update' ? 'update' : 'whole');
    if (answer !== null) add(answer, 'answer');
    if (answer !== null && listKey !== undefined)
      found.set(`${answer}List`, listSchema(answer, listKey, paged === true));
  }
  return { ...Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1))), Error: ERROR };
}

function innerShape(type: FieldType): Extract<FieldType, { kind: 'shape' }> | undefined {
  if (type.kind === 'shape') return type;
  return type.kind === 'list' || type.kind === 'map' ? innerShape(type.of) : undefined;
}

function listSchema(answer: string, listKey: string, paged: boolean): JsonSchema {
  return {
    type: 'object',
    description: 'The list; never null.',
    properties: {
      [listKey]: { type: 'array', items: { $ref: `#/components/schemas/${answer}` } },
      uri: { type: 'string', description: 'URI of the list.' },
      ...(paged
        ? { next_page_uri: { type: ['string', 'null'], description: 'URI of the next page; null on the last page.' } }
        : {}),
    },
    required: [listKey, 'uri', ...(paged ? ['next_page_uri'] : [])],
    additionalProperties: false,
  };
}

const ERROR: JsonSchema = {
  type: 'object',
  description: 'The body of every error.',
  properties: {
    error_code: { type: 'string', description: 'The error code; absent for errors without a number.' },
    status_code: { type: 'integer', minimum: 400, maximum: 599, description: 'The HTTP status.' },
    msg: { type: 'string', description: 'The message, with one line per fault.' },
    details: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description:
        'Strings: `operation_id` identifies the request, `field` is the path of the first invalid field, `faults` lists all faults as JSON.',
    },
  },
  required: ['status_code', 'msg', 'details'],
  additionalProperties: false,
};

const DETAILS = { operation_id: 'op_2cSjwFetnYBX2V3aBcDeFgHiJkL' } as const;

function example(number: keyof typeof ERRORS, msg: string, details: Readonly<Record<string, string>> = {}) {
  const body = {
    error_code: errorCode(number),
    status_code: ERRORS[number].status,
    msg,
    details: { ...DETAILS, ...details },
  };
  return { summary: ERRORS[number].meaning, value: body };
}

function plain(name: keyof typeof PLAIN_ERRORS) {
  const { status, message } = PLAIN_ERRORS[name];
  return { summary: message, value: { status_code: status, msg: message, details: DETAILS } };
}

function response(description: string, examples: JsonSchema, headers: JsonSchema = {}): JsonSchema {
  return {
    description,
    headers: { [WIRE.operationIdHeader]: { $ref: '#/components/headers/OperationId' }, ...headers },
    content: { [WIRE.contentType]: { schema: { $ref: '#/components/schemas/Error' }, examples } },
  };
}

/** The error responses that operations share, one per status. */
export const RESPONSES: Readonly<Record<string, JsonSchema>> = {
  BadRequest: response('The request is invalid; the message says what is wrong and where.', {
    description_too_long: example(7073, "The field 'description' has 300 bytes; at most 255 are allowed.", {
      field: 'description',
    }),
    unknown_field: example(
      214,
      "The field 'hostport' is unknown; supported are 'description', 'metadata', 'hostports'.",
      {
        field: 'hostport',
      },
    ),
    version_missing: example(218, "The version header 'Service-Version' is missing; send the value '2'."),
  }),
  Forbidden: response('The API key is missing, unknown, expired or not permitted to do this.', {
    no_key: example(200, ERRORS[200].message),
    unknown_key: example(203, ERRORS[203].message),
  }),
  NotFound: response('The record does not exist, or the module is not configured.', { not_found: plain('not-found') }),
  PreconditionFailed: response('The record has changed since the state in `If-Match`.', {
    changed: plain('precondition-failed'),
  }),
  TooLarge: response('The body exceeds the size limit of the server.', { too_large: plain('body-too-large') }),
  UnsupportedMediaType: response('The body is not declared as JSON.', {
    missing: example(216, ERRORS[216].message),
    other: example(210, "The content type 'text/plain' is not supported; send 'application/json'."),
  }),
  IdempotencyKeyRefused: response('The `Idempotency-Key` was sent with another request, or its response is lost.', {
    reused: plain('idempotency-key-reused'),
    unreadable: plain('idempotent-answer-unreadable'),
  }),
  TooManyRequests: response(
    'Too many requests per minute or at the same time.',
    { limited: example(226, 'Too many requests: the limit is 120 requests per minute.') },
    { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } },
  ),
  HeadersTooLarge: response('The URL and the headers of the request are too long.', {
    too_large: plain('headers-too-large'),
  }),
  Internal: response('An internal error occurred.', { internal: plain('internal') }),
  Unavailable: response('The service is currently unavailable.', { unavailable: plain('unavailable') }),
};

/** A JSON Schema in the dialect of OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>;

type SchemaUse = 'answer' | RequestMode;

/** Returns the schema of an object. Responses require every field, requests only the required ones. */
function objectSchema(name: string, use: SchemaUse): JsonSchema {
  const shape = shapeOf(name);
  const fields = use === 'answer' ? answerFields(shape) : requestFields(shape, use);
  const required = fields.filter(([, field]) => use === 'answer' || (use === 'whole' && field.required !== undefined));
  return {
    type: 'object',
    description: shape.doc,
    properties: Object.fromEntries(fields.map(([key, field]) => [key, fieldSchema(field, use)])),
    ...(required.length > 0 ? { required: required.map(([key]) => key) } : {}),
    additionalProperties: false,
    ...(shape.extension ? { 'x-extension': true } : {}),
  };
}

function fieldSchema(field: Field, use: SchemaUse): JsonSchema {
  const isHidden = use === 'answer' && field.secret === 'write-only' && field.type.kind === 'map';
  const schema = isHidden ? NULL_VALUES : typeSchema(field.type, use === 'answer' ? 'answer' : 'whole');
  const nullable = use === 'answer' ? field.nullable === true : use === 'update' || field.required === undefined;
  const facts = {
    description: field.doc,
    ...(use === 'whole' && field.default !== undefined ? { default: field.default } : {}),
    ...(field.extension ? { 'x-extension': true } : {}),
    ...(field.secret ? { 'x-secret': field.secret } : {}),
  };
  return { ...(nullable ? orNull(schema) : schema), ...facts };
}

/** A map whose values are secrets. */
const NULL_VALUES: JsonSchema = { type: 'object', additionalProperties: { type: 'null' } };

function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema;
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  return { ...schema, type: [type, 'null'], ...(Array.isArray(values) ? { enum: [...values, null] } : {}) };
}

function typeSchema(type: FieldType, use: 'answer' | 'whole'): JsonSchema {
  switch (type.kind) {
    case 'text':
      return { type: 'string', ...textFacts(type, use) };
    case 'boolean':
      return { type: 'boolean' };
    case 'integer':
    case 'number':
      return { type: type.kind, ...numberBounds(type) };
    case 'list':
      return {
        type: 'array',
        items: typeSchema(type.of, use),
        ...(type.min ? { minItems: type.min.limit } : {}),
        ...(type.max ? { maxItems: type.max.limit } : {}),
        ...(type.unique && use === 'whole' ? { uniqueItems: true } : {}),
      };
    case 'map':
      return {
        type: 'object',
        additionalProperties: typeSchema(type.of, use),
        ...(type.max ? { maxProperties: type.max.limit } : {}),
        ...(type.keys.reference ? { propertyNames: { pattern: identifierPattern(type.keys.reference.kinds) } } : {}),
      };
    case 'shape': {
      const name =
        use === 'answer' ? componentName(type.name, 'answer') : componentName(type.request ?? type.name, 'whole');
      return { $ref: `#/components/schemas/${name}` };
    }
    case 'json':
      return { type: 'object', additionalProperties: true };
  }
}

function numberBounds({ min, max, zeroIsNone }: NumberType): JsonSchema {
  return {
    ...(min ? { minimum: zeroIsNone ? 0 : min.limit } : {}),
    ...(max ? { maximum: max.limit } : {}),
  };
}

/** JSON Schema counts characters and the contract bytes. A string within the byte limit is also within the same limit in characters. */
function textFacts({ maxBytes, oneOf, formats, reference }: TextType, use: 'answer' | 'whole'): JsonSchema {
  const timestamp = formats?.some(({ format }) => format === 'timestamp');
  if (timestamp) return { format: 'date-time' };
  if (oneOf !== undefined && !oneOf.ignoreCase) return { enum: oneOf.values };
  if (reference !== undefined) return { pattern: identifierPattern(reference.kinds) };
  return {
    ...(maxBytes === undefined ? {} : { maxLength: maxBytes.limit }),
    ...(formats?.some(({ format }) => format === 'not-empty') && use === 'whole' ? { minLength: 1 } : {}),
  };
}

function identifierPattern(kinds: readonly string[]): string {
  const prefixes = kinds.map(kind => RECORD_KINDS[kind as RecordKindName].prefix);
  return `^(${prefixes.join('|')})_[0-9A-Za-z]{27}$`;
}

const RECORDS = new Set(
  OPERATION_IDS.flatMap(id => {
    const { kind, request } = operationOf(id);
    return kind === 'create' && request !== null ? [request] : [];
  }),
);

/**
 * Returns the component name of a shape: response schemas have the shape's name, request schemas a suffix. A shape that occurs only in
 * requests keeps its name.
 */
export function componentName(shape: string, use: 'answer' | RequestMode): string {
  if (use === 'answer' || shape.endsWith('AtEdge')) return shape;
  if (use === 'update') return `${shape}Update`;
  return RECORDS.has(shape) ? `${shape}Create` : `${shape}Mutate`;
}

const HOST = 'https://edge.example.com';
const CREATED = '2026-03-01T09:30:00Z';

/** Example values of fields that the service assigns. */
const MADE: Readonly<Partial<Record<ShapeName, Readonly<Record<string, unknown>>>>> = {
  HTTPSEdgeRoute: { edge_id: exampleId('https_edge') },
  EndpointSAML: {
    entity_id: `${HOST}/saml/${exampleId('https_edge_route')}`,
    assertion_consumer_service_url: `${HOST}/saml/${exampleId('https_edge_route')}/acs`,
    single_logout_url: `${HOST}/saml/${exampleId('https_edge_route')}/slo`,
    request_signing_certificate_pem: '-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----\n',
    metadata_url: `${HOST}/saml/${exampleId('https_edge_route')}`,
  },
  CertificateAuthority: {
    subject_common_name: 'Example Authority',
    not_before: '2026-11-21T04:03:18Z',
    not_after: '2126-10-28T04:03:18Z',
    key_usages: ['certSign', 'crlSign'],
    extended_key_usages: [],
  },
  EventSource: { uri: `${HOST}/event_subscriptions/${exampleId('event_subscription')}/sources/ip_policy_updated.v0` },
  EventSubscription: {
    sources: [
      {
        type: 'ip_policy_created.v0',
        uri: `${HOST}/event_subscriptions/${exampleId('event_subscription')}/sources/ip_policy_created.v0`,
      },
    ],
  },
  APIKey: { token: '2cSjwFetnYBX2V3aBcDeFgHiJkL_6Jxvym7aMW1jc41HTLpAc' },
  Endpoint: {
    updated_at: CREATED,
    public_url: 'https://app.example.com',
    proto: 'https',
    hostport: 'app.example.com:443',
  },
  ReservedAddr: { addr: '1.tcp.example.com:20001' },
};

/** Returns the response to an operation's example request; null if the response has no body. */
export function exampleAnswer(operation: Operation): unknown {
  const { answer, kind, listKey, paged } = operation;
  if (answer === null) return null;
  const entry = exampleRecord(operation, answer, kind === 'create');
  if (listKey === undefined) return entry;
  const uri = `${HOST}${operation.path.replace('{subscription_id}', exampleId('event_subscription'))}`;
  return { [listKey]: [entry], uri, ...(paged ? { next_page_uri: null } : {}) };
}

function exampleRecord({ record, field, request }: Operation, answer: string, reveal: boolean): unknown {
  const isRecord = field === undefined && record !== 'event_source';
  const id = isRecord ? exampleId(record) : '';
  const uri = isRecord
    ? RECORD_KINDS[record].path?.replace('{edge_id}', exampleId('https_edge')).replace('{id}', id)
    : '';
  const name = (request ?? answer) as ShapeName;
  const kept = {
    ...toStored(name, 'whole', EXAMPLES[name] ?? {}),
    ...(isRecord ? { id, uri: `${HOST}${uri}`, created_at: CREATED } : {}),
    ...MADE[answer as ShapeName],
  };
  return toAnswer(answer, kept, { reveal, uriOf: one => `${HOST}${pathOfIdentifier(one) ?? ''}` });
}
