import { RECORD_KINDS } from '../definition/record-kinds.ts';
import { WIRE } from '../definition/wire.ts';
import { RESPONSES, schemas } from './components.ts';
import type { JsonSchema } from './json-schema.ts';
import { paths } from './paths.ts';
import { TAGS } from './tags.ts';

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
