import { answered, bad, type ErrorFact } from './error-fact.ts';

/** Errors of the API itself: authentication, headers, bodies, queries, identifiers (part B 2.5, 2.6). */
export const API_ERRORS = {
  200: answered(403, 'no Authorization header', "The Authorization header is missing; send 'Bearer <API key>'."),
  201: answered(
    403,
    'the scheme of the Authorization header is neither Bearer nor Basic',
    "The Authorization header must have the scheme 'Bearer' or 'Basic'.",
  ),
  202: answered(403, 'the credential does not look like an API key', "The credential '{value}' is not an API key."),
  203: answered(403, 'the API key is unknown, revoked or expired', 'The API key is not valid.'),
  205: answered(
    403,
    'the API key does not have the required scope',
    "The API key is not permitted to do this; use a key with the scope '{expected}'.",
  ),
  208: answered(
    403,
    'the id of an API key was given instead of the key',
    "'{value}' is the identifier of an API key, not the key.",
  ),
  210: answered(
    415,
    'the content type is not supported',
    "The content type '{value}' is not supported; send 'application/json'.",
  ),
  211: bad('the operation takes no body', 'This operation takes no body.'),
  212: bad('the body cannot be read', 'The body cannot be read: {value}.'),
  213: bad('the body is not a JSON object', 'The body must be a JSON object: {value}.'),
  214: bad('a field is unknown', "The field '{value}' is unknown; supported are {expected}."),
  215: bad('a value has the wrong type or is out of range', "The field '{field}' must be {expected}, found '{value}'."),
  216: answered(415, 'the body has no content type', "The Content-Type header is missing; send 'application/json'."),
  217: bad('the version is not supported', "The API version '{value}' is not supported; supported is '2'."),
  218: bad('the version header is missing', "The version header '{expected}' is missing; send the value '2'."),
  219: bad('the TLS version is not supported', "The TLS version '{value}' is not supported; supported are {expected}."),
  222: answered(
    404,
    'the identifier in the path has the wrong kind',
    "The {expected} resource identified by '{value}' could not be found because the identifier is not a valid identifier.",
  ),
  223: bad(
    'a reference is not an identifier of the expected kind',
    "The field '{field}' must be the identifier of {expected}, found '{value}'.",
  ),
  224: bad(
    'terminate_at is neither edge nor upstream',
    "The value '{value}' of '{field}' is not supported; supported are {expected}.",
  ),
  225: answered(429, 'too many concurrent requests', 'Too many concurrent requests: the limit is {limit}.'),
  226: answered(429, 'too many requests', 'Too many requests: the limit is {limit} requests per minute.'),
  227: bad(
    'an identifier has the wrong prefix',
    "The field '{field}' must be the identifier of {expected}, found '{value}'.",
  ),
  228: bad(
    'a reference is not the identifier of a certificate authority',
    "'{value}' in '{field}' is not the identifier of a certificate authority.",
  ),
  229: bad(
    'a reference is not the identifier of an IP policy',
    "'{value}' in '{field}' is not the identifier of an IP policy.",
  ),
  230: bad('the query cannot be parsed', "The query '{value}' cannot be parsed."),
  231: bad('a query parameter is unknown', "The query parameter '{value}' is unknown; supported are {expected}."),
  232: bad('a query parameter is given more than once', "The query parameter '{value}' may be given only once."),
  233: bad('the limit is out of range', "The query parameter 'limit' must be from 1 to {limit}, found '{value}'."),
  235: bad(
    'the format of an event destination is not supported',
    "The format '{value}' is not supported; supported is 'json'.",
  ),
  236: bad(
    'the target of an event destination is not valid',
    "The target's field '{field}' must be {expected}, found '{value}'.",
  ),
  238: bad('an event type does not exist', "The event type '{value}' does not exist."),
  240: bad(
    'the authentication of an event destination is not valid',
    "The field '{field}' of the target's authentication must be {expected}, found '{value}'.",
  ),
  241: bad('a time is not RFC 3339', "The value '{value}' of '{field}' is not an RFC 3339 time."),
  242: bad(
    'a reference is not the identifier of a backend',
    "'{value}' in '{field}' is not the identifier of a backend.",
  ),
  243: bad(
    'an identifier has none of the expected prefixes',
    "The field '{field}' must be the identifier of {expected}, found '{value}'.",
  ),
  244: bad('the limit is not a number', "The query parameter 'limit' must be a whole number, found '{value}'."),
  250: bad(
    'a filter is not a valid expression',
    "The query parameter 'filter' is not a valid CEL expression: {value}.",
  ),
  251: bad(
    'the result of a filter is not a boolean',
    "The query parameter 'filter' must be a CEL expression that is true or false, found one that is {value}.",
  ),
} as const satisfies Record<number, ErrorFact>;
