import type { CodeDescription, CodeExample } from '@tollgate/diagnostics';

const policy = (text: string, profile?: string, endpoint?: string): CodeExample => ({
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
    bad: policy(rule('inbound', "res.StatusCode >= '500'")),
    good: policy(rule('outbound', "res.StatusCode >= '500'")),
  },
  {
    code: 'phase/function-unavailable',
    severity: 'error',
    summary: 'function that does not exist in this phase',
    rationale: 'Functions that read the response are available only in the response phase.',
    remedy: 'Move the rule to the phase that the message names.',
    bad: policy(rule('inbound', "hasResHeader('X-Cache')")),
    good: policy(rule('outbound', "hasResHeader('X-Cache')")),
  },
  {
    code: 'phase/action-unavailable',
    severity: 'error',
    summary: 'action that does not exist in this phase',
    rationale: 'By the time there is a response, the upstream has handled the request: it is too late to deny it.',
    remedy: 'Move the rule to the phase that the message names. To replace a response, use `custom-response`.',
    bad: policy(rule('outbound', "req.Method == 'TRACE'", 'deny')),
    good: policy(rule('inbound', "req.Method == 'TRACE'", 'deny')),
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
    bad: policy(rule('on_http_request', "conn.client_ip == '192.0.2.1'"), 'modern', 'tcp-endpoint'),
    good: policy(rule('on_tcp_connect', "conn.client_ip == '192.0.2.1'"), 'modern', 'tcp-endpoint'),
  },
  {
    code: 'endpoint/variable-unavailable',
    severity: 'error',
    summary: 'variable that this endpoint kind does not have',
    rationale:
      'Paths and headers exist only where the edge reads HTTP, and a TLS version only where it terminates TLS.',
    remedy: 'State the endpoint kind with `--endpoint`, or use a variable that it has.',
    bad: policy(rule('inbound', "req.Path == '/admin'"), 'edge-v2', 'tcp-edge'),
    good: policy(rule('inbound', "conn.ClientIP == '192.0.2.1'"), 'edge-v2', 'tcp-edge'),
  },
  {
    code: 'endpoint/function-unavailable',
    severity: 'error',
    summary: 'function that this endpoint kind does not have',
    rationale: 'Functions that read headers need an endpoint that reads HTTP.',
    remedy: 'State the endpoint kind with `--endpoint`, or use a function that it has.',
    bad: policy(rule('inbound', "hasReqHeader('X-Debug')"), 'edge-v2', 'tcp-edge'),
    good: policy(rule('inbound', "hasReqHeader('X-Debug')")),
  },
  {
    code: 'endpoint/action-unavailable',
    severity: 'error',
    summary: 'action that this endpoint kind does not have',
    rationale: 'Adding headers and redirecting requests work only where the edge reads HTTP.',
    remedy: 'State the endpoint kind with `--endpoint`.',
    bad: policy(
      'inbound:\n  - actions:\n      - type: add-headers\n        config:\n          headers:\n            x-a: b\n',
      'edge-v2',
      'tcp-edge',
    ),
    good: policy(
      'inbound:\n  - actions:\n      - type: add-headers\n        config:\n          headers:\n            x-a: b\n',
    ),
  },
  {
    code: 'endpoint/config-unavailable',
    severity: 'error',
    summary: 'configuration key that has no effect on this endpoint kind',
    rationale: 'A connection that carries no HTTP is closed; it is not answered with a status.',
    remedy: 'Remove the key.',
    bad: policy(
      'inbound:\n  - actions:\n      - type: deny\n        config:\n          status_code: 403\n',
      'edge-v2',
      'tcp-edge',
    ),
    good: policy('inbound:\n  - actions:\n      - type: deny\n', 'edge-v2', 'tcp-edge'),
  },
  {
    code: 'expression/needless-interpolation',
    severity: 'error',
    summary: '`${…}` around an expression that needs none',
    rationale:
      'Conditions and some configuration values, such as `bucket_key`, are expressions themselves. `${…}` marks an expression only inside a string.',
    remedy: 'Remove `${` and `}`.',
    bad: policy('on_http_request:\n  - expressions: ["${req.method == \'PUT\'}"]\n    actions: [{ type: deny }]\n'),
    good: policy('on_http_request:\n  - expressions: ["req.method == \'PUT\'"]\n    actions: [{ type: deny }]\n'),
  },
  {
    code: 'expression/unclosed-interpolation',
    severity: 'error',
    summary: 'unterminated `${…}` in a string',
    rationale: "In an action's strings, `${` begins an expression and `}` ends it.",
    remedy: 'Add the `}`, or write `$${` for the characters themselves.',
    bad: policy(
      'on_http_request:\n  - actions:\n      - type: custom-response\n        config:\n          body: "hello ${req.host"\n',
    ),
    good: policy(
      'on_http_request:\n  - actions:\n      - type: custom-response\n        config:\n          body: "hello ${req.host}"\n',
    ),
  },
];
