import type { NonValue } from '@tollgate/cel';
import type { Exchange } from './traffic.ts';

/** The expressions of each of 30 rules, as a policy of some size has them. */
export const POLICY_RULES: readonly (readonly string[])[] = [
  ['req.Method == "POST"', 'req.Path.startsWith("/api/")'],
  ['req.Method in ["PUT", "DELETE"]'],
  ['conn.Geo.CountryCode in ["CN", "RU"]'],
  ['conn.Geo.CountryCode != "US"', 'req.Path == "/admin/panel"'],
  ['req.Headers["User-Agent"][0].contains("bot")'],
  ['req.Headers["User-Agent"][0].startsWith("curl/")', 'req.Method != "GET"'],
  ['"Authorization" in req.Headers'],
  ['!("Cookie" in req.Headers)', 'req.Path.startsWith("/users/")'],
  ['req.Headers["Accept"][0] == "value 1"'],
  ['req.Headers["X-Forwarded-For"][0].startsWith("value")', 'conn.TLS.Version == "tls1.2"'],
  ['conn.TLS.Version == "tls1.2"'],
  ['conn.TLS.Version == "tls1.2" || conn.Geo.CountryCode == "BR"'],
  ['req.ContentLength > 1000000'],
  ['req.ContentLength > 500000', 'req.Method == "POST"'],
  ['req.ContentLength + 512 > 2000000 || req.Host == "api.example.com"'],
  ['req.Path.endsWith(".php")'],
  ['req.Path.endsWith(".json") || req.Path.endsWith(".js")'],
  ['req.Path == "/" || req.Path == "/index.html" || req.Path == "/static/app.js"'],
  ['req.URL.contains("/admin/")'],
  ['req.URL.contains("page=")', 'req.Method == "GET"'],
  ['req.Host == "shop.example.com"'],
  ['req.Host in ["www.example.com", "shop.example.com"]', 'req.Path.contains("login")'],
  ['res.StatusCode >= 500'],
  ['res.StatusCode >= 400 && res.StatusCode < 500'],
  ['res.StatusCode == 301 || res.StatusCode == 302'],
  ['res.Latency > 250'],
  ['res.Latency > 100', 'res.StatusCode == 200', 'req.Method == "GET"'],
  ['size(req.Path) > 12'],
  ['req.Headers["Referer"][0] == "value 3" || req.Method == "HEAD"'],
  ['!(req.Method in ["GET", "HEAD", "OPTIONS"]) && conn.Geo.CountryCode != "DE"'],
];

/** What a person would write for the whole policy, with everything that rules share read once. */
export function handWritten(x: Exchange, results: (boolean | NonValue)[]): void {
  const { Method: method, Path: path, URL: url, Host: host, ContentLength: length, Headers: headers } = x.req;
  const country = x.conn.Geo.CountryCode;
  const old = x.conn.TLS.Version === 'tls1.2';
  const { StatusCode: status, Latency: latency } = x.res;
  const agent = headers['User-Agent']?.[0];
  results[0] = method === 'POST' && path.startsWith('/api/');
  results[1] = method === 'PUT' || method === 'DELETE';
  results[2] = country === 'CN' || country === 'RU';
  results[3] = country !== 'US' && path === '/admin/panel';
  results[4] = agent?.includes('bot') ?? false;
  results[5] = (agent?.startsWith('curl/') ?? false) && method !== 'GET';
  results[6] = headers.Authorization !== undefined;
  results[7] = headers.Cookie === undefined && path.startsWith('/users/');
  results[8] = headers.Accept?.[0] === 'value 1';
  results[9] = (headers['X-Forwarded-For']?.[0]?.startsWith('value') ?? false) && old;
  results[10] = old;
  results[11] = old || country === 'BR';
  results[12] = length > 1_000_000;
  results[13] = length > 500_000 && method === 'POST';
  results[14] = length + 512 > 2_000_000 || host === 'api.example.com';
  results[15] = path.endsWith('.php');
  results[16] = path.endsWith('.json') || path.endsWith('.js');
  results[17] = path === '/' || path === '/index.html' || path === '/static/app.js';
  results[18] = url.includes('/admin/');
  results[19] = url.includes('page=') && method === 'GET';
  results[20] = host === 'shop.example.com';
  results[21] = (host === 'www.example.com' || host === 'shop.example.com') && path.includes('login');
  results[22] = status >= 500;
  results[23] = status >= 400 && status < 500;
  results[24] = status === 301 || status === 302;
  results[25] = latency > 250;
  results[26] = latency > 100 && status === 200 && method === 'GET';
  results[27] = path.length > 12;
  results[28] = headers.Referer?.[0] === 'value 3' || method === 'HEAD';
  results[29] = method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS' && country !== 'DE';
}
