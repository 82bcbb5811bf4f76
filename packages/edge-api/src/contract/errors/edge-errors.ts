import { bad, type ErrorFact } from './error-fact.ts';

/** Errors of edges, routes and their modules (part B 1.5, 2.6). */
export const EDGE_ERRORS = {
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
