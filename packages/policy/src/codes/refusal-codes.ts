import type { CodeDescription, CodeExample } from '@tollgate/diagnostics';

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

/** What the service documents that it refuses, beside the shape of values. */
export const REFUSAL_CODES: readonly CodeDescription[] = [
  {
    code: 'config/bad-url',
    severity: 'error',
    summary: 'a value that is not a URL',
    rationale: 'The action needs an absolute URL: a scheme and a host. A host name alone is not enough.',
    remedy: 'Write the scheme too: `https://my-service.internal`.',
    bad: action('forward-internal', 'url: my-service.internal'),
    good: action('forward-internal', 'url: https://my-service.internal'),
  },
  {
    code: 'config/bad-domain',
    severity: 'error',
    summary: 'a value that is not a domain',
    rationale: 'A domain has neither a scheme nor a port nor a path. Browsers ignore cookies for anything else.',
    bad: action('oauth', 'provider: google\nauth_cookie_domain: https://example.com'),
    good: action('oauth', 'provider: google\nauth_cookie_domain: example.com'),
  },
  {
    code: 'config/bad-punycode',
    severity: 'error',
    summary: 'a domain that is not valid punycode',
    rationale: 'Labels that begin with `xn--` encode characters beyond ASCII (RFC 3492). This one cannot be decoded.',
    bad: action('oauth', 'provider: google\nauth_cookie_domain: xn--99999999999.example.com'),
    good: action('oauth', 'provider: google\nauth_cookie_domain: xn--bcher-kva.example.com'),
  },
  {
    code: 'config/bad-credentials',
    severity: 'error',
    summary: 'credentials that HTTP cannot carry',
    rationale: 'Neither the user name nor the password may have control characters (RFC 7617, section 2).',
    bad: action('basic-auth', 'credentials: ["ada:long\\tenough"]'),
    good: action('basic-auth', 'credentials: ["ada:long enough"]'),
  },
  {
    code: 'config/too-short',
    severity: 'error',
    summary: 'a string that is too short',
    rationale: 'The service bounds the length of the string. The message states the bound.',
    bad: action('basic-auth', 'credentials: ["ada:secret"]'),
    good: action('basic-auth', 'credentials: ["ada:longer secret"]'),
  },
  {
    code: 'config/too-deep',
    severity: 'error',
    summary: 'a variable whose value is nested too deep',
    rationale: 'The service bounds how deep lists and maps in variables may be nested. The bound is a setting.',
    bad: action('set-vars', 'vars:\n  - tree: [[[[[[[[[[[1]]]]]]]]]]]'),
    good: action('set-vars', 'vars:\n  - tree: [[[1]]]'),
  },
  {
    code: 'config/missing-companion',
    severity: 'error',
    summary: 'a key without another one that it needs',
    rationale:
      'An id is of no use without its secret, nor a certificate without its key: the service takes both or neither.',
    bad: action('oauth', 'provider: google\nclient_id: shop'),
    good: action('oauth', "provider: google\nclient_id: shop\nclient_secret: \"${secrets.get('shop', 'google')}\""),
  },
  {
    code: 'config/unsupported-key',
    severity: 'error',
    summary: 'a key that is supported only next to another one',
    rationale:
      'An `ai-gateway` may hold keys of custom providers only. Those of standard providers belong to the account.',
    bad: action(
      'ai-gateway',
      "providers:\n  - id: openai\n    api_keys: [{ value: \"${secrets.get('ai', 'openai')}\" }]",
    ),
    good: action('ai-gateway', 'providers:\n  - id: openai'),
  },
  {
    code: 'config/inverted-range',
    severity: 'error',
    summary: 'a lower bound above the upper one',
    rationale:
      'No connection has a TLS version that is at least the lower bound and at most the upper one: all would fail.',
    bad: action('terminate-tls', 'min_version: "1.3"\nmax_version: "1.2"', TLS),
    good: action('terminate-tls', 'min_version: "1.2"\nmax_version: "1.3"', TLS),
  },
  {
    code: 'policy/conflicting-actions',
    severity: 'error',
    summary: 'two actions of which an endpoint may have one',
    rationale:
      'The service accepts one authentication action and one `ai-gateway` for each endpoint, wherever they stand.',
    remedy: 'Remove one of them, or give each an endpoint of its own.',
    bad: rules(
      `  - actions:\n${OAUTH}      - { type: openid-connect, config: { issuer_url: "https://id.example" } }\n`,
    ),
    good: rules(`  - actions:\n${OAUTH}`),
  },
  {
    code: 'policy/unhandled-traffic',
    severity: 'error',
    summary: 'a policy that may leave traffic to an upstream that does not exist',
    rationale:
      'A cloud endpoint has no upstream. The service accepts a policy for it only if some rule without expressions has a terminating action, such as `forward-internal` or `deny`.',
    bad: rules('  - expressions: ["req.url.path == \'/\'"]\n    actions: [{ type: deny }]\n', 'cloud-endpoint'),
    good: rules('  - actions: [{ type: deny }]\n', 'cloud-endpoint'),
  },
  {
    code: 'policy/unset-variable',
    severity: 'error',
    summary: 'a variable that no earlier `set-vars` sets',
    rationale: 'Reading such a variable is an evaluation error, and a condition that ends in an error does not match.',
    remedy: 'Set it in an earlier rule, or check that it exists with `has(vars.name)`.',
    bad: rules(
      '  - actions: [{ type: set-vars, config: { vars: [{ tier: gold }] } }]\n  - expressions: ["vars.teir == \'gold\'"]\n    actions: [{ type: deny }]\n',
    ),
    good: rules(
      '  - actions: [{ type: set-vars, config: { vars: [{ tier: gold }] } }]\n  - expressions: ["vars.tier == \'gold\'"]\n    actions: [{ type: deny }]\n',
    ),
  },
];
