// Thirty rules of several kinds that let an ordinary request pass, and change its response.

/** The policy of benchmarks and of bounds on size. */
export const THIRTY: object = {
  on_http_request: [
    ...Array.from({ length: 12 }, (_, n) => ({
      expressions: [`req.url.path == '/old-${n}' || req.url.path.startsWith('/legacy-${n}/')`],
      actions: [{ type: 'redirect', config: { from: `/legacy-${n}/(.*)`, to: '/new/$1' } }],
    })),
    ...Array.from({ length: 8 }, (_, n) => ({
      expressions: [`req.headers['user-agent'][0].contains('scanner-${n}')`, "req.method != 'HEAD'"],
      actions: [{ type: 'deny', config: { status_code: 403 } }],
    })),
    ...Array.from({ length: 6 }, (_, n) => ({
      expressions: [`inCidrRanges(conn.client_ip, ['198.51.${n}.0/24', '203.0.${n}.0/24'])`],
      actions: [{ type: 'custom-response', config: { status_code: 429, body: 'slower' } }],
    })),
    { expressions: ["!('x-api-key' in req.headers) && req.url.path.startsWith('/api/')"], actions: [{ type: 'deny' }] },
    { actions: [{ type: 'add-headers', config: { headers: { 'x-checked': 'yes' } } }] },
  ],
  on_http_response: [
    { expressions: ['res.status_code >= 500'], actions: [{ type: 'custom-response', config: { status_code: 503 } }] },
    { actions: [{ type: 'add-headers', config: { headers: { 'x-frame-options': 'DENY' } } }] },
  ],
};
