import type { CodeDescription, CodeExample } from '@tollgate/diagnostics';

const policy = (text: string): CodeExample => ({ kind: 'policy', text });
const GOOD = policy('inbound:\n  - actions:\n      - type: deny\n');

/** What is wrong with the shape of a policy. */
export const POLICY_CODES: readonly CodeDescription[] = [
  {
    code: 'policy/empty-document',
    severity: 'error',
    summary: 'document without a policy',
    rationale: 'The file contains nothing but whitespace and comments.',
    remedy: 'Write an empty list for a policy that does nothing: `inbound: []`.',
    bad: policy('# nothing yet\n'),
    good: policy('inbound: []\n'),
  },
  {
    code: 'policy/unknown-key',
    severity: 'error',
    summary: 'unknown policy key',
    rationale: 'The service rejects unknown keys. Usually the key is misspelled or belongs to another profile.',
    remedy: 'Use one of the keys that the message lists.',
    bad: policy('inbund:\n  - actions:\n      - type: deny\n'),
    good: GOOD,
  },
  {
    code: 'policy/missing-key',
    severity: 'error',
    summary: 'missing policy key',
    rationale: 'A rule needs actions, and an action needs a type.',
    bad: policy('inbound:\n  - name: robots\n'),
    good: policy('inbound:\n  - name: robots\n    actions:\n      - type: deny\n'),
  },
  {
    code: 'policy/empty-actions',
    severity: 'error',
    summary: 'rule with an empty list of actions',
    rationale: 'A rule without actions does nothing, and the service rejects it.',
    bad: policy('inbound:\n  - actions: []\n'),
    good: GOOD,
  },
  {
    code: 'policy/wrong-type',
    severity: 'error',
    summary: 'value of the wrong type',
    rationale:
      'For example, a list where a map is required, or a string where a list is. A single expression is a list with one item.',
    bad: policy("inbound:\n  - expressions: req.Method == 'GET'\n    actions:\n      - type: deny\n"),
    good: policy("inbound:\n  - expressions:\n      - req.Method == 'GET'\n    actions:\n      - type: deny\n"),
  },
  {
    code: 'policy/unknown-action',
    severity: 'error',
    summary: 'unknown action',
    rationale:
      'This profile has no action of this type. Declare actions that only your edge has in an extension file (`--env`).',
    remedy: 'Use the name that the message suggests.',
    bad: policy('inbound:\n  - actions:\n      - type: block\n'),
    good: GOOD,
  },
  {
    code: 'policy/unreachable-action',
    severity: 'error',
    summary: 'unreachable action',
    rationale: '`deny`, `redirect` and `custom-response` end the policy: no action after them runs.',
    remedy: 'Put the other actions first.',
    bad: policy('inbound:\n  - actions:\n      - type: deny\n      - type: log\n'),
    good: policy('inbound:\n  - actions:\n      - type: log\n      - type: deny\n'),
  },
  {
    code: 'policy/unquoted-expression',
    severity: 'error',
    summary: 'expression that YAML does not read as a string',
    rationale: 'Expressions are strings, but in YAML `true` is a boolean and `{…}` a map.',
    remedy: 'Put quotes around the expression.',
    bad: policy('inbound:\n  - expressions: [true]\n    actions:\n      - type: deny\n'),
    good: policy('inbound:\n  - expressions: ["true"]\n    actions:\n      - type: deny\n'),
  },
  {
    code: 'policy/no-such-part',
    severity: 'error',
    summary: 'path to a part of the file that does not exist',
    rationale:
      '`FILE#/spec/policy` and `--at /spec/policy` say where in a file the policy is. There is nothing at this path.',
    remedy: 'Correct the path; the message suggests the nearest key.',
    bad: { kind: 'command', text: 'tollgate check examples/policies/block-bots.yaml#/spec/policy' },
    good: { kind: 'command', text: 'tollgate check examples/policies/block-bots.yaml' },
  },
  {
    code: 'policy/no-such-document',
    severity: 'error',
    summary: 'document number that does not exist',
    rationale: '`FILE#2` means the second document of the file. The file has fewer documents.',
    bad: { kind: 'command', text: 'tollgate check examples/policies/block-bots.yaml#2' },
    good: { kind: 'command', text: 'tollgate check examples/policies/block-bots.yaml#1' },
  },
];

const policyIn = (text: string, profile?: string, endpoint?: string): CodeExample => ({
  kind: 'policy',
  text,
  ...(profile !== undefined && { profile }),
  ...(endpoint !== undefined && { endpoint }),
});

const rule = (phase: string, expression: string, action = 'log'): string =>
  `${phase}:\n  - expressions:\n      - ${expression}\n    actions:\n      - type: ${action}\n`;

/** What exists, but not at this place: in another phase, or at another kind of endpoint. */
export const PLACE_CODES: readonly CodeDescription[] = [
  {
    code: 'phase/variable-unavailable',
    severity: 'error',
    summary: 'variable that does not exist in this phase',
    rationale:
      'The response does not exist while a request is coming in. Its fields are available only in the response phase.',
    remedy: 'Move the rule to the phase that the message names.',
    bad: policyIn(rule('inbound', "res.StatusCode >= '500'")),
    good: policyIn(rule('outbound', "res.StatusCode >= '500'")),
  },
  {
    code: 'phase/function-unavailable',
    severity: 'error',
    summary: 'function that does not exist in this phase',
    rationale: 'Functions that read the response are available only in the response phase.',
    remedy: 'Move the rule to the phase that the message names.',
    bad: policyIn(rule('inbound', "hasResHeader('X-Cache')")),
    good: policyIn(rule('outbound', "hasResHeader('X-Cache')")),
  },
  {
    code: 'phase/action-unavailable',
    severity: 'error',
    summary: 'action that does not exist in this phase',
    rationale: 'By the time there is a response, the upstream has handled the request: it is too late to deny it.',
    remedy: 'Move the rule to the phase that the message names. To replace a response, use `custom-response`.',
    bad: policyIn(rule('outbound', "req.Method == 'TRACE'", 'deny')),
    good: policyIn(rule('inbound', "req.Method == 'TRACE'", 'deny')),
  },
  {
    code: 'phase/config-unavailable',
    severity: 'error',
    summary: 'configuration key that has no effect in this phase',
    rationale: 'The action exists in several phases, but supports this key only in some of them.',
    remedy: 'Remove the key, or move the rule to the phase that the message names.',
    withoutExample: 'no action of the three profiles has such a key; an extension may declare one',
  },
  {
    code: 'endpoint/phase-unavailable',
    severity: 'error',
    summary: 'phase that this endpoint kind does not have',
    rationale: 'An endpoint that forwards bytes sees neither requests nor responses.',
    remedy: 'State the endpoint kind with `--endpoint`, or move the rules.',
    bad: policyIn(rule('on_http_request', "conn.client_ip == '192.0.2.1'"), 'modern', 'tcp-endpoint'),
    good: policyIn(rule('on_tcp_connect', "conn.client_ip == '192.0.2.1'"), 'modern', 'tcp-endpoint'),
  },
  {
    code: 'endpoint/variable-unavailable',
    severity: 'error',
    summary: 'variable that this endpoint kind does not have',
    rationale:
      'Paths and headers exist only where the edge reads HTTP, and a TLS version only where it terminates TLS.',
    remedy: 'State the endpoint kind with `--endpoint`, or use a variable that it has.',
    bad: policyIn(rule('inbound', "req.Path == '/admin'"), 'edge-v2', 'tcp-edge'),
    good: policyIn(rule('inbound', "conn.ClientIP == '192.0.2.1'"), 'edge-v2', 'tcp-edge'),
  },
  {
    code: 'endpoint/function-unavailable',
    severity: 'error',
    summary: 'function that this endpoint kind does not have',
    rationale: 'Functions that read headers need an endpoint that reads HTTP.',
    remedy: 'State the endpoint kind with `--endpoint`, or use a function that it has.',
    bad: policyIn(rule('inbound', "hasReqHeader('X-Debug')"), 'edge-v2', 'tcp-edge'),
    good: policyIn(rule('inbound', "hasReqHeader('X-Debug')")),
  },
  {
    code: 'endpoint/action-unavailable',
    severity: 'error',
    summary: 'action that this endpoint kind does not have',
    rationale: 'Adding headers and redirecting requests work only where the edge reads HTTP.',
    remedy: 'State the endpoint kind with `--endpoint`.',
    bad: policyIn(
      'inbound:\n  - actions:\n      - type: add-headers\n        config:\n          headers:\n            x-a: b\n',
      'edge-v2',
      'tcp-edge',
    ),
    good: policyIn(
      'inbound:\n  - actions:\n      - type: add-headers\n        config:\n          headers:\n            x-a: b\n',
    ),
  },
  {
    code: 'endpoint/config-unavailable',
    severity: 'error',
    summary: 'configuration key that has no effect on this endpoint kind',
    rationale: 'A connection that carries no HTTP is closed; it is not answered with a status.',
    remedy: 'Remove the key.',
    bad: policyIn(
      'inbound:\n  - actions:\n      - type: deny\n        config:\n          status_code: 403\n',
      'edge-v2',
      'tcp-edge',
    ),
    good: policyIn('inbound:\n  - actions:\n      - type: deny\n', 'edge-v2', 'tcp-edge'),
  },
  {
    code: 'expression/needless-interpolation',
    severity: 'error',
    summary: '`${…}` around an expression that needs none',
    rationale:
      'Conditions and some configuration values, such as `bucket_key`, are expressions themselves. `${…}` marks an expression only inside a string.',
    remedy: 'Remove `${` and `}`.',
    bad: policyIn('on_http_request:\n  - expressions: ["${req.method == \'PUT\'}"]\n    actions: [{ type: deny }]\n'),
    good: policyIn('on_http_request:\n  - expressions: ["req.method == \'PUT\'"]\n    actions: [{ type: deny }]\n'),
  },
  {
    code: 'expression/unclosed-interpolation',
    severity: 'error',
    summary: 'unterminated `${…}` in a string',
    rationale: "In an action's strings, `${` begins an expression and `}` ends it.",
    remedy: 'Add the `}`, or write `$${` for the characters themselves.',
    bad: policyIn(
      'on_http_request:\n  - actions:\n      - type: custom-response\n        config:\n          body: "hello ${req.host"\n',
    ),
    good: policyIn(
      'on_http_request:\n  - actions:\n      - type: custom-response\n        config:\n          body: "hello ${req.host}"\n',
    ),
  },
];

function action(type: string, config: string, phase = 'on_http_request'): CodeExample {
  const text = `${phase}:\n  - actions:\n      - type: ${type}\n        config:\n${config.replaceAll(/^(?=.)/gm, '          ')}\n`;
  return { kind: 'policy', text, profile: 'modern' };
}

function rules(text: string, endpoint?: string): CodeExample {
  return {
    kind: 'policy',
    text: `on_http_request:\n${text}`,
    profile: 'modern',
    ...(endpoint !== undefined && { endpoint }),
  };
}

const TLS = 'on_tcp_connect';
const OAUTH = '      - { type: oauth, config: { provider: google } }\n';

/** Documented refusals of the service, other than those of a value's shape. */
export const REFUSAL_CODES: readonly CodeDescription[] = [
  {
    code: 'config/bad-url',
    severity: 'error',
    summary: 'string that is not a valid URL',
    rationale: 'The action needs an absolute URL, with a scheme and a host. A host name alone is not enough.',
    remedy: 'Add the scheme: `https://my-service.internal`.',
    bad: action('forward-internal', 'url: my-service.internal'),
    good: action('forward-internal', 'url: https://my-service.internal'),
  },
  {
    code: 'config/bad-domain',
    severity: 'error',
    summary: 'string that is not a valid domain',
    rationale: 'A domain has no scheme, port or path. Browsers ignore cookies for anything else.',
    bad: action('oauth', 'provider: google\nauth_cookie_domain: https://example.com'),
    good: action('oauth', 'provider: google\nauth_cookie_domain: example.com'),
  },
  {
    code: 'config/bad-punycode',
    severity: 'error',
    summary: 'domain that is not valid Punycode',
    rationale: 'Labels that begin with `xn--` encode non-ASCII characters (RFC 3492). This one cannot be decoded.',
    bad: action('oauth', 'provider: google\nauth_cookie_domain: xn--99999999999.example.com'),
    good: action('oauth', 'provider: google\nauth_cookie_domain: xn--bcher-kva.example.com'),
  },
  {
    code: 'config/bad-credentials',
    severity: 'error',
    summary: 'credentials that HTTP cannot transmit',
    rationale: 'Neither the user name nor the password may contain control characters (RFC 7617, section 2).',
    bad: action('basic-auth', 'credentials: ["ada:long\\tenough"]'),
    good: action('basic-auth', 'credentials: ["ada:long enough"]'),
  },
  {
    code: 'config/too-short',
    severity: 'error',
    summary: 'string that is too short',
    rationale: 'The service limits the length of the string. The message states the limit.',
    bad: action('basic-auth', 'credentials: ["ada:secret"]'),
    good: action('basic-auth', 'credentials: ["ada:longer secret"]'),
  },
  {
    code: 'config/too-deep',
    severity: 'error',
    summary: 'variable whose value is nested too deeply',
    rationale: 'The service limits how deeply lists and maps in variables may be nested. The limit is a setting.',
    bad: action('set-vars', 'vars:\n  - tree: [[[[[[[[[[[1]]]]]]]]]]]'),
    good: action('set-vars', 'vars:\n  - tree: [[[1]]]'),
  },
  {
    code: 'config/missing-companion',
    severity: 'error',
    summary: 'key that requires another key',
    rationale:
      'An ID is useless without its secret, and a certificate without its key: the service requires both or neither.',
    bad: action('oauth', 'provider: google\nclient_id: shop'),
    good: action('oauth', "provider: google\nclient_id: shop\nclient_secret: \"${secrets.get('shop', 'google')}\""),
  },
  {
    code: 'config/unsupported-key',
    severity: 'error',
    summary: 'key that is supported only together with another one',
    rationale:
      'In an `ai-gateway`, only custom providers have keys of their own. The keys of standard providers belong to the account.',
    bad: action(
      'ai-gateway',
      "providers:\n  - id: openai\n    api_keys: [{ value: \"${secrets.get('ai', 'openai')}\" }]",
    ),
    good: action('ai-gateway', 'providers:\n  - id: openai'),
  },
  {
    code: 'config/inverted-range',
    severity: 'error',
    summary: 'lower bound above the upper bound',
    rationale:
      'No TLS version is both at least the lower bound and at most the upper one, so every connection would fail.',
    bad: action('terminate-tls', 'min_version: "1.3"\nmax_version: "1.2"', TLS),
    good: action('terminate-tls', 'min_version: "1.2"\nmax_version: "1.3"', TLS),
  },
  {
    code: 'policy/conflicting-actions',
    severity: 'error',
    summary: 'two actions that cannot be combined on one endpoint',
    rationale:
      'The service documents that it accepts one authentication action and one `ai-gateway` per endpoint. Whether two sign-ins in rules for different requests count is not documented, and published examples have them, so this is a warning there.',
    remedy: 'Remove one of them, or use a separate endpoint for each.',
    bad: rules(
      `  - actions:\n${OAUTH}      - { type: openid-connect, config: { issuer_url: "https://id.example" } }\n`,
    ),
    good: rules(`  - actions:\n${OAUTH}`),
  },
  {
    code: 'policy/unhandled-traffic',
    severity: 'error',
    summary: 'policy without an upstream that does not handle all traffic',
    rationale:
      'A cloud endpoint has no upstream. The service requires a rule without expressions whose action terminates, such as `forward-internal` or `deny`.',
    bad: rules('  - expressions: ["req.url.path == \'/\'"]\n    actions: [{ type: deny }]\n', 'cloud-endpoint'),
    good: rules('  - actions: [{ type: deny }]\n', 'cloud-endpoint'),
  },
  {
    code: 'policy/unset-variable',
    severity: 'error',
    summary: 'variable that no earlier `set-vars` sets',
    rationale: 'Reading such a variable is an evaluation error, and a condition with an error does not match.',
    remedy: 'Set it in an earlier rule, or check that it exists with `has(vars.name)`.',
    bad: rules(
      '  - actions: [{ type: set-vars, config: { vars: [{ tier: gold }] } }]\n  - expressions: ["vars.teir == \'gold\'"]\n    actions: [{ type: deny }]\n',
    ),
    good: rules(
      '  - actions: [{ type: set-vars, config: { vars: [{ tier: gold }] } }]\n  - expressions: ["vars.tier == \'gold\'"]\n    actions: [{ type: deny }]\n',
    ),
  },
];

const NEVER = 'An expression that ends in an evaluation error does not match, so that its rule does nothing.';
const modern = (text: string): CodeExample => ({ kind: 'expression', text, profile: 'modern' });

/** Errors of the functions that the edge has beside CEL. */
export const FUNCTION_CODES: readonly CodeDescription[] = [
  {
    code: 'eval/bad-json',
    kind: 'evaluation-error',
    severity: 'error',
    summary: 'invalid JSON, or a value that JSON cannot represent',
    rationale: `Clients can send anything as JSON. ${NEVER}`,
    bad: modern("json.decode('{') == null"),
    good: modern("json.decode('{}') == {}"),
  },
  {
    code: 'eval/bad-url',
    kind: 'evaluation-error',
    severity: 'error',
    summary: 'string that is not a valid URL',
    rationale: `Brackets and colons are allowed only in certain places of a URL: \`https://[::1]:8080/\`. ${NEVER}`,
    bad: modern("url.parse('https://[::1').host == '::1'"),
    good: modern("url.parse('https://[::1]/').host != ''"),
  },
  {
    code: 'eval/bad-query',
    kind: 'evaluation-error',
    severity: 'error',
    summary: 'invalid query string, or parameters that cannot be encoded as one',
    rationale: `In a query string, \`%\` begins an escape of two hexadecimal digits. ${NEVER}`,
    bad: modern("queryString.decode('a=%zz').size() == 1"),
    good: modern("queryString.decode('a=%20').size() == 1"),
  },
  {
    code: 'eval/bad-escape',
    kind: 'evaluation-error',
    severity: 'error',
    summary: 'percent sign without two hexadecimal digits',
    rationale: `In URLs, \`%\` begins an escape of two hexadecimal digits. ${NEVER}`,
    bad: modern("'100%'.unescapeUrl() == '100%'"),
    good: modern("'100%25'.unescapeUrl() == '100%'"),
  },
  {
    code: 'eval/bad-hash-format',
    kind: 'evaluation-error',
    severity: 'error',
    summary: 'unknown hash format',
    rationale: `Hashes are written as \`hex\` or as \`base64\`. ${NEVER}`,
    bad: modern("hash.sha256('a', 'octal') == ''"),
    good: modern("hash.sha256('a', 'hex') != ''"),
  },
  {
    code: 'eval/empty-range',
    kind: 'evaluation-error',
    severity: 'error',
    summary: 'random number from an empty range',
    rationale: `The lower bound of a random number must not exceed the upper bound. ${NEVER}`,
    withoutExample: 'random numbers are drawn only during a replay, from a seed',
  },
  {
    code: 'eval/extension-failed',
    kind: 'evaluation-error',
    severity: 'error',
    summary: 'extension function that threw an error',
    rationale: `The implementation in the extension module threw an error, which the message quotes. ${NEVER}`,
    remedy: 'Fix the module: a function must return a value for every argument of its declared type.',
    withoutExample: 'it needs a JavaScript module next to the policy',
  },
];
