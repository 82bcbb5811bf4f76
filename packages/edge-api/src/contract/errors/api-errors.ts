import { answered, bad, type ErrorFact } from './error-fact.ts';

/** Errors of the API itself: authentication, headers, bodies, queries, identifiers (part B 2.5, 2.6). */
export const API_ERRORS = {
  200: answered(403, 'no Authorization header', "The Authorization header is missing; send 'Bearer <API key>'."),
  201: answered(
    403,
    'the Authorization header has another scheme than Bearer or Basic',
    "The Authorization header must have the scheme 'Bearer' or 'Basic'.",
  ),
  202: answered(403, 'what was given does not look like an API key', "The credential '{value}' is not an API key."),
  203: answered(403, 'the API key is unknown, revoked or expired', 'The API key is not valid.'),
  205: answered(
    403,
    'the API key may not do this',
    "The API key has no permission for this operation; it needs the scope '{expected}'.",
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
  211: bad('a body where none is expected', 'This operation takes no body.'),
  212: bad('the body cannot be read', 'The body cannot be read: {value}.'),
  213: bad('the body is not JSON, or no JSON object', 'The body must be a JSON object: {value}.'),
  214: bad('a field that the operation does not know', "The field '{value}' is unknown; supported are {expected}."),
  215: bad('a value of the wrong type, or out of range', "The field '{field}' must be {expected}, found '{value}'."),
  216: answered(415, 'a body without a content type', "The Content-Type header is missing; send 'application/json'."),
  217: bad('the version is not supported', "The API version '{value}' is not supported; supported is '2'."),
  218: bad('no version header', "The version header '{expected}' is missing; send the value '2'."),
  219: bad('the TLS version is not supported', "The TLS version '{value}' is not supported; supported are {expected}."),
  222: answered(
    404,
    'the identifier in the path is none of this kind of record',
    "The {expected} resource identified by '{value}' could not be found because the identifier is not a valid identifier.",
  ),
  223: bad(
    'a reference that is no identifier of the kind of record expected',
    "The field '{field}' must be the identifier of {expected}, found '{value}'.",
  ),
  224: bad(
    'terminate_at is neither edge nor upstream',
    "The value '{value}' of '{field}' is not supported; supported are {expected}.",
  ),
  225: answered(
    429,
    'too many requests at the same time',
    'Too many requests at the same time: at most {limit} are answered at once.',
  ),
  226: answered(429, 'too many requests', 'Too many requests: the limit is {limit} requests per minute.'),
  227: bad(
    'an identifier with the wrong prefix',
    "The field '{field}' must be the identifier of {expected}, found '{value}'.",
  ),
  228: bad(
    'a reference that is no identifier of a certificate authority',
    "'{value}' in '{field}' is not the identifier of a certificate authority.",
  ),
  229: bad(
    'a reference that is no identifier of an IP policy',
    "'{value}' in '{field}' is not the identifier of an IP policy.",
  ),
  230: bad('the query cannot be parsed', "The query '{value}' cannot be parsed."),
  231: bad(
    'a query parameter that the operation does not know',
    "The query parameter '{value}' is unknown; supported are {expected}.",
  ),
  232: bad('a query parameter given more than once', "The query parameter '{value}' may be given once only."),
  233: bad('the limit is out of range', "The query parameter 'limit' must be from 1 to {limit}, found '{value}'."),
  235: bad(
    'the format of an event destination is not supported',
    "The format '{value}' is not supported; supported is 'json'.",
  ),
  236: bad(
    'the target of an event destination is not valid',
    "The target's field '{field}' must be {expected}, found '{value}'.",
  ),
  238: bad('an event type that does not exist', "The event type '{value}' does not exist."),
  240: bad(
    'the authentication of an event destination is not valid',
    "The field '{field}' of the target's authentication must be {expected}, found '{value}'.",
  ),
  241: bad('a time that is not RFC 3339', "The value '{value}' of '{field}' is no RFC 3339 time."),
  242: bad(
    'a reference that is no identifier of a backend',
    "'{value}' in '{field}' is not the identifier of a backend.",
  ),
  243: bad(
    'an identifier with none of the prefixes expected',
    "The field '{field}' must be the identifier of {expected}, found '{value}'.",
  ),
  244: bad('the limit is not a number', "The query parameter 'limit' must be a whole number, found '{value}'."),
} as const satisfies Record<number, ErrorFact>;
