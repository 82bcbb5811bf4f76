/** The number of an error. */
export type ErrorNumber = keyof typeof ERRORS;

/** The default prefix of error codes. */
export const DEFAULT_ERROR_PREFIX = 'ERR_EDGE_';

/** Returns the error with this number, or undefined. */
export function errorFact(number: number): ErrorFact | undefined {
  return (ERRORS as Readonly<Record<number, ErrorFact>>)[number];
}

/** Returns true if the API has an error with this number. */
export function isErrorNumber(number: number): number is ErrorNumber {
  return number in ERRORS;
}

/** Values for the placeholders of an error message. */
export interface MessageParts {
  readonly field?: string;
  readonly value?: string;
  readonly limit?: number | string;
  readonly expected?: string;
  /** Set if the value is missing rather than wrong. */
  readonly isMissing?: true;
}

/** Returns an error message with its placeholders filled in. */
export function errorMessage(number: ErrorNumber, parts: MessageParts = {}): string {
  const { message } = ERRORS[number];
  const given: Readonly<Record<string, unknown>> = { ...parts };
  // Messages that quote the value do not work if it is missing.
  const template = parts.isMissing === true && message.includes('{value}') ? MISSING : message;
  return template.replace(/\{(field|value|limit|expected)\}/g, (_, name: string) => String(given[name] ?? ''));
}

const MISSING = "The field '{field}' is missing; expected {expected}.";

/** An error of the API. */
export interface ErrorFact {
  readonly status: number;
  /** When the error occurs. */
  readonly meaning: string;
  /** The message, with placeholders `{field}`, `{value}`, `{limit}` and `{expected}`. */
  readonly message: string;
}

/** Returns a client error with status 400. */
function bad(meaning: string, message: string): ErrorFact {
  return { status: 400, meaning, message };
}

/** Returns an error with another status. */
function answered(status: number, meaning: string, message: string): ErrorFact {
  return { status, meaning, message };
}

/** Errors of the API itself: authentication, headers, bodies, queries, identifiers (part B 2.5, 2.6). */
const API_ERRORS = {
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

/** Errors of edges, routes and their modules (part B 1.5, 2.6). */
const EDGE_ERRORS = {
  7007: bad('an IP policy of a module does not exist', "The IP policy '{value}' does not exist."),
  7011: bad('the error threshold is not a fraction', "The error threshold '{value}' must be from 0 to 1.0."),
  7013: bad(
    'too many IP policies in a module',
    "The field '{field}' has {value} IP policies; at most {limit} are allowed.",
  ),
  7015: bad('too many headers in a module', "The field '{field}' has {value} headers; at most {limit} are allowed."),
  7016: bad('the tripped duration is 0', "The tripped duration '{value}' must be greater than 0."),
  7017: bad('the rolling window is 0', "The rolling window '{value}' must be greater than 0."),
  7018: bad('the number of buckets is out of range', "The number of buckets '{value}' must be from 1 to 128."),
  7023: bad(
    'the name of a header is not valid, or the header may not be changed',
    "The header name '{value}' in '{field}' is not valid or may not be changed.",
  ),
  7024: bad(
    'the value of a header is not valid',
    "The header value '{value}' in '{field}' contains characters that are not allowed.",
  ),
  7025: bad('a module without an IP policy', "The field '{field}' must contain at least one IP policy."),
  7026: bad(
    'a secret is given for a provider that takes none',
    "The provider '{expected}' takes no secret; leave '{field}' out.",
  ),
  7027: bad('a provider that needs a secret has none', "The provider '{expected}' needs a secret in '{field}'."),
  7029: bad('the webhook provider is missing', "The field '{field}' is missing: the webhook provider."),
  7030: bad(
    'an unknown webhook provider',
    "The webhook provider '{value}' is not supported; supported are {expected}.",
  ),
  7032: bad(
    'a TLS parameter is set although the service does not terminate TLS',
    "The field '{field}' must be null when TLS is terminated at '{expected}', found '{value}'.",
  ),
  7033: bad(
    'only one of client_id and client_secret is given',
    "The field '{field}' is given without '{expected}'; both must be given or neither.",
  ),
  7034: bad(
    "scopes are given without the caller's own OAuth application",
    "The field '{field}' may be set only with both 'client_id' and 'client_secret'.",
  ),
  7035: bad(
    'the interval of authorization checks is too short',
    "The interval '{value}' in '{field}' must be at least {limit} seconds.",
  ),
  7036: bad('more than one identity provider', "Exactly one identity provider must be given, found '{value}'."),
  7037: bad('no identity provider', "An identity provider must be given in '{field}': one of {expected}."),
  7039: bad('an email domain is not valid', "The email domain '{value}' is not valid."),
  7040: bad('a GitHub team is malformed', "The team '{value}' must have the form 'org_slug/team_slug' or be a number."),
  7042: bad(
    'a cookie prefix contains characters other than letters, digits and periods',
    "The cookie prefix '{value}' may contain only letters, digits and periods.",
  ),
  7043: bad('an email address is not valid', "The email address '{value}' is not valid."),
  7046: bad('an email address is given twice', "The email address '{value}' is given more than once."),
  7047: bad('an email domain is given twice', "The email domain '{value}' is given more than once."),
  7048: bad('a team is given twice', "The team '{value}' is given more than once."),
  7049: bad('an organization is given twice', "The organization '{value}' is given more than once."),
  7051: bad('an empty email address', "The field '{field}' must not be empty."),
  7052: bad('an empty email domain', "The field '{field}' must not be empty."),
  7053: bad('an empty team or scope', "The field '{field}' must not be empty."),
  7054: bad('an empty organization', "The field '{field}' must not be empty."),
  7056: bad('too many OAuth scopes', "The field '{field}' has {value} scopes; at most {limit} are allowed."),
  7057: bad('too many teams', "The field '{field}' has {value} teams; at most {limit} are allowed."),
  7058: bad('too many organizations', "The field '{field}' has {value} organizations; at most {limit} are allowed."),
  7060: bad(
    'too many email addresses',
    "The field '{field}' has {value} email addresses; at most {limit} are allowed.",
  ),
  7061: bad('too many email domains', "The field '{field}' has {value} email domains; at most {limit} are allowed."),
  7067: bad('an email address that is not in lower case', "The email address '{value}' must be in lower case."),
  7068: bad('an email domain that is not in lower case', "The email domain '{value}' must be in lower case."),
  7069: bad('the same header twice in different case', "The header '{value}' is given more than once in '{field}'."),
  7072: bad(
    'a certificate authority of a module does not exist',
    "The certificate authority '{value}' does not exist.",
  ),
  7073: bad(
    'the description of an edge or route is too long',
    "The field '{field}' has {value} bytes; at most {limit} are allowed.",
  ),
  7074: bad(
    'the metadata of an edge or route is too long',
    "The field '{field}' has {value} bytes; at most {limit} are allowed.",
  ),
  7075: bad(
    'too many certificate authorities',
    "The field '{field}' has {value} certificate authorities; at most {limit} are allowed.",
  ),
  7079: bad(
    'more than one of OAuth, OIDC and SAML on a route',
    "A route may have one of the modules oauth, oidc and saml enabled, found '{value}'.",
  ),
  7080: bad('the SAML metadata is too large', "The field '{field}' has {value} bytes; at most {limit} are allowed."),
  7081: bad('no SAML metadata', "The field '{field}' is missing: the identity provider's metadata."),
  7083: bad(
    'the SAML metadata is not an EntityDescriptor',
    "The field '{field}' must be an XML EntityDescriptor, found '{value}'.",
  ),
  7087: bad(
    'an OIDC issuer is too long or not a URL',
    "The field '{field}' must be a URL of at most 255 bytes, found '{value}'.",
  ),
  7088: bad('no OIDC issuer', "The field '{field}' is missing: the issuer."),
  7089: bad('no OIDC client id', "The field '{field}' is missing: the client id."),
  7090: bad('no OIDC client secret', "The field '{field}' is missing: the client secret."),
  7092: bad(
    'an inactivity timeout of more than a year',
    "The inactivity timeout '{value}' must be at most {limit} seconds.",
  ),
  7104: bad('a hostport is malformed', "The hostport '{value}' must have the form 'host:port'."),
  7107: bad(
    'a SendGrid secret is not a public key',
    "The field '{field}' must be a base64-encoded ECDSA public key of the curve P-256.",
  ),
  7105: bad(
    'the name of a header is too long',
    "The header name in '{field}' has {value} bytes; at most {limit} are allowed.",
  ),
  7106: bad(
    'the value of a header is too long',
    "The header value in '{field}' has {value} bytes; at most {limit} are allowed.",
  ),
  7109: bad('terminate_at for an HTTPS edge', "HTTPS edges always terminate TLS at the edge; leave '{value}' out."),
  7110: bad(
    "an identifier in the body or path differs from the record's",
    "The identifier '{value}' in '{field}' is not '{expected}'.",
  ),
  7112: bad('a port out of range', "The port of '{value}' must be from 1 to 65535."),
  7114: bad('a hostport of a TCP edge is not a reserved address', "The address '{value}' is not reserved."),
  7116: bad('a domain has a port other than 443', "The hostport '{value}' must have the port 443."),
  7117: bad('the domain of a hostport is not reserved', "The domain '{value}' is not reserved."),
  7122: bad('a hostport is already in use by an edge', "The hostport '{value}' is already in use by an edge."),
  7123: bad('a route has no match', "The field '{field}' is missing: what the route matches."),
  7126: bad('two routes of an edge have the same match', "The edge already has a route that matches '{value}'."),
  7128: bad('too many routes', 'The edge already has {limit} routes, the maximum.'),
  7129: bad('too many hostports', "The field '{field}' has {value} hostports; at most {limit} are allowed."),
  7130: bad('a match_type that does not exist', "The field '{field}' must be one of {expected}, found '{value}'."),
  7131: bad(
    'a match is not a valid selector',
    "The match '{value}' must be a path, a host, or a host followed by a path.",
  ),
  7134: bad(
    'a sign-on module is on a route without a path match',
    "The module '{value}' requires a route that matches a path.",
  ),
  7135: bad('a match that is too long', "The field '{field}' has {value} bytes; at most {limit} are allowed."),
  7136: bad(
    'the OAuth cookie prefix is too long',
    "The field '{field}' has {value} bytes; at most {limit} are allowed.",
  ),
  7137: bad('the OAuth client id is too long', "The field '{field}' has {value} bytes; at most {limit} are allowed."),
  7138: bad(
    'the OAuth client secret is too long',
    "The field '{field}' has {value} bytes; at most {limit} are allowed.",
  ),
  7139: bad('an email address is too long', "The field '{field}' has {value} bytes; at most {limit} are allowed."),
  7140: bad('an email domain is too long', "The field '{field}' has {value} bytes; at most {limit} are allowed."),
  7141: bad('an OAuth scope is too long', "The field '{field}' has {value} bytes; at most {limit} are allowed."),
  7143: bad('a team is too long', "The field '{field}' has {value} bytes; at most {limit} are allowed."),
  7145: bad('an organization is too long', "The field '{field}' has {value} bytes; at most {limit} are allowed."),
  7148: bad('the OIDC client id is too long', "The field '{field}' has {value} bytes; at most {limit} are allowed."),
  7149: bad(
    'the OIDC client secret is too long',
    "The field '{field}' has {value} bytes; at most {limit} are allowed.",
  ),
  7150: bad('too many OIDC scopes', "The field '{field}' has {value} scopes; at most {limit} are allowed."),
  7151: bad('an OIDC scope is too long', "The field '{field}' has {value} bytes; at most {limit} are allowed."),
  7153: bad(
    'the OIDC cookie prefix is too long',
    "The field '{field}' has {value} bytes; at most {limit} are allowed.",
  ),
  7154: bad(
    'the secret of a webhook provider is too long',
    "The field '{field}' has {value} bytes; at most {limit} are allowed.",
  ),
  7155: bad(
    'more than one route of an edge has a sign-on module',
    "Another route of the edge already signs users on: '{value}'.",
  ),
  7158: bad(
    'the interval of authorization checks is too long',
    "The interval '{value}' in '{field}' must be at most {limit} seconds.",
  ),
  7161: bad('the OAuth session is too long', "The duration '{value}' in '{field}' must be at most {limit} seconds."),
  7162: bad('the OIDC session is too long', "The duration '{value}' in '{field}' must be at most {limit} seconds."),
  7164: bad(
    'a removed header has no replacement',
    "The header '{value}' cannot be removed without a replacement; add it as well.",
  ),
  1693: bad(
    'a name identifier format is not supported',
    "The name identifier format '{value}' is not supported; supported are {expected}.",
  ),
  1694: bad(
    'mutual TLS is configured although the service does not terminate TLS',
    "Mutual TLS requires TLS to be terminated at the edge, found '{value}'.",
  ),
} as const satisfies Record<number, ErrorFact>;

/** Errors of traffic policies (part B 2.6). */
const POLICY_ERRORS = {
  2200: bad('an expression does not compile', "The expression at '{field}' is not valid: {value}"),
  2201: bad('an action type is unknown', "The action type at '{field}' does not exist: {value}"),
  2202: bad(
    'an action is not supported in the phase',
    "The action at '{field}' is not supported in this phase: {value}",
  ),
  2203: bad('the configuration of an action cannot be decoded', "The configuration at '{field}' is not valid: {value}"),
  2204: bad('a configuration value is not allowed', "The value at '{field}' is not valid: {value}"),
  2205: bad(
    'an action is not supported for the protocol',
    "The action at '{field}' is not supported for this endpoint: {value}",
  ),
  2206: bad('a rule has no action', "The rule must have at least one action in '{field}'."),
  2207: bad('an action follows a terminating action', "The action at '{field}' is unreachable: {value}"),
  2208: bad('the name of a header is too long', "The name of the header at '{field}' is too long: {value}"),
  2209: bad('the value of a header is too long', "The value of the header at '{field}' is too long: {value}"),
  2210: bad('the name of a header is not valid', "The name of the header at '{field}' is not valid: {value}"),
  2211: bad('the value of a header is not valid', "The value of the header at '{field}' is not valid: {value}"),
  2212: bad('too many header values', "There are too many header values in '{field}': {value}"),
  2213: bad('a template is not valid', "The template at '{field}' is not valid: {value}"),
  2214: bad('an unknown compression algorithm', "The compression algorithm at '{field}' is not supported: {value}"),
  2215: bad('a number is out of range', "The number at '{field}' is out of range: {value}"),
  2216: bad('an IP policy reference is malformed', "The IP policy at '{field}' is not valid: {value}"),
  2217: bad('an address range is not valid', "The address range at '{field}' is not valid: {value}"),
  2218: bad('too many entries', "There are too many entries in '{field}': {value}"),
  2219: bad('a field cannot be configured by users', "The field at '{field}' cannot be configured: {value}"),
  2221: bad('a string is too long', "The string at '{field}' is too long: {value}"),
  2222: bad('a value is not one of the valid choices', "The value at '{field}' is not supported: {value}"),
  2223: bad('a value is empty', "The value at '{field}' must not be empty: {value}"),
  2224: bad(
    'an interpolated expression is not valid',
    "The interpolated expression at '{field}' is not valid: {value}",
  ),
  2225: bad('a duration exceeds the limit', "The duration at '{field}' is too long: {value}"),
  2226: bad('a value is not a URL', "The value at '{field}' is not a URL: {value}"),
  2228: bad('a field cannot be parsed', "The value at '{field}' cannot be parsed: {value}"),
  2230: bad('the protocol does not have the phase', "The phase at '{field}' is not valid for this endpoint: {value}"),
  2231: bad('duplicate values', "The values in '{field}' must be unique: {value}"),
  2234: bad('a required element is missing', "A required element is missing in '{field}': {value}"),
  2235: bad(
    'a policy is not guaranteed to handle all traffic',
    "The policy in '{field}' does not handle all traffic: {value}",
  ),
  2236: bad('a policy cannot be parsed, or is too large', "The policy in '{field}' cannot be parsed: {value}"),
  2237: bad('a string is too short', "The string at '{field}' is too short: {value}"),
  2238: bad('an interpolated expression cannot be resolved', "The expression at '{field}' cannot be resolved: {value}"),
  2239: bad(
    'more than one authentication action',
    "The endpoint has more than one authentication action, at '{field}': {value}",
  ),
  2240: bad('an element that another one requires is missing', "The value at '{field}' requires another one: {value}"),
  2242: bad('a domain is not valid punycode', "The domain at '{field}' is not valid punycode: {value}"),
  2243: bad('a value is not a domain', "The value at '{field}' is not a domain: {value}"),
  2244: bad('too many query parameters', "There are too many query parameters in '{field}': {value}"),
  2245: bad(
    'the key of a query parameter that is too long',
    "The key of the query parameter at '{field}' is too long: {value}",
  ),
  2246: bad(
    'the value of a query parameter that is too long',
    "The value of the query parameter at '{field}' is too long: {value}",
  ),
  2248: bad('`on_tcp_connect` is used on an HTTPS edge', "HTTPS edges do not support the phase at '{field}': {value}"),
  2250: bad('variables are nested too deeply', "The variables at '{field}' are nested too deeply: {value}"),
  2252: bad(
    'variables that are not a list of maps with one entry each',
    "The variables at '{field}' must be a list of maps with one entry each: {value}",
  ),
  2255: bad('too many variables', "There are too many variables in '{field}': {value}"),
  2257: bad('a user name violates RFC 7617', "The user name at '{field}' is not valid: {value}"),
  2258: bad('a password violates RFC 7617', "The password at '{field}' is not valid: {value}"),
  2261: bad('a pattern is not a regular expression', "The pattern at '{field}' is not valid: {value}"),
  2262: bad(
    '`on_tcp_connect` is used on an internal HTTP endpoint',
    "Internal HTTP endpoints do not support the phase at '{field}': {value}",
  ),
  2264: bad('too many rules', "The policy in '{field}' has too many rules: {value}"),
  2265: bad('too many actions or expressions in a rule', "The rule at '{field}' is too large: {value}"),
  2266: bad('more than one `ai-gateway`', "The policy has more than one AI gateway, at '{field}': {value}"),
  2267: bad(
    'keys are configured for a standard provider',
    "The provider at '{field}' does not support keys here: {value}",
  ),
  9027: bad(
    'the check of a policy exceeds the time or memory of the server',
    'The policy is too expensive to check: {value}; split it, or simplify its expressions.',
  ),
  9028: bad(
    'a policy in both of its forms',
    "The fields '{value}' are two forms of the same policy; send one of them.",
  ),
  9026: bad('a policy is not valid', 'The policy is not valid: {value}'),
} as const satisfies Record<number, ErrorFact>;

/** Errors of IP policies, certificate authorities, API keys and reservations (part B 2.6). */
const ACCESS_ERRORS = {
  446: bad('a deleted certificate or reservation is in use', "'{value}' is in use by {expected}."),
  414: bad('the domain is already reserved', "The domain '{value}' is already reserved."),
  604: bad(
    'the description of an API key is too long',
    "The field '{field}' has {value} bytes; at most {limit} are allowed.",
  ),
  605: bad(
    'the metadata of an API key is too long',
    "The field '{field}' has {value} bytes; at most {limit} are allowed.",
  ),
  630: bad('an owner that does not exist', "The owner '{value}' in '{field}' does not exist."),
  1402: bad('an IP policy that does not exist', "The IP policy '{value}' in '{field}' does not exist."),
  1405: bad('a field that an IP policy, rule or restriction needs', "The field '{field}' is missing."),
  1406: bad('an address range is malformed', "'{value}' is not a valid address range in CIDR notation."),
  1408: bad('two rules of an IP policy with the same range', "The IP policy already has a rule for '{value}'."),
  1409: bad(
    'an address range has host bits set',
    "The range '{value}' must start at its lowest address; write '{expected}'.",
  ),
  1411: bad('too many rules of an IP policy', 'The IP policy already has {limit} rules, the maximum.'),
  1413: bad('an address range has no prefix length', "The range '{value}' has no prefix length; write '{expected}'."),
  1414: bad(
    'a string is not the identifier of an IP policy',
    "'{value}' in '{field}' is not the identifier of an IP policy.",
  ),
  1420: bad('a deleted IP policy is in use', "The IP policy '{value}' is in use by {expected}."),
  1421: bad(
    'a string of an IP policy, rule or restriction is too long',
    "The field '{field}' has {value} bytes; at most {limit} are allowed.",
  ),
  1422: bad('an action is neither allow nor deny', "The action '{value}' must be one of {expected}."),
  1423: bad('an action on an IP policy', "The field '{value}' belongs to the rules of an IP policy."),
  1910: bad(
    'a certificate has no PEM header and footer',
    "The field '{field}' must be PEM with its BEGIN and END lines.",
  ),
  1911: bad('PEM does not contain a certificate', "The field '{field}' must be a certificate in PEM, found '{value}'."),
  1912: bad('more than one certificate', "The field '{field}' must contain only one certificate."),
  1913: bad(
    'a certificate does not belong to a certificate authority',
    "The certificate in '{field}' does not belong to a certificate authority.",
  ),
  1914: bad(
    'the description of a certificate authority is too long',
    "The field '{field}' has {value} bytes; at most {limit} are allowed.",
  ),
  1915: bad(
    'the metadata of a certificate authority is too long',
    "The field '{field}' has {value} bytes; at most {limit} are allowed.",
  ),
  1919: bad('the certificate is missing', "The field '{field}' is missing: the certificate in PEM."),
  1920: bad('a certificate that cannot be parsed', "The certificate in '{field}' cannot be parsed."),
  1921: bad('a certificate that is too large', "The field '{field}' has {value} bytes; at most {limit} are allowed."),
  7019: bad(
    'a deleted certificate authority is in use',
    "The certificate authority '{value}' is in use by {expected}.",
  ),
} as const satisfies Record<number, ErrorFact>;

/** Errors of backends (part B 2.6). */
const BACKEND_ERRORS = {
  6501: bad('a backend is missing or does not exist', "The backend '{value}' in '{field}' does not exist."),
  6502: bad('a deleted backend is in use', "The backend '{value}' is in use by {expected}."),
  6503: bad(
    'the description of a backend is too long',
    "The field '{field}' has {value} bytes; at most {limit} are allowed.",
  ),
  6504: bad(
    'the metadata of a backend is too long',
    "The field '{field}' has {value} bytes; at most {limit} are allowed.",
  ),
  6505: bad('a static backend without an address', "The field '{field}' must be an address of the form 'host:port'."),
  6506: bad('the address of a static backend is not valid', "The address '{value}' must have the form 'host:port'."),
  6507: bad('the port of a static backend is out of range', "The port of '{value}' must be from 1 to 65535."),
  6508: bad('too many labels', "The field '{field}' has {value} labels; at most {limit} are allowed."),
  6509: bad('the name of a label is too long', "The field '{field}' has {value} bytes; at most {limit} are allowed."),
  6510: bad('the value of a label is too long', "The field '{field}' has {value} bytes; at most {limit} are allowed."),
  6511: bad(
    'too many backends in a weighted backend',
    "The field '{field}' has {value} backends; at most {limit} are allowed.",
  ),
  6512: bad('a weight is out of range', "The weight '{value}' in '{field}' must be from 0 to 10000."),
  6513: bad(
    'too many backends in a failover backend',
    "The field '{field}' has {value} backends; at most {limit} are allowed.",
  ),
  6516: bad(
    'the body of an HTTP response backend is too long',
    "The field '{field}' has {value} bytes; at most {limit} are allowed.",
  ),
  6517: bad('the status of an HTTP response backend is not valid', "The status '{value}' must be from 100 to 599."),
  6522: bad(
    'the name of a header of an HTTP response backend is too long',
    "The field '{field}' has {value} bytes; at most {limit} are allowed.",
  ),
  6523: bad(
    'the value of a header of an HTTP response backend is too long',
    "The field '{field}' has {value} bytes; at most {limit} are allowed.",
  ),
  6524: bad(
    'a weighted backend contains a backend of the wrong kind',
    "A weighted backend may not contain '{value}'; use {expected}.",
  ),
  6525: bad(
    'a failover backend contains a backend of the wrong kind',
    "A failover backend may not contain '{value}'; use {expected}.",
  ),
} as const satisfies Record<number, ErrorFact>;

/** Errors of event subscriptions and destinations (part B 2.6). */
const EVENT_ERRORS = {
  5100: bad('an event destination has no target', "Exactly one target must be given in '{field}': one of {expected}."),
  5103: bad('a destination that does not exist', "The event destination '{value}' does not exist."),
  5104: bad('an ARN does not identify a role', "'{value}' is not the ARN of a role."),
  5107: bad(
    'a target has no authentication',
    "Exactly one authentication method must be given in '{field}': one of {expected}.",
  ),
  5108: bad('an update changes the kind of a target', "The target's kind '{value}' cannot be changed to '{expected}'."),
  5112: bad('a deleted destination is in use', "The event destination '{value}' is in use by {expected}."),
  5115: bad('more than one target', "Exactly one target must be given, found '{value}'."),
  5116: bad('more than one authentication method', "Exactly one authentication method must be given, found '{value}'."),
  5120: bad('an ARN that is too long', "The field '{field}' has {value} bytes; at most {limit} are allowed."),
  5126: bad('too many sources', "The field '{field}' has {value} sources; at most {limit} are allowed."),
  5127: bad('a source twice', "The subscription already has the source '{value}'."),
  5129: bad('an ARN does not belong to the service', "'{value}' in '{field}' is not an ARN of {expected}."),
  5131: bad('too many destinations', "The field '{field}' has {value} destinations; at most {limit} are allowed."),
  5133: bad('the Datadog API key is missing', "The field '{field}' is missing: the Datadog API key."),
  5136: bad(
    'a field of the Azure target is missing or too long',
    "The field '{field}' must be given, with at most 255 bytes.",
  ),
  5137: bad(
    'the address of the Azure target is not a URL',
    "The field '{field}' must be a URL with the scheme https, found '{value}'.",
  ),
} as const satisfies Record<number, ErrorFact>;

/** Every error of the API, by its number. */
export const ERRORS = {
  ...API_ERRORS,
  ...EDGE_ERRORS,
  ...POLICY_ERRORS,
  ...BACKEND_ERRORS,
  ...ACCESS_ERRORS,
  ...EVENT_ERRORS,
} as const satisfies Record<number, ErrorFact>;
