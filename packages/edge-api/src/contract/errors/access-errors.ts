import { bad, type ErrorFact } from './error-fact.ts';

/** Errors of IP policies, certificate authorities, API keys and reservations (part B 2.6). */
export const ACCESS_ERRORS = {
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
