import { ERRORS } from '../contract/errors.ts';
import { OPERATION_IDS, operationOf } from '../contract/operations.ts';
import { answerFields, type RequestMode, requestFields, shapeOf } from '../contract/shape-of.ts';
import type { FieldType } from '../definition/field.ts';
import { PLAIN_ERRORS, WIRE } from '../definition/wire.ts';
import { errorCode } from '../validation/error-body.ts';
import { componentName } from './component-name.ts';
import { type JsonSchema, objectSchema } from './json-schema.ts';

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
  IdempotencyKeyReused: response('The `Idempotency-Key` was sent with another request before.', {
    reused: plain('idempotency-key-reused'),
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
