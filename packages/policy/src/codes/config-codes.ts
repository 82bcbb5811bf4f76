import type { CodeDescription, CodeExample } from '@tollgate/diagnostics';

function action(type: string, config: string, profile?: string): CodeExample {
  const phase =
    profile !== 'modern' ? 'inbound' : type === 'compress-response' ? 'on_http_response' : 'on_http_request';
  const text = `${phase}:\n  - actions:\n      - type: ${type}\n        config:\n${config.replaceAll(/^(?=.)/gm, '          ')}\n`;
  return { kind: 'policy', text, ...(profile !== undefined && { profile }) };
}

const RATE = 'name: by client\nalgorithm: sliding_window\n';
const MODERN_RATE = 'algorithm: sliding_window\ncapacity: 10\nrate: 60s\nbucket_key: [conn.client_ip]';
const JWT_TAIL = `audience: { allow_list: [{ value: a }] }
http: { tokens: [{ type: jwt, method: header, name: Authorization }] }
jws: { allowed_algorithms: [ES256] }`;

/** What is wrong with the configuration of an action. */
export const CONFIG_CODES: readonly CodeDescription[] = [
  {
    code: 'config/unknown-key',
    severity: 'error',
    summary: "unknown key in an action's configuration",
    rationale: 'The service rejects unknown keys. Usually the key is misspelled or belongs to another action.',
    remedy: 'Use one of the keys that the message lists.',
    bad: action('deny', 'status: 404'),
    good: action('deny', 'status_code: 404'),
  },
  {
    code: 'config/missing-key',
    severity: 'error',
    summary: "required key missing from an action's configuration",
    rationale: 'The action cannot run without it, and the service rejects the policy.',
    bad: action('url-rewrite', 'from: ^/old/'),
    good: action('url-rewrite', 'from: ^/old/\nto: /new/'),
  },
  {
    code: 'config/deprecated-key',
    severity: 'info',
    summary: "deprecated key in an action's configuration",
    rationale: 'The service still accepts the key. New policies should use its replacement.',
    bad: action('custom-response', 'status_code: 200\ncontent: hello', 'modern'),
    good: action('custom-response', 'status_code: 200\nbody: hello', 'modern'),
  },
  {
    code: 'config/wrong-type',
    severity: 'error',
    summary: 'value of the wrong type',
    rationale:
      'In YAML, `404` is a number and `"404"` is a string; `yes` is a string to some parsers and a boolean to others.',
    remedy: 'Write numbers without quotes, strings with quotes, and booleans as `true` or `false`.',
    bad: action('deny', 'status_code: "404"'),
    good: action('deny', 'status_code: 404'),
  },
  {
    code: 'config/out-of-range',
    severity: 'error',
    summary: 'number or duration out of range',
    rationale: 'The service rejects it. The message states the bounds.',
    bad: action('deny', 'status_code: 42'),
    good: action('deny', 'status_code: 403'),
  },
  {
    code: 'config/bad-choice',
    severity: 'error',
    summary: 'value that is not one of the allowed words',
    rationale: 'The key accepts only a fixed set of words, spelled exactly as listed.',
    remedy: 'Use one of the words that the message lists.',
    bad: action(
      'rate-limit',
      `${RATE.replace('sliding_window', 'sliding-window')}capacity: 10\nrate: 60s\nbucket_key: [conn.ClientIP]`,
    ),
    good: action('rate-limit', `${RATE}capacity: 10\nrate: 60s\nbucket_key: [conn.ClientIP]`),
  },
  {
    code: 'config/bad-shape',
    severity: 'error',
    summary: 'string in the wrong format',
    rationale:
      "Some keys accept strings of one format only: a rate limit's keys, for example, must be one of a few expressions.",
    remedy: 'Use the format that the message states.',
    bad: action('rate-limit', `${RATE}capacity: 10\nrate: 60s\nbucket_key: [req.Path]`),
    good: action('rate-limit', `${RATE}capacity: 10\nrate: 60s\nbucket_key: [req.Host]`),
  },
  {
    code: 'config/bad-duration',
    severity: 'error',
    summary: 'string that is not a valid duration',
    rationale: 'A duration is a number with a unit, or several of them: `90s`, `1h30m`.',
    bad: action('rate-limit', `${RATE}capacity: 10\nrate: 1 minute\nbucket_key: [conn.ClientIP]`),
    good: action('rate-limit', `${RATE}capacity: 10\nrate: 60s\nbucket_key: [conn.ClientIP]`),
  },
  {
    code: 'config/bad-cidr',
    severity: 'error',
    summary: 'string that is not a valid CIDR range',
    rationale:
      'A range is an address and a prefix length: at most 32 for IPv4, at most 128 for IPv6. A single address is also a range.',
    bad: action('restrict-ips', 'allow: [10.0.0.0/33]'),
    good: action('restrict-ips', 'allow: [10.0.0.0/8, 192.0.2.1/32]'),
  },
  {
    code: 'config/bad-header-name',
    severity: 'error',
    summary: 'string that is not a valid header name',
    rationale: "Header names consist of letters, digits and ``!#$%&'*+-.^_`|~``, without spaces or colons.",
    bad: action('add-headers', 'headers:\n  not a name: x'),
    good: action('add-headers', 'headers:\n  x-name: x'),
  },
  {
    code: 'config/bad-pattern',
    severity: 'error',
    summary: 'pattern that RE2 rejects',
    rationale: 'Patterns use RE2 syntax, which has neither lookaround nor backreferences.',
    remedy: 'State what must not match in a condition of the rule instead.',
    bad: action('url-rewrite', 'from: ^/old/(?=x)\nto: /new/'),
    good: action('url-rewrite', 'from: ^/old/x\nto: /new/x'),
  },
  {
    code: 'config/empty',
    severity: 'error',
    summary: 'empty string where a value is required',
    rationale: 'The service rejects empty names.',
    bad: action(
      'rate-limit',
      'name: ""\nalgorithm: sliding_window\ncapacity: 10\nrate: 60s\nbucket_key: [conn.ClientIP]',
    ),
    good: action('rate-limit', `${RATE}capacity: 10\nrate: 60s\nbucket_key: [conn.ClientIP]`),
  },
  {
    code: 'config/list-length',
    severity: 'error',
    summary: 'list with too few or too many items',
    rationale:
      'The service limits the length of the list. An empty list of issuers, for example, would accept no token at all.',
    bad: action('jwt-validation', `issuer: { allow_list: [] }\n${JWT_TAIL}`),
    good: action('jwt-validation', `issuer: { allow_list: [{ value: "https://id.example" }] }\n${JWT_TAIL}`),
  },
  {
    code: 'config/duplicate-item',
    severity: 'error',
    summary: 'duplicate item in a list',
    rationale: 'The items must be distinct. The second one has no effect, or was meant to be something else.',
    bad: action('compress-response', 'algorithms: [gzip, gzip]', 'modern'),
    good: action('compress-response', 'algorithms: [gzip, br]', 'modern'),
  },
  {
    code: 'config/map-size',
    severity: 'error',
    summary: 'map with too few or too many entries',
    rationale: 'The service limits the number of entries.',
    bad: action('set-vars', 'vars: [{ a: "1", b: "2" }]', 'modern'),
    good: action('set-vars', 'vars: [{ a: "1" }, { b: "2" }]', 'modern'),
  },
  {
    code: 'config/too-long',
    severity: 'error',
    summary: 'string that is too long',
    rationale: 'The service limits the length of the string.',
    bad: {
      ...action('rate-limit', `name: …\n${MODERN_RATE}`, 'modern'),
      stands: { mark: '…', for: 'a', times: 1100 },
    },
    good: action('rate-limit', `name: by client\n${MODERN_RATE}`, 'modern'),
  },
];

const NAMED = 'policy: policy.yaml\ntests:\n  - name: everyone passes\n';

/** What is wrong in files of policy tests, beside their shape. */
export const TESTS_CODES: readonly CodeDescription[] = [
  {
    code: 'test/invalid',
    severity: 'error',
    summary: 'invalid value in a policy test',
    rationale:
      'The value has the right type but is not a valid time, URL or header value, or it is a test name that is already used.',
    remedy: 'The message says what was expected.',
    bad: { kind: 'tests', text: `${NAMED}    now: tomorrow\n    expect: { outcome: passed }\n` },
    good: { kind: 'tests', text: `${NAMED}    now: 2026-03-02T10:15:30Z\n    expect: { outcome: passed }\n` },
  },
  {
    code: 'test/no-assertion',
    severity: 'error',
    summary: 'policy test without an expectation',
    rationale: 'Such a test passes whatever the policy does, and gives false confidence.',
    remedy: 'Add what you expect for the exchange: its outcome, the status, or a rule that matches.',
    bad: { kind: 'tests', text: `${NAMED}    expect: {}\n` },
    good: { kind: 'tests', text: `${NAMED}    expect: { outcome: passed }\n` },
  },
];
