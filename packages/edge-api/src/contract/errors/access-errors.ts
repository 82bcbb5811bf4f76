import { bad, type ErrorFact } from './error-fact.ts';

/** Errors of IP policies, certificate authorities, API keys and reservations (part B 2.6). */
export const ACCESS_ERRORS = {
  446: bad('deletion of a certificate or reservation that is referred to', "'{value}' is in use by {expected}."),
  414: bad('a domain that is reserved already', "The domain '{value}' is reserved already."),
  604: bad(
    'the description of an API key is too long',
    "The field '{field}' has {value} bytes; at most {limit} are allowed.",
  ),
  605: bad(
    'the metadata of an API key are too long',
    "The field '{field}' has {value} bytes; at most {limit} are allowed.",
  ),
  630: bad('an owner that does not exist', "The owner '{value}' in '{field}' does not exist."),
  1402: bad('an IP policy that does not exist', "The IP policy '{value}' in '{field}' does not exist."),
  1405: bad('a field that an IP policy, rule or restriction needs', "The field '{field}' is missing."),
  1406: bad('a range of addresses that is none', "'{value}' is no range of addresses in CIDR form."),
  1408: bad('two rules of an IP policy with the same range', "The IP policy has a rule for '{value}' already."),
  1409: bad(
    'a range that is not given by its lowest address',
    "The range '{value}' must be given by its lowest address: '{expected}'.",
  ),
  1411: bad('too many rules of an IP policy', 'The IP policy has {limit} rules already; no more are allowed.'),
  1413: bad('a range of addresses without a mask', "The range '{value}' has no mask; write '{expected}'."),
  1414: bad(
    'an identifier that is none of an IP policy',
    "'{value}' in '{field}' is not the identifier of an IP policy.",
  ),
  1420: bad('deletion of an IP policy that is referred to', "The IP policy '{value}' is in use by {expected}."),
  1421: bad(
    'a text of an IP policy, rule or restriction is too long',
    "The field '{field}' has {value} bytes; at most {limit} are allowed.",
  ),
  1422: bad('an action that is neither allow nor deny', "The action '{value}' must be one of {expected}."),
  1423: bad('an action on an IP policy', "The field '{value}' belongs to the rules of an IP policy."),
  1910: bad(
    'a certificate without the lines that PEM begins and ends with',
    "The field '{field}' must be PEM, with its first and last line.",
  ),
  1911: bad('PEM that is no certificate', "The field '{field}' must be PEM of a certificate, found '{value}'."),
  1912: bad('more than one certificate', "The field '{field}' must hold one certificate only."),
  1913: bad(
    'a certificate that is not of an authority',
    "The certificate in '{field}' is not of a certificate authority.",
  ),
  1914: bad(
    'the description of a certificate authority is too long',
    "The field '{field}' has {value} bytes; at most {limit} are allowed.",
  ),
  1915: bad(
    'the metadata of a certificate authority are too long',
    "The field '{field}' has {value} bytes; at most {limit} are allowed.",
  ),
  1919: bad('no certificate', "The field '{field}' is missing: the certificate as PEM."),
  1920: bad('a certificate that cannot be parsed', "The certificate in '{field}' cannot be parsed."),
  1921: bad('a certificate that is too large', "The field '{field}' has {value} bytes; at most {limit} are allowed."),
  7019: bad(
    'deletion of a certificate authority that is referred to',
    "The certificate authority '{value}' is in use by {expected}.",
  ),
} as const satisfies Record<number, ErrorFact>;
