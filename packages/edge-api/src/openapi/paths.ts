import { EXAMPLES } from '../contract/examples.ts';
import { OPERATION_IDS, type OperationId, operationOf, sourceOf, UNSTABLE_OPERATIONS } from '../contract/operations.ts';
import { requestFields, shapeOf } from '../contract/shape-of.ts';
import type { ShapeName } from '../contract/shapes.ts';
import { exampleAnswer } from '../conversion/example-answer.ts';
import { pathParameters } from '../definition/identifiers.ts';
import type { Operation } from '../definition/operation.ts';
import { RECORD_KINDS } from '../definition/record-kinds.ts';
import { WIRE } from '../definition/wire.ts';
import { componentName } from './component-name.ts';
import type { JsonSchema } from './json-schema.ts';
import { tagOf } from './tags.ts';

const UNSTABLE: ReadonlySet<OperationId> = new Set(UNSTABLE_OPERATIONS);

/** Returns every path with its operations. */
export function paths(): Readonly<Record<string, JsonSchema>> {
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
    ...(operation.kind === 'create' ? { 422: has('IdempotencyKeyReused') } : {}),
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
