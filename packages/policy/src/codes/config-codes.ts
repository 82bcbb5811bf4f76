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
    summary: 'a key that the action does not have',
    rationale: 'The service refuses keys that it does not know. Mostly one is misspelt, or of another action.',
    remedy: 'Correct the name; the message says which there are.',
    bad: action('deny', 'status: 404'),
    good: action('deny', 'status_code: 404'),
  },
  {
    code: 'config/missing-key',
    severity: 'error',
    summary: 'a key that the action needs',
    rationale: 'Without it the action cannot be carried out, and the service refuses the policy.',
    bad: action('url-rewrite', 'from: ^/old/'),
    good: action('url-rewrite', 'from: ^/old/\nto: /new/'),
  },
  {
    code: 'config/deprecated-key',
    severity: 'info',
    summary: 'a key that has been replaced',
    rationale: 'The service still takes it. New policies use what replaced it.',
    bad: action('custom-response', 'status_code: 200\ncontent: hello', 'modern'),
    good: action('custom-response', 'status_code: 200\nbody: hello', 'modern'),
  },
  {
    code: 'config/wrong-type',
    severity: 'error',
    summary: 'a value of another kind than the key takes',
    rationale:
      'In YAML `404` is a number and `"404"` a text; `yes` is a text for some readers and a truth value for others.',
    remedy: 'Leave the quotes of a number out, put some around a text; truth values are `true` and `false`.',
    bad: action('deny', 'status_code: "404"'),
    good: action('deny', 'status_code: 404'),
  },
  {
    code: 'config/out-of-range',
    severity: 'error',
    summary: 'a number or duration that is too small or too large',
    rationale: 'The service refuses it. The message states the bounds.',
    bad: action('deny', 'status_code: 42'),
    good: action('deny', 'status_code: 403'),
  },
  {
    code: 'config/bad-choice',
    severity: 'error',
    summary: 'a word that is none of those possible',
    rationale: 'The key takes one of a few words, in this spelling.',
    remedy: 'The message lists them.',
    bad: action(
      'rate-limit',
      `${RATE.replace('sliding_window', 'sliding-window')}capacity: 10\nrate: 60s\nbucket_key: [conn.ClientIP]`,
    ),
    good: action('rate-limit', `${RATE}capacity: 10\nrate: 60s\nbucket_key: [conn.ClientIP]`),
  },
  {
    code: 'config/bad-shape',
    severity: 'error',
    summary: 'a text that does not have the form that is needed',
    rationale: 'Some keys take texts of one form only: keys of a rate limit are one of a few expressions.',
    remedy: 'The message states the form.',
    bad: action('rate-limit', `${RATE}capacity: 10\nrate: 60s\nbucket_key: [req.Path]`),
    good: action('rate-limit', `${RATE}capacity: 10\nrate: 60s\nbucket_key: [req.Host]`),
  },
  {
    code: 'config/bad-duration',
    severity: 'error',
    summary: 'a text that is no duration',
    rationale: 'Durations are numbers with units: `90s`, `1h30m`.',
    bad: action('rate-limit', `${RATE}capacity: 10\nrate: 1 minute\nbucket_key: [conn.ClientIP]`),
    good: action('rate-limit', `${RATE}capacity: 10\nrate: 60s\nbucket_key: [conn.ClientIP]`),
  },
  {
    code: 'config/bad-cidr',
    severity: 'error',
    summary: 'a text that is no range of addresses',
    rationale:
      'Ranges are an address and the length of its prefix: up to 32 for IPv4, up to 128 for IPv6. One address is a range as well.',
    bad: action('restrict-ips', 'allow: [10.0.0.0/33]'),
    good: action('restrict-ips', 'allow: [10.0.0.0/8, 192.0.2.1/32]'),
  },
  {
    code: 'config/bad-header-name',
    severity: 'error',
    summary: 'a text that is no name of a header',
    rationale: "Names of headers have letters, digits and some of `!#$%&'*+-.^_|~`, no blanks and no colon.",
    bad: action('add-headers', 'headers:\n  not a name: x'),
    good: action('add-headers', 'headers:\n  x-name: x'),
  },
  {
    code: 'config/bad-pattern',
    severity: 'error',
    summary: 'a pattern that RE2 does not accept',
    rationale: 'Patterns are those of RE2, which has no look-around and no back-references.',
    remedy: 'Say what must not match in a condition of the rule.',
    bad: action('url-rewrite', 'from: ^/old/(?=x)\nto: /new/'),
    good: action('url-rewrite', 'from: ^/old/x\nto: /new/x'),
  },
  {
    code: 'config/empty',
    severity: 'error',
    summary: 'an empty text where there must be one',
    rationale: 'The service refuses an empty name.',
    bad: action(
      'rate-limit',
      'name: ""\nalgorithm: sliding_window\ncapacity: 10\nrate: 60s\nbucket_key: [conn.ClientIP]',
    ),
    good: action('rate-limit', `${RATE}capacity: 10\nrate: 60s\nbucket_key: [conn.ClientIP]`),
  },
  {
    code: 'config/list-length',
    severity: 'error',
    summary: 'a list with too few or too many items',
    rationale: 'An empty list of issuers would accept none, and the service refuses it.',
    bad: action('jwt-validation', `issuer: { allow_list: [] }\n${JWT_TAIL}`),
    good: action('jwt-validation', `issuer: { allow_list: [{ value: "https://id.example" }] }\n${JWT_TAIL}`),
  },
  {
    code: 'config/duplicate-item',
    severity: 'error',
    summary: 'an item that a list has twice',
    rationale: 'The list names different things. The second one means nothing, or something else was meant.',
    bad: action('compress-response', 'algorithms: [gzip, gzip]', 'modern'),
    good: action('compress-response', 'algorithms: [gzip, br]', 'modern'),
  },
  {
    code: 'config/map-size',
    severity: 'error',
    summary: 'a map with too few or too many entries',
    rationale: 'The service bounds how many entries the map may have.',
    bad: action('set-vars', 'vars: [{ a: "1", b: "2" }]', 'modern'),
    good: action('set-vars', 'vars: [{ a: "1" }, { b: "2" }]', 'modern'),
  },
  {
    code: 'config/too-long',
    severity: 'error',
    summary: 'a text that is too long',
    rationale: 'The service bounds the length of the text.',
    bad: {
      ...action('rate-limit', `name: …\n${MODERN_RATE}`, 'modern'),
      stands: { mark: '…', for: 'a', times: 1100 },
    },
    good: action('rate-limit', `name: by client\n${MODERN_RATE}`, 'modern'),
  },
];
