/** A policy that the service refuses with a number, and what is reported of it; the nearest one that it accepts. */
export interface RefusalCase {
  readonly number: number;
  readonly code: string;
  readonly bad: string;
  readonly good: string;
  /** `https-route` when absent. */
  readonly endpoint?: 'cloud-endpoint' | 'internal-http-endpoint' | 'tcp-endpoint' | 'http-endpoint';
}

/** One for each number that can be foretold, in the profile `modern`; some numbers have several. */
export const REFUSAL_CASES: readonly RefusalCase[] = [
  {
    number: 2200,
    code: 'name/undeclared-field',
    ...rules('- { expressions: ["req.pth == \'/\'"], actions: [{ type: deny }] }', ['pth', 'url.path']),
  },
  { number: 2201, code: 'policy/unknown-action', ...action('webhook-validation', '', { type: 'log' }) },
  {
    number: 2202,
    code: 'phase/action-unavailable',
    bad: 'on_http_response: [{ actions: [{ type: deny }] }]',
    good: 'on_http_request: [{ actions: [{ type: deny }] }]',
  },
  { number: 2203, code: 'config/unknown-key', ...action('deny', 'body: no', 'status_code: 403') },
  { number: 2203, code: 'config/wrong-type', ...action('log', 'metadata: all', 'metadata: { all: yes }') },
  {
    number: 2204,
    code: 'config/bad-shape',
    ...action('basic-auth', 'realm: Büro, credentials: [a:12345678]', 'realm: staff, credentials: [a:12345678]'),
  },
  {
    number: 2205,
    code: 'endpoint/action-unavailable',
    endpoint: 'tcp-endpoint',
    bad: 'on_tcp_connect: [{ actions: [{ type: terminate-tls }] }]',
    good: 'on_tcp_connect: [{ actions: [{ type: log }] }]',
  },
  { number: 2206, code: 'policy/empty-actions', ...rules('- { actions: [] }', ['[]', '[{ type: deny }]']) },
  {
    number: 2207,
    code: 'policy/unreachable-action',
    ...rules('- { actions: [{ type: deny }, { type: log }] }', [
      '{ type: deny }, { type: log }',
      '{ type: log }, { type: deny }',
    ]),
  },
  {
    number: 2207,
    code: 'policy/unreachable-action',
    ...rules('- { actions: [{ type: forward-internal, config: { url: "https://a.internal" } }, { type: deny }] }', [
      '" }',
      '", on_error: continue }',
    ]),
  },
  {
    number: 2208,
    code: 'config/too-long',
    ...action('add-headers', `headers: { x-${'a'.repeat(300)}: b }`, 'headers: { x-a: b }'),
  },
  {
    number: 2209,
    code: 'config/too-long',
    ...action('add-headers', `headers: { x-a: ${'b'.repeat(9000)} }`, 'headers: { x-a: b }'),
  },
  {
    number: 2210,
    code: 'config/bad-header-name',
    ...action('add-headers', 'headers: { "x a": b }', 'headers: { x-a: b }'),
  },
  {
    number: 2212,
    code: 'config/map-size',
    ...action('add-headers', `headers: { ${headers(11)} }`, `headers: { ${headers(10)} }`),
  },
  { number: 2212, code: 'config/list-length', ...action('remove-headers', 'headers: []', 'headers: [x-a]') },
  {
    number: 2213,
    code: 'expression/unclosed-interpolation',
    ...action('add-headers', 'headers: { x-a: "${conn.client_ip" }', 'headers: { x-a: "${conn.client_ip}" }'),
  },
  {
    number: 2214,
    code: 'config/bad-choice',
    bad: 'on_http_response: [{ actions: [{ type: compress-response, config: { algorithms: [zstd] } }] }]',
    good: 'on_http_response: [{ actions: [{ type: compress-response, config: { algorithms: [br] } }] }]',
  },
  { number: 2215, code: 'config/out-of-range', ...action('custom-response', 'status_code: 99', 'status_code: 200') },
  {
    number: 2216,
    code: 'config/bad-shape',
    ...action('restrict-ips', 'ip_policies: [office]', 'ip_policies: [ipp_2Kk3sXQ0aZ9F]'),
  },
  { number: 2217, code: 'config/bad-cidr', ...action('restrict-ips', 'allow: [10.0.0.0/33]', 'allow: [10.0.0.0/8]') },
  {
    number: 2218,
    code: 'config/list-length',
    ...action('basic-auth', `credentials: [${credentials(11)}]`, `credentials: [${credentials(10)}]`),
  },
  {
    number: 2221,
    code: 'config/too-long',
    ...action('basic-auth', `credentials: ["a:${'b'.repeat(129)}"]`, `credentials: ["a:${'b'.repeat(128)}"]`),
  },
  { number: 2222, code: 'config/bad-choice', ...action('oauth', 'provider: gogle', 'provider: google') },
  { number: 2223, code: 'config/empty', ...action('url-rewrite', 'from: a, to: ""', 'from: a, to: b') },
  {
    number: 2224,
    code: 'name/undeclared-field',
    ...action('custom-response', 'body: "${req.hst}"', 'body: "${req.host}"'),
  },
  {
    number: 2225,
    code: 'config/out-of-range',
    ...action('http-request', 'url: "https://a.internal", timeout: 31s', 'url: "https://a.internal", timeout: 30s'),
  },
  {
    number: 2226,
    code: 'config/bad-url',
    ...action('forward-internal', 'url: my-service.internal', 'url: "https://my-service.internal"'),
  },
  {
    number: 2226,
    code: 'config/bad-url',
    ...action('openid-connect', 'issuer_url: id.example.com', 'issuer_url: "https://id.example.com"'),
  },
  {
    number: 2228,
    code: 'config/bad-duration',
    ...action('oauth', 'provider: google, max_session_duration: 1 day', 'provider: google, max_session_duration: 24h'),
  },
  {
    number: 2230,
    code: 'endpoint/phase-unavailable',
    endpoint: 'tcp-endpoint',
    bad: 'on_http_request: []',
    good: 'on_tcp_connect: []',
  },
  {
    number: 2231,
    code: 'config/duplicate-item',
    bad: 'on_http_response: [{ actions: [{ type: compress-response, config: { algorithms: [br, br] } }] }]',
    good: 'on_http_response: [{ actions: [{ type: compress-response, config: { algorithms: [br, gzip] } }] }]',
  },
  {
    number: 2234,
    code: 'config/missing-key',
    ...action('verify-webhook', 'provider: github', "provider: github, secret: \"${secrets.get('hooks', 'github')}\""),
  },
  {
    number: 2235,
    code: 'policy/unhandled-traffic',
    endpoint: 'cloud-endpoint',
    ...rules('- { expressions: ["req.method == \'GET\'"], actions: [{ type: deny }] }', [
      'expressions: ["req.method == \'GET\'"], ',
      '',
    ]),
  },
  {
    number: 2235,
    code: 'policy/unhandled-traffic',
    endpoint: 'cloud-endpoint',
    ...rules('- { actions: [{ type: forward-internal, config: { url: "https://a.internal", on_error: continue } }] }', [
      ', on_error: continue',
      '',
    ]),
  },
  {
    number: 2236,
    code: 'yaml/missing-char',
    bad: 'on_http_request: [{ actions: [{ type: log }] }\n',
    good: 'on_http_request: [{ actions: [{ type: log }] }]\n',
  },
  {
    number: 2237,
    code: 'config/too-short',
    ...action('basic-auth', 'credentials: [ada:1234567]', 'credentials: [ada:12345678]'),
  },
  {
    number: 2238,
    code: 'expression/needless-interpolation',
    ...rules('- { expressions: ["${req.host == \'a\'}"], actions: [{ type: deny }] }', ['${', ''], ['}"', '"']),
  },
  {
    number: 2239,
    code: 'policy/conflicting-actions',
    ...rules(
      '- { actions: [{ type: oauth, config: { provider: google } }, { type: oauth, config: { provider: github } }] }',
      [', { type: oauth, config: { provider: github } }', ''],
    ),
  },
  {
    number: 2240,
    code: 'config/missing-companion',
    ...action(
      'oauth',
      'provider: google, client_id: shop',
      "provider: google, client_id: shop, client_secret: \"${secrets.get('a', 'b')}\"",
    ),
  },
  {
    number: 2240,
    code: 'config/missing-companion',
    endpoint: 'http-endpoint',
    bad: "on_tcp_connect: [{ actions: [{ type: terminate-tls, config: { server_certificate: \"${secrets.get('a', 'b')}\" } }] }]",
    good: "on_tcp_connect: [{ actions: [{ type: terminate-tls, config: { server_certificate: \"${secrets.get('a', 'b')}\", server_private_key: \"${secrets.get('a', 'c')}\" } }] }]",
  },
  {
    number: 2242,
    code: 'config/bad-punycode',
    ...action(
      'oauth',
      'provider: google, auth_cookie_domain: xn--99999999999.example.com',
      'provider: google, auth_cookie_domain: xn--bcher-kva.example.com',
    ),
  },
  {
    number: 2243,
    code: 'config/bad-domain',
    ...action(
      'oauth',
      'provider: google, auth_cookie_domain: "https://example.com"',
      'provider: google, auth_cookie_domain: example.com',
    ),
  },
  {
    number: 2244,
    code: 'config/list-length',
    ...action(
      'http-request',
      `url: "https://a.internal", query_params: [${params(33)}]`,
      `url: "https://a.internal", query_params: [${params(32)}]`,
    ),
  },
  {
    number: 2245,
    code: 'config/too-long',
    ...action(
      'http-request',
      `url: "https://a.internal", query_params: [{ key: ${'k'.repeat(129)}, value: v }]`,
      'url: "https://a.internal", query_params: [{ key: k, value: v }]',
    ),
  },
  {
    number: 2246,
    code: 'config/too-long',
    ...action(
      'http-request',
      `url: "https://a.internal", query_params: [{ key: k, value: ${'v'.repeat(8193)} }]`,
      'url: "https://a.internal", query_params: [{ key: k, value: v }]',
    ),
  },
  {
    number: 2248,
    code: 'endpoint/phase-unavailable',
    bad: 'on_tcp_connect: [{ actions: [{ type: log }] }]',
    good: 'on_http_request: [{ actions: [{ type: log }] }]',
  },
  {
    number: 2250,
    code: 'config/too-deep',
    ...action('set-vars', `vars: [{ tree: ${'['.repeat(12)}${']'.repeat(12)} }]`, 'vars: [{ tree: [[[]]] }]'),
  },
  {
    number: 2252,
    code: 'config/map-size',
    ...action('set-vars', 'vars: [{ a: 1, b: 2 }]', 'vars: [{ a: 1 }, { b: 2 }]'),
  },
  { number: 2252, code: 'config/wrong-type', ...action('set-vars', 'vars: { a: 1 }', 'vars: [{ a: 1 }]') },
  {
    number: 2255,
    code: 'config/list-length',
    ...action('set-vars', `vars: [${variables(101)}]`, `vars: [${variables(100)}]`),
  },
  {
    number: 2257,
    code: 'config/bad-credentials',
    ...action('basic-auth', 'credentials: ["a\\tda:12345678"]', 'credentials: ["ada:12345678"]'),
  },
  {
    number: 2258,
    code: 'config/bad-credentials',
    ...action('basic-auth', 'credentials: ["ada:1234\\n5678"]', 'credentials: ["ada:12345678"]'),
  },
  { number: 2261, code: 'config/bad-pattern', ...action('url-rewrite', 'from: "a(?=b)", to: c', 'from: "ab", to: c') },
  {
    number: 2262,
    code: 'endpoint/phase-unavailable',
    endpoint: 'internal-http-endpoint',
    bad: 'on_tcp_connect: [{ actions: [{ type: log }] }]',
    good: 'on_http_request: [{ actions: [{ type: log }] }]',
  },
  { number: 2264, code: 'limit/rules', bad: repeated(10_001), good: repeated(10) },
  {
    number: 2265,
    code: 'limit/actions',
    bad: `on_http_request: [{ actions: [${many(1001, () => '{ type: log }')}] }]`,
    good: `on_http_request: [{ actions: [${many(10, () => '{ type: log }')}] }]`,
  },
  {
    number: 2265,
    code: 'limit/expressions',
    bad: `on_http_request: [{ expressions: [${many(1001, () => '"true"')}], actions: [{ type: log }] }]`,
    good: `on_http_request: [{ expressions: [${many(10, () => '"true"')}], actions: [{ type: log }] }]`,
  },
  {
    number: 2266,
    code: 'policy/conflicting-actions',
    ...rules(
      '- { expressions: ["req.host == \'a\'"], actions: [{ type: ai-gateway }] }\n  - { actions: [{ type: ai-gateway }] }',
      ['\n  - { actions: [{ type: ai-gateway }] }', ''],
    ),
  },
  {
    number: 2267,
    code: 'config/unsupported-key',
    ...action(
      'ai-gateway',
      'providers: [{ id: openai, api_keys: [] }]',
      'providers: [{ id: own, base_url: "https://models.internal", api_keys: [] }]',
    ),
  },
];

type Pair = Pick<RefusalCase, 'bad' | 'good'>;

function rules(text: string, ...changes: readonly (readonly [from: string, to: string])[]): Pair {
  const good = changes.reduce((left, [from, to]) => left.replace(from, to), text);
  return { bad: `on_http_request:\n  ${text}\n`, good: `on_http_request:\n  ${good}\n` };
}

function action(type: string, bad: string, good: string | { readonly type: string }): Pair {
  const policy = (name: string, config: string) =>
    `on_http_request:\n  - actions:\n      - { type: ${name}${config === '' ? '' : `, config: { ${config} }`} }\n`;
  return { bad: policy(type, bad), good: typeof good === 'string' ? policy(type, good) : policy(good.type, '') };
}

function many(count: number, make: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => make(index)).join(', ');
}

function headers(count: number): string {
  return many(count, index => `x-${index}: a`);
}

function credentials(count: number): string {
  return many(count, index => `user${index}:12345678`);
}

function params(count: number): string {
  return many(count, index => `{ key: k${index}, value: v }`);
}

function variables(count: number): string {
  return many(count, index => `{ v${index}: ${index} }`);
}

function repeated(count: number): string {
  return `on_http_request: [${many(count, () => '{ actions: [{ type: log }] }')}]`;
}
