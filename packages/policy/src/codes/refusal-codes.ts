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
      'The service accepts one authentication action and one `ai-gateway` per endpoint, in whatever rules they are.',
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
