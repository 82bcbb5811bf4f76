import { closeSync, openSync, writeSync } from 'node:fs';

/** One synthetic exchange. */
interface Recorded {
  readonly time: string;
  readonly clientIp: string;
  readonly method: string;
  readonly host: string;
  readonly target: string;
  readonly protocol: string;
  readonly status: number;
  readonly size: number;
  readonly country: string;
  readonly tls: string;
  readonly userAgent: string;
  readonly referer: string | undefined;
  readonly cookie: string | undefined;
  readonly forwarded: string | undefined;
}

const AGENTS = [
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'curl/8.5.0',
  'python-requests/2.31.0',
];
const COUNTRIES = ['US', 'DE', 'FR', 'GB', 'CN', 'RU', 'BR', 'IN', 'JP', 'CA', 'AU', 'NL'];
const METHODS = ['GET', 'GET', 'GET', 'GET', 'GET', 'GET', 'POST', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'];
const STATUSES = [200, 200, 200, 200, 200, 200, 204, 301, 304, 404, 500, 503];
const SECTIONS = ['books', 'authors', 'orders', 'users', 'reviews', 'search', 'cart'];

/** Exchanges as a busy shop has them, the same ones for the same seed. */
function* exchanges(seed: number): Generator<Recorded> {
  const random = randomness(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const number = (below: number) => Math.floor(random() * below);
  for (let index = 0; ; index++) {
    const host = pick(['www.shop.example', 'www.shop.example', 'api.shop.example', 'static.shop.example']);
    yield {
      time: new Date(1_760_000_000_000 + index * 37).toISOString(),
      clientIp: `${pick([10, 192, 203])}.${number(256)}.${number(64)}.${number(256)}`,
      method: pick(METHODS),
      host,
      target: targetOf(pick, number),
      protocol: pick(['HTTP/1.1', 'HTTP/2.0', 'HTTP/2.0']),
      status: pick(STATUSES),
      size: number(60_000),
      country: pick(COUNTRIES),
      tls: pick(['TLS 1.3', 'TLS 1.3', 'TLS 1.3', 'TLS 1.2']),
      userAgent: pick(AGENTS),
      referer: random() < 0.4 ? `https://www.shop.example/${pick(SECTIONS)}` : undefined,
      cookie: random() < 0.5 ? `sid=${number(1e9).toString(36)}; theme=${pick(['dark', 'light'])}` : undefined,
      forwarded: random() < 0.2 ? `198.51.100.${number(256)}` : undefined,
    };
  }
}

function targetOf(pick: <T>(list: readonly T[]) => T, number: (below: number) => number): string {
  const kind = number(20);
  if (kind === 0) return pick(['/wp-login.php', '/.env', '/.git/config', '/admin/panel', '/old/catalogue']);
  if (kind < 4) return '/';
  if (kind < 8) return `/static/app.${number(1e6).toString(36)}.${pick(['js', 'css', 'png'])}`;
  const query = number(3) === 0 ? `?page=${number(50)}&sort=${pick(['title', 'price'])}` : '';
  return `${pick(['', '/api/v1', '/api/v2'])}/${pick(SECTIONS)}/${number(100_000)}${query}`;
}

/** As one JSON object a line, with the names that are read by default. */
function jsonLine(one: Recorded): string {
  return JSON.stringify({
    time: one.time,
    client_ip: one.clientIp,
    method: one.method,
    url: `https://${one.host}${one.target}`,
    protocol: one.protocol,
    status: one.status,
    response_size: one.size,
    tls_version: one.tls,
    country: one.country,
    request_headers: {
      Host: one.host,
      'User-Agent': one.userAgent,
      Accept: '*/*',
      'Accept-Encoding': 'gzip, deflate, br',
      ...(one.referer !== undefined && { Referer: one.referer }),
      ...(one.cookie !== undefined && { Cookie: one.cookie }),
      ...(one.forwarded !== undefined && { 'X-Forwarded-For': one.forwarded }),
    },
    response_headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Length': String(one.size) },
  });
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** As servers write it by default. */
function combinedLine(one: Recorded): string {
  const time = new Date(one.time);
  const day = String(time.getUTCDate()).padStart(2, '0');
  const clock = `${day}/${MONTHS[time.getUTCMonth()]}/${time.getUTCFullYear()}:${one.time.slice(11, 19)} +0000`;
  const request = `${one.method} ${one.target} ${one.protocol}`;
  return `${one.clientIp} - - [${clock}] "${request}" ${one.status} ${one.size} "${one.referer ?? '-'}" "${one.userAgent}"`;
}

export type TrafficShape = 'json-lines' | 'combined';

/** Writes synthetic traffic of about so many bytes, and gives the number of exchanges. */
export function writeTraffic(file: string, shape: TrafficShape, bytes: number): number {
  const lineOf = shape === 'json-lines' ? jsonLine : combinedLine;
  const out = openSync(file, 'w');
  let [written, count, text] = [0, 0, ''];
  for (const one of exchanges(1)) {
    text += `${lineOf(one)}\n`;
    count++;
    if (text.length < 1 << 20 && written + text.length < bytes) continue;
    written += writeSync(out, text);
    text = '';
    if (written >= bytes) break;
  }
  closeSync(out);
  return count;
}

/** Numbers from 0 to less than 1 (mulberry32). */
function randomness(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
