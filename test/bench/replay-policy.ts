const log = (reason: string) => ({ type: 'log', config: { metadata: { reason } } });
const deny = (status: number) => ({ type: 'deny', config: { status_code: status } });
const header = (name: string, value: string) => ({ type: 'add-headers', config: { headers: { [name]: value } } });

/** A policy of 30 rules as a shop may have it: what is refused, answered, redirected, marked, and noted. */
export const REPLAY_POLICY = {
  inbound: [
    rule(["req.Path.endsWith('.php')"], log('scanner'), deny(404)),
    rule(["req.Path.startsWith('/.git/') || req.Path in ['/.env', '/xmlrpc.php', '/server-status']"], deny(404)),
    rule(["conn.Geo.CountryCode in ['KP', 'SY']"], deny(403)),
    rule(["inCidrRange(conn.ClientIP, '203.9.0.0/16')"], log('blocked network'), deny(403)),
    rule(["inCidrRange(conn.ClientIP, '2001:db8:7::/48')"], log('blocked network'), deny(403)),
    rule(["inCidrRanges(conn.ClientIP, ['192.4.0.0/14', '81.128.0.0/12', '2001:db8:20::/44'])"], log('partner')),
    rule(["inCidrRange(conn.ClientIP, '2001:db8::/32')", "req.Method == 'POST'"], log('write over IPv6')),
    rule(["req.Headers['User-Agent'][0].contains('bot')", "req.Path.startsWith('/cart')"], deny(403)),
    rule(["req.Headers['User-Agent'][0].startsWith('python-requests/')", "req.Method != 'GET'"], deny(403)),
    rule(["!('User-Agent' in req.Headers)"], { type: 'custom-response', config: { status_code: 400, content: 'no' } }),
    rule(["req.Path == '/old/catalogue'"], { type: 'redirect', config: { from: '/old/catalogue', to: '/books' } }),
    rule(["req.Path.startsWith('/admin/')", "!inCidrRange(conn.ClientIP, '10.0.0.0/8')"], deny(403)),
    rule(["req.Method == 'TRACE' || req.Method == 'CONNECT'"], deny(405)),
    rule(["req.ClientTLS.Version == 'TLS 1.0' || req.ClientTLS.Version == 'TLS 1.1'"], deny(426)),
    rule(["'X-Forwarded-For' in req.Headers"], log('behind a proxy')),
    rule(["req.Headers['X-Forwarded-For'][0].startsWith('198.51.100.7')"], log('known proxy')),
    rule(["req.Host == 'api.shop.example'", "req.Path.startsWith('/api/v1')"], header('Deprecation', 'true')),
    rule(["req.Method in ['PUT', 'DELETE']", "req.Path.startsWith('/api/')"], header('X-Write', '1'), log('write')),
    rule(["'Cookie' in req.Headers"], header('X-Session', 'yes')),
    rule(["req.Headers['Referer'][0].contains('/search')"], log('from search')),
    rule(["conn.Geo.CountryCode == 'DE' || conn.Geo.CountryCode == 'FR'"], header('X-Region', 'eu')),
    rule(["req.URL.contains('sort=price')"], log('sorted')),
  ],
  outbound: [
    rule(["res.StatusCode >= '500'"], log('failure')),
    rule(["res.StatusCode == '404'", "req.Path.startsWith('/api/')"], header('X-Hint', 'moved')),
    rule(["res.StatusCode == '301' || res.StatusCode == '302'"], log('moved')),
    rule(["res.Headers['Content-Type'][0].startsWith('text/html')"], header('X-Frame-Options', 'DENY')),
    rule([], { type: 'remove-headers', config: { headers: ['Server', 'X-Powered-By'] } }),
    rule(["req.Method == 'OPTIONS'"], header('Access-Control-Max-Age', '600')),
    rule(["'Set-Cookie' in res.Headers"], log('cookie')),
    rule(["req.Path.endsWith('.js') || req.Path.endsWith('.css')"], header('Cache-Control', 'max-age=3600')),
  ],
};

/** The rules, and others on paths, user agents and addresses. */
export function largePolicy(): typeof REPLAY_POLICY {
  const inbound = Array.from({ length: 970 }, (_, n) => {
    const conditions = [
      `req.Path.startsWith('/section-${n}/')`,
      `req.Path.matches('^/(?:a|b)-${n}/[0-9]+$')`,
      `req.Headers['User-Agent'][0].contains('scanner-${n}')`,
      `inCidrRange(conn.ClientIP, '81.${n % 256}.${n >> 4}.0/24')`,
    ];
    return { expressions: [conditions[n % 4]!], actions: [{ type: 'log', config: { metadata: { n: String(n) } } }] };
  });
  return { ...REPLAY_POLICY, inbound: [...REPLAY_POLICY.inbound, ...inbound] } as typeof REPLAY_POLICY;
}

/** Without the third rule, and with another at the end. */
export function changedPolicy(): object {
  const added = { expressions: ["req.Path.startsWith('/search')"], actions: [{ type: 'deny' }] };
  return { ...REPLAY_POLICY, inbound: [...REPLAY_POLICY.inbound.toSpliced(2, 1), added] };
}

function rule(expressions: readonly string[], ...actions: readonly object[]) {
  return { expressions, actions };
}
