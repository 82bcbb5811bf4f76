/** Properties of the protocol that all operations share (part A 4 and 5, part B 1.1, 2.1). */
export const WIRE = {
  version: '2',
  versionHeader: 'Service-Version',
  operationIdHeader: 'Service-Operation-Id',
  contentType: 'application/json',
  /** 1 to 255 printable ASCII characters. */
  idempotencyKey: /^[ -~]{1,255}$/,
  paging: {
    defaultLimit: 100,
    maxLimit: 100,
    minLimit: 1,
    /** The longest filter in UTF-16 code units: percent-encoded, it fits into the first line of a request. */
    filterLength: 1000,
    parameters: ['before_id', 'limit', 'filter'],
    aliases: { beforeId: 'before_id' },
  },
} as const;

/** Errors without an error code (part B 2.4), including extensions of this server. */
export const PLAIN_ERRORS = {
  'not-found': { status: 404, message: 'Resource not found', source: 'B 2.4' },
  'no-route': { status: 404, message: 'Not Found', source: 'B 1.1' },
  'wrong-method': { status: 405, message: 'Method Not Allowed', source: 'extension' },
  'empty-precondition': {
    status: 400,
    message: "The header 'If-Match' is empty; send an entity tag, or '*' for any.",
    source: 'extension',
  },
  'bad-idempotency-key': {
    status: 400,
    message: "The header 'Idempotency-Key' must have 1 to 255 printable ASCII characters.",
    source: 'extension',
  },
  'idempotency-key-reused': {
    status: 422,
    message: "The header 'Idempotency-Key' was sent with another request before; use a new key for each request.",
    source: 'extension',
  },
  'idempotent-answer-unreadable': {
    status: 422,
    message:
      "The request with this 'Idempotency-Key' was done before, but its response is encrypted with a key that is missing; " +
      'list the records to find what it created, or use a new key to create another.',
    source: 'extension',
  },
  'precondition-failed': { status: 412, message: 'The resource has changed in the meantime.', source: 'extension' },
  'body-too-large': { status: 413, message: 'The body is too large.', source: 'extension' },
  'headers-too-large': { status: 431, message: 'The request headers are too large.', source: 'extension' },
  'other-edge': {
    status: 403,
    message: 'The API key is limited to some edges, and to what belongs to them.',
    source: 'extension',
  },
  'too-many-wrong-keys': {
    status: 429,
    message: 'Too many requests from this address had a wrong API key.',
    source: 'extension',
  },
  internal: { status: 500, message: 'An internal error occurred.', source: 'B 2.5' },
  unavailable: { status: 503, message: 'The service is currently unavailable.', source: 'extension' },
} as const;

/** The body of every error (part B 2.4). */
export interface ErrorBody {
  /** Absent for errors without a number. */
  readonly error_code?: string;
  /** The HTTP status. */
  readonly status_code: number;
  readonly msg: string;
  /** Always strings, because clients decode them as such. Contains `operation_id`, or `path` if no operation matched. */
  readonly details: Readonly<Record<string, string>>;
}

/** Limits on requests: first the documented ones, then those for which the contract has an error but no number, which are chosen here. */
export const LIMITS = {
  descriptionBytes: 255,
  metadataBytes: 4096,
  buckets: 128,
  headersAdded: 5,
  headersRemoved: 5,
  certificateAuthorities: 10,
  weight: 10_000,
  authCheckSeconds: 180,
  inactivitySeconds: 31_536_000,
  issuerBytes: 255,
  page: 100,
  uint32: 4_294_967_295,
  hostports: 100,
  ipPolicies: 100,
  children: 100,
  labels: 50,
  labelKeyBytes: 255,
  labelValueBytes: 255,
  headerNameBytes: 255,
  headerValueBytes: 4096,
  listEntries: 100,
  textBytes: 255,
  secretBytes: 4096,
  selectorBytes: 1024,
  responseBodyBytes: 65_536,
  samlMetadataBytes: 262_144,
  certificateBytes: 65_536,
  policyBytes: 262_144,
  sessionSeconds: 31_536_000,
  destinations: 10,
  nesting: 64,
  routes: 200,
  rulesOfIpPolicy: 1000,
} as const;

/** Providers that sign without a shared secret and must not be given one (part A 2.8, part B 4). */
export const WEBHOOK_PROVIDERS_WITHOUT_SECRET = ['sns'] as const;
