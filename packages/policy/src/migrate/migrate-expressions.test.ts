import { EDGE_V2, MODERN } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { describe, expect, it } from 'vitest';
import { migratePolicy } from './migrate-policy.ts';

const OPTIONS = { from: EDGE_V2, to: MODERN, endpoint: 'https-route' } as const;

/** The migrated expression, and its losses: code and source. */
function migrated(expression: string): readonly [string, ...string[]] {
  const policy = { outbound: [{ expressions: [expression], actions: [{ type: 'log' }] }] };
  const source = new SourceText('p.json', JSON.stringify(policy));
  const { text, diagnostics } = migratePolicy(source, OPTIONS);
  const result = JSON.parse(text ?? '{}') as { on_http_response: readonly [{ expressions: readonly [string] }] };
  const written = ({ start, end }: { start: number; end: number }) =>
    JSON.parse(`"${source.text.slice(start, end)}"`) as string;
  return [result.on_http_response[0].expressions[0], ...diagnostics.map(one => `${one.code} ${written(one.range)}`)];
}

describe('an expression of edge-v2 in modern', () => {
  it.each([
    ["req.Method == 'GET'", "req.method == 'GET'"],
    ["req.Path.startsWith('/a') || req.Host == 'b'", "req.url.path.startsWith('/a') || req.host == 'b'"],
    ["req.Params['q'][0] == '1' && hasQueryParam('r')", "req.url.query_params['q'][0] == '1' && hasQueryParam('r')"],
    ["conn.Geo.CountryCode in ['DE']  // where", "conn.geo.country_code in ['DE']  // where"],
    ['double(conn.Geo.Latitude) > 1.0', 'double(conn.geo.latitude) > 1.0'],
    ["[1, 2].exists(req, req == 1) && req.Method == 'A'", "[1, 2].exists(req, req == 1) && req.method == 'A'"],
    ['[req.Method].exists(m, m == req.Path)', '[req.method].exists(m, m == req.url.path)'],
  ])('gets the new names: %s', (before, after) => {
    expect(migrated(before)).toEqual([after]);
  });

  it.each([
    ["req.Headers['User-Agent'][0] == 'x'", "req.headers['user-agent'][0] == 'x'"],
    ['"X-Key" in req.Headers', '"x-key" in req.headers'],
    ["'X\\u002dKey' in res.Headers", '"x-key" in res.headers'],
    [
      'has(req.Headers.Accept) && req.Headers.Accept.size() == 1',
      'has(req.headers.accept) && req.headers.accept.size() == 1',
    ],
    ['size(req.Headers) + req.Trailers.size() > 2', 'size(req.headers) + req.trailers.size() > 2'],
    ["getReqHeader('X-Key') == []", "getReqHeader('X-Key') == []"],
  ])('looks up headers in lowercase: %s', (before, after) => {
    expect(migrated(before)).toEqual([after]);
  });

  it.each([
    ["'x-key' in req.Headers", "'x-key' in req.headers", "migrate/header-case 'x-key'"],
    ["hasReqHeader('x-key')", "hasReqHeader('x-key')", "migrate/header-case 'x-key'"],
    ['req.Method in req.Headers', 'req.method.lowerAscii() in req.headers', 'migrate/header-case req.Method'],
    [
      "req.Headers[req.Method + 'A'] == []",
      "req.headers[(req.method + 'A').lowerAscii()] == []",
      "migrate/header-case req.Method + 'A'",
    ],
    ["req.Headers.exists(k, k == 'A')", "req.headers.exists(k, k == 'A')", 'migrate/header-keys req.Headers'],
  ])('warns about a header that may match now: %s', (before, after, loss) => {
    expect(migrated(before)).toEqual([after, loss]);
  });

  it.each([
    ["res.StatusCode >= '500'", 'res.status_code >= 500'],
    ["'404' == res.StatusCode", '404 == res.status_code'],
    ['res.StatusCode in [\'200\', "204"]', 'res.status_code in [200, 204]'],
    ['res.StatusCode in [200, 204]', 'res.status_code in [200, 204]'],
    ['res.StatusCode / 100 == 4', 'res.status_code / 100 == 4'],
    ['int(res.StatusCode) > 499', 'res.status_code > 499'],
    ['double(res.StatusCode) > 499.5', 'double(res.status_code) > 499.5'],
    ["res.StatusCode.startsWith('4')", "string(res.status_code).startsWith('4')"],
    ["res.StatusCode < '5'", "string(res.status_code) < '5'"],
    ["[res.StatusCode] == ['200']", "[string(res.status_code)] == ['200']"],
  ])('treats the status as a number: %s', (before, after) => {
    expect(migrated(before)).toEqual([after]);
  });

  it.each([
    ["req.ClientTLS.Version.contains('1.3')", "conn.tls.version.contains('1.3')"],
    ["req.ClientTLS.Version < 'TLS 1.2'", "conn.tls.version < '1.2'"],
    ["req.ClientTLS.SNI == 'a'", "conn.tls.sni == 'a'"],
    [
      "req.ClientTLS.CertCN == 'a'",
      '(has(conn.tls.client.subject.common_name) ? conn.tls.client.subject.common_name : "") == \'a\'',
    ],
    ['req.ContentLength > 9', '(has(req.content_length) ? req.content_length : -1) > 9'],
  ])('keeps the meaning of a value: %s', (before, after) => {
    expect(migrated(before)).toEqual([after]);
  });

  it.each([
    ["req.ClientTLS.Version == '1.3'", "conn.tls.version == '1.3'", 'migrate/tls-version req.ClientTLS.Version'],
    ["res.ServerTLS.SNI == 'a'", "conn.tls.sni == 'a'", 'migrate/server-tls res.ServerTLS.SNI'],
    ['has(req.ContentLength)', 'has(req.content_length)', 'migrate/may-be-absent req.ContentLength'],
  ])('warns about a value that may differ: %s', (before, after, loss) => {
    expect(migrated(before)).toEqual([after, loss]);
  });

  it.each([
    ["getReqCookie('a').Value == 'b'", "getReqCookie('a').value == 'b'"],
    ["getResCookie('a').HttpOnly", "getResCookie('a').http_only"],
    ["req.Cookies.exists(c, c.Name == 'a')", "hasReqCookie('a')"],
    ["res.Cookies.exists(c, 'a' == c.Name)", "hasResCookie('a')"],
    [
      "req.Cookies.exists(c, c.Name == 'a' && c.Value == 'b')",
      "req.cookies.map(name, req.cookies[name]).flatten().exists(c, c.name == 'a' && c.value == 'b')",
    ],
    [
      'res.Cookies.all(c, c.Secure) && size(res.Cookies) == 1',
      'res.cookies.map(name, res.cookies[name]).flatten().all(c, c.secure) && ' +
        'size(res.cookies.map(name, res.cookies[name]).flatten()) == 1',
    ],
  ])('looks up cookies in a map: %s', (before, after) => {
    expect(migrated(before)).toEqual([after]);
  });

  it.each([
    [
      "req.Cookies[0].Name == 'a'",
      "req.cookies.map(name, req.cookies[name]).flatten()[0].name == 'a'",
      'migrate/cookie-order req.Cookies',
    ],
    ["getResCookie('a').MaxAge > 5", "getResCookie('a').max_age.getSeconds() > 5", 'migrate/cookie-max-age MaxAge'],
    ["getResCookie('a').SameSite == 1", "getResCookie('a').SameSite == 1", 'migrate/no-counterpart SameSite'],
    ["getReqCookie('a').Secure", "getReqCookie('a').Secure", 'migrate/no-counterpart Secure'],
    [
      'req.Cookies.exists(c, c.Secure)',
      'req.cookies.map(name, req.cookies[name]).flatten().exists(c, c.Secure)',
      'migrate/no-counterpart Secure',
    ],
    ['type(conn.Geo) == string', 'type(conn.Geo) == string', 'migrate/no-counterpart conn.Geo'],
  ])('reports what is lost of cookies and objects: %s', (before, after, loss) => {
    expect(migrated(before)).toEqual([after, loss]);
  });
});
