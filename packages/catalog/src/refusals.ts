/** A documented reason for which the service rejects a policy. */
export interface RefusalFact {
  /** The vendor's error code, without its prefix. */
  readonly number: number;
  /** Completes "refused when …". */
  readonly when: string;
  /** Codes of diagnostics that predict the refusal; `area/*` covers every code of an area without an entry of its own. */
  readonly codes: readonly string[];
  /** Why the refusal cannot be predicted, or not always. */
  readonly limits?: string;
}

const ACCOUNT = 'only the service knows the account';

/** Every documented refusal of a policy, by number, from the vendor's documentation as of 2026-08-07. */
export const REFUSALS: readonly RefusalFact[] = [
  refusal(
    2200,
    'an expression is invalid',
    'syntax/* name/* type/* regex/* policy/unquoted-expression phase/variable-unavailable phase/function-unavailable endpoint/variable-unavailable endpoint/function-unavailable',
  ),
  refusal(2201, 'the type of an action is unknown', 'policy/unknown-action'),
  refusal(2202, 'an action is not supported in the phase', 'phase/action-unavailable'),
  refusal(
    2203,
    'the configuration of an action cannot be decoded',
    'config/unknown-key config/wrong-type config/colon-in-text',
  ),
  refusal(
    2204,
    'a value of the configuration is invalid',
    'config/* config/bad-shape phase/config-unavailable endpoint/config-unavailable',
  ),
  refusal(2205, 'an action is not supported for the protocol', 'endpoint/action-unavailable'),
  refusal(2206, 'a rule has no action', 'policy/empty-actions'),
  refusal(2207, 'an action follows a terminating action', 'policy/unreachable-action'),
  refusal(2208, 'the name of a header is too long', 'config/too-long', unpublished('maxHeaderNameLength')),
  refusal(2209, 'the value of a header is too long', 'config/too-long', unpublished('maxHeaderValueLength')),
  refusal(2210, 'the name of a header is invalid', 'config/bad-header-name header/name-invalid'),
  refusal(2211, 'the value of a header is invalid', 'header/value-invalid'),
  refusal(2212, 'there are too many header values', 'config/map-size config/list-length'),
  refusal(2213, 'a template in the value of a header is invalid', 'expression/unclosed-interpolation'),
  refusal(2214, 'a compression algorithm is unknown', 'config/bad-choice'),
  refusal(2215, 'a number is out of range', 'config/out-of-range'),
  refusal(
    2216,
    'an IP policy reference is malformed',
    'config/bad-shape',
    'only the service knows whether the IP policy exists',
  ),
  refusal(2217, 'an address range is invalid', 'config/bad-cidr'),
  refusal(2218, 'a list has too many entries', 'config/list-length'),
  refusal(2219, 'a field cannot be configured by users', 'header/reserved'),
  refusal(2221, 'a string is too long', 'config/too-long'),
  refusal(2222, 'a value is not among the valid ones', 'config/bad-choice'),
  refusal(2223, 'a value is empty', 'config/empty'),
  refusal(2224, 'an interpolated expression is invalid', 'expression/* expression/unclosed-interpolation'),
  refusal(2225, 'a duration exceeds the limit', 'config/out-of-range'),
  refusal(2226, 'a value must be a URL', 'config/bad-url'),
  refusal(2227, 'the issuer returned no discovery document', '', 'checking requires a request to the issuer'),
  refusal(2228, 'a field cannot be parsed', 'config/bad-duration'),
  refusal(
    2229,
    'the protocol is unknown',
    '',
    'policies do not name a protocol; `--endpoint` accepts only known endpoint kinds',
  ),
  refusal(2230, 'a phase is invalid for the protocol', 'endpoint/phase-unavailable'),
  refusal(2231, 'a list has duplicate values', 'config/duplicate-item'),
  refusal(2234, 'a required element is missing', 'config/missing-key policy/missing-key'),
  refusal(2235, 'the policy is not guaranteed to handle all traffic', 'policy/unhandled-traffic'),
  refusal(2236, 'the policy cannot be parsed, or is too large', 'yaml/* json/* limit/*'),
  refusal(2237, 'a string is too short', 'config/too-short'),
  refusal(
    2238,
    'an interpolated expression cannot be resolved',
    'expression/needless-interpolation',
    'run-time errors show up in `tollgate trace`',
  ),
  refusal(2239, 'an endpoint has more than one authentication action', 'policy/conflicting-actions'),
  refusal(2240, 'an element that another one requires is missing', 'config/missing-companion'),
  refusal(2241, 'a domain does not belong to the endpoint', '', ACCOUNT),
  refusal(2242, 'a domain is not valid punycode', 'config/bad-punycode'),
  refusal(2243, 'a value is not a domain', 'config/bad-domain'),
  refusal(2244, 'there are too many query parameters', 'config/list-length'),
  refusal(2245, 'the key of a query parameter is too long', 'config/too-long'),
  refusal(2246, 'the value of a query parameter is too long', 'config/too-long'),
  refusal(2248, '`on_tcp_connect` is used on an HTTPS edge', 'endpoint/phase-unavailable'),
  refusal(2250, 'variables of `set-vars` are nested too deeply', 'config/too-deep', unpublished('maxVariableDepth')),
  refusal(
    2252,
    'variables of `set-vars` are not a list of maps with one entry each',
    'config/map-size config/wrong-type',
  ),
  refusal(2255, '`set-vars` has too many variables', 'config/list-length', unpublished('maxVariables')),
  refusal(2256, "the account's plan does not include the action", '', ACCOUNT),
  refusal(2257, 'a basic-auth user name violates RFC 7617', 'config/bad-credentials'),
  refusal(2258, 'a basic-auth password violates RFC 7617', 'config/bad-credentials'),
  refusal(2261, 'a pattern is not a valid regular expression', 'config/bad-pattern'),
  refusal(2262, '`on_tcp_connect` is used on an internal HTTP endpoint', 'endpoint/phase-unavailable'),
  refusal(2263, "the account's plan does not include the action", '', ACCOUNT),
  refusal(2264, 'a policy has too many rules', 'limit/rules', unpublished('maxRules')),
  refusal(
    2265,
    'a rule has too many expressions or actions',
    'limit/expressions limit/actions',
    unpublished('maxExpressions', 'maxActions'),
  ),
  refusal(2266, 'a policy has more than one `ai-gateway`', 'policy/conflicting-actions'),
  refusal(2267, 'an `ai-gateway` configures keys for a standard provider', 'config/unsupported-key'),
];

function refusal(number: number, when: string, codes: string, limits?: string): RefusalFact {
  return { number, when, codes: codes.split(' ').filter(code => code !== ''), ...(limits !== undefined && { limits }) };
}

function unpublished(...settings: readonly string[]): string {
  return `the limit depends on the account; set ${settings.map(name => `\`limits.${name}\``).join(' and ')}`;
}

/** Returns the vendor numbers that a diagnostic code may correspond to, the default first. */
export function refusalsOf(code: string): readonly number[] {
  const exact = numbersNaming(code);
  return exact.length > 0 ? exact : numbersNaming(`${code.slice(0, code.indexOf('/'))}/*`).slice(0, 1);
}

function numbersNaming(code: string): readonly number[] {
  return REFUSALS.filter(({ codes }) => codes.includes(code)).map(({ number }) => number);
}

/** Returns the vendor number of a diagnostic, which its `refusal` argument overrides; undefined if the service has none for it. */
export function refusalOf({
  code,
  args,
}: {
  readonly code: string;
  readonly args: Readonly<Record<string, unknown>>;
}): number | undefined {
  return typeof args.refusal === 'number' ? args.refusal : (DEFAULTS[code] ?? refusalsOf(code)[0]);
}

/** Default numbers of codes that correspond to several. */
const DEFAULTS: Readonly<Record<string, number>> = {
  'config/too-long': 2221,
  'config/list-length': 2218,
  'config/map-size': 2204,
  'config/bad-choice': 2222,
  'config/out-of-range': 2215,
  'config/bad-shape': 2204,
  'config/wrong-type': 2203,
  'endpoint/phase-unavailable': 2230,
  'expression/unclosed-interpolation': 2224,
};
