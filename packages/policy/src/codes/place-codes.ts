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
    summary: 'a variable that does not exist yet in this phase',
    rationale:
      'While a request comes in there is no response. What belongs to it can be asked for in the phase of responses only.',
    remedy: 'Move the rule to the phase that the message names.',
    bad: policy(rule('inbound', "res.StatusCode >= '500'")),
    good: policy(rule('outbound', "res.StatusCode >= '500'")),
  },
  {
    code: 'phase/function-unavailable',
    severity: 'error',
    summary: 'a function that does not exist in this phase',
    rationale: 'Functions that look at the response exist in the phase of responses only.',
    remedy: 'Move the rule to the phase that the message names.',
    bad: policy(rule('inbound', "hasResHeader('X-Cache')")),
    good: policy(rule('outbound', "hasResHeader('X-Cache')")),
  },
  {
    code: 'phase/action-unavailable',
    severity: 'error',
    summary: 'an action that cannot be taken in this phase',
    rationale: 'When the response is there, the upstream has done its work: it is too late to deny the request.',
    remedy: 'Move the rule to the phase that the message names. A response is replaced by `custom-response`.',
    bad: policy(rule('outbound', "req.Method == 'TRACE'", 'deny')),
    good: policy(rule('inbound', "req.Method == 'TRACE'", 'deny')),
  },
  {
    code: 'phase/config-unavailable',
    severity: 'error',
    summary: 'a key of an action that has no meaning in this phase',
    rationale: 'The action exists in several phases, and this key of it in some of them only.',
    remedy: 'Leave the key out, or move the rule to the phase that the message names.',
    withoutExample: 'no action of the three profiles has such a key; an extension may declare one',
  },
  {
    code: 'endpoint/phase-unavailable',
    severity: 'error',
    summary: 'a phase that this kind of endpoint does not have',
    rationale: 'An endpoint that passes bytes through sees no requests and no responses.',
    remedy: 'Say what the policy is for with `--endpoint`, or move its rules.',
    bad: policy(rule('on_http_request', "conn.client_ip == '192.0.2.1'"), 'modern', 'tcp-endpoint'),
    good: policy(rule('on_tcp_connect', "conn.client_ip == '192.0.2.1'"), 'modern', 'tcp-endpoint'),
  },
  {
    code: 'endpoint/variable-unavailable',
    severity: 'error',
    summary: 'a variable that this kind of endpoint does not have',
    rationale:
      'Only an endpoint that reads HTTP knows paths and headers, and only one that ends TLS knows its version.',
    remedy: 'Say what the policy is for with `--endpoint`, or use what the endpoint knows.',
    bad: policy(rule('inbound', "req.Path == '/admin'"), 'edge-v2', 'tcp-edge'),
    good: policy(rule('inbound', "conn.ClientIP == '192.0.2.1'"), 'edge-v2', 'tcp-edge'),
  },
  {
    code: 'endpoint/function-unavailable',
    severity: 'error',
    summary: 'a function that this kind of endpoint does not have',
    rationale: 'Functions that look at headers need an endpoint that reads HTTP.',
    remedy: 'Say what the policy is for with `--endpoint`, or use what the endpoint knows.',
    bad: policy(rule('inbound', "hasReqHeader('X-Debug')"), 'edge-v2', 'tcp-edge'),
    good: policy(rule('inbound', "hasReqHeader('X-Debug')")),
  },
  {
    code: 'endpoint/action-unavailable',
    severity: 'error',
    summary: 'an action that this kind of endpoint does not have',
    rationale: 'Headers can be added and requests redirected only where HTTP is read.',
    remedy: 'Say what the policy is for with `--endpoint`.',
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
    summary: 'a key of an action that has no meaning on this kind of endpoint',
    rationale: 'A connection that carries no HTTP is closed, not answered with a status.',
    remedy: 'Leave the key out.',
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
    summary: 'an expression inside of `${…}` where expressions stand by themselves',
    rationale:
      'Conditions and some values of configurations, such as `bucket_key`, are expressions as they are. Only in texts does `${…}` mark where an expression begins and ends.',
    remedy: 'Leave `${` and `}` out.',
    bad: policy('on_http_request:\n  - expressions: ["${req.method == \'PUT\'}"]\n    actions: [{ type: deny }]\n'),
    good: policy('on_http_request:\n  - expressions: ["req.method == \'PUT\'"]\n    actions: [{ type: deny }]\n'),
  },
  {
    code: 'expression/unclosed-interpolation',
    severity: 'error',
    summary: 'an expression inside a text that does not end',
    rationale: '`${` begins an expression in the texts of an action, and `}` ends it.',
    remedy: 'Write the `}`, or `$${` where the characters themselves are meant.',
    bad: policy(
      'on_http_request:\n  - actions:\n      - type: custom-response\n        config:\n          body: "hello ${req.host"\n',
    ),
    good: policy(
      'on_http_request:\n  - actions:\n      - type: custom-response\n        config:\n          body: "hello ${req.host}"\n',
    ),
  },
];
