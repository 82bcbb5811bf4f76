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

const PLATFORMS = [
  'X11; Linux x86_64',
  'Windows NT 10.0; Win64; x64',
  'Macintosh; Intel Mac OS X 14_5',
  'Linux; Android 14',
];
const TOOLS = [
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'curl/8.5.0',
  'python-requests/2.31.0',
];
const COUNTRIES = ['US', 'DE', 'FR', 'GB', 'CN', 'RU', 'BR', 'IN', 'JP', 'CA', 'AU', 'NL'];
const METHODS = ['GET', 'GET', 'GET', 'GET', 'GET', 'GET', 'POST', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'];
const STATUSES = [200, 200, 200, 200, 200, 200, 204, 301, 304, 404, 500, 503];
const SECTIONS = ['books', 'authors', 'orders', 'users', 'reviews', 'search', 'cart'];
const PROBED = ['/wp-login.php', '/.env', '/.git/config', '/admin/panel', '/old/catalogue'];

/** How often values recur: as in the traffic of a site, or never, which is the worst case for what remembers values. */
export type Variety = 'usual' | 'distinct';

/** Exchanges as a busy shop has them, the same ones for the same seed. Few clients, paths and agents account for most. */
function* exchanges(seed: number, variety: Variety): Generator<Recorded> {
  const random = randomness(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const number = (below: number) => Math.floor(random() * below);
  const [client, path, agent] = [zipf(random, 65_000, 0.9), zipf(random, 20_000, 1), zipf(random, 400, 1.1)];
  for (let index = 0; ; index++) {
    const host = pick(['www.shop.example', 'www.shop.example', 'api.shop.example', 'static.shop.example']);
    const who = variety === 'usual' ? client() : index;
    yield {
      time: new Date(1_760_000_000_000 + index * 37).toISOString(),
      clientIp: addressOf(who),
      method: pick(METHODS),
      host,
      target: variety === 'usual' ? targetOf(path(), pick, number) : targetOf(7 + index, pick, number),
      protocol: pick(['HTTP/1.1', 'HTTP/2.0', 'HTTP/2.0']),
      status: pick(STATUSES),
      size: number(60_000),
      country: COUNTRIES[who % COUNTRIES.length]!,
      tls: pick(['TLS 1.3', 'TLS 1.3', 'TLS 1.3', 'TLS 1.2']),
      userAgent: variety === 'usual' ? agentOf(agent()) : `${agentOf(index)} Build/${index}`,
      referer: random() < 0.4 ? `https://www.shop.example/${pick(SECTIONS)}` : undefined,
      cookie: random() < 0.5 ? `sid=${number(1e9).toString(36)}; theme=${pick(['dark', 'light'])}` : undefined,
      forwarded: random() < 0.2 ? `198.51.100.${number(256)}` : undefined,
    };
  }
}

/** Every eighth client has an IPv6 address. */
function addressOf(client: number): string {
  const mixed = Math.imul(client + 1, 0x9e3779b1) >>> 0;
  const [a, b] = [mixed >>> 16, mixed & 0xffff];
  if (client % 8 === 7) return `2001:db8:${(client % 64).toString(16)}:${a.toString(16)}::${(b + 1).toString(16)}`;
  return `${[10, 192, 203, 81][client % 4]}.${a >>> 8}.${a & 63}.${b & 255}`;
}

function agentOf(rank: number): string {
  const tool = rank % 8 === 3 ? TOOLS[(rank >> 3) % TOOLS.length] : undefined;
  if (tool !== undefined) return rank < 24 ? tool : `${tool} (${rank})`;
  const version = `${100 + (rank % 50)}.0.${rank}.0`;
  return `Mozilla/5.0 (${PLATFORMS[rank % PLATFORMS.length]}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version} Safari/537.36`;
}

function targetOf(rank: number, pick: <T>(list: readonly T[]) => T, number: (below: number) => number): string {
  if (rank === 0) return '/';
  if (rank % 50 === 6) return PROBED[((rank / 50) % PROBED.length) | 0]!;
  if (rank % 5 === 1) return `/static/app.${rank.toString(36)}.${['js', 'css', 'png'][rank % 3]}`;
  const query = number(4) === 0 ? `?page=${number(5000)}&sort=${pick(['title', 'price'])}` : '';
  return `${['', '/api/v1', '/api/v2'][rank % 3]}/${SECTIONS[rank % SECTIONS.length]}/${rank}${query}`;
}

/** Draws ranks below `count`, each about as often as its reciprocal to the power of `exponent`. */
function zipf(random: () => number, count: number, exponent: number): () => number {
  const sums = new Float64Array(count);
  let sum = 0;
  for (let rank = 0; rank < count; rank++) {
    sum += (rank + 1) ** -exponent;
    sums[rank] = sum;
  }
  return () => {
    const drawn = random() * sum;
    let [low, high] = [0, count - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle]! < drawn) low = middle + 1;
      else high = middle;
    }
    return low;
  };
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

/** As clients of HTTP/1.1 and HTTP/2 spell names, in one file; one of the first lines has a null. */
function mixedLine(one: Recorded, index: number): string {
  const record = JSON.parse(jsonLine(one));
  const lower = (headers: object) =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const request_headers = one.protocol === 'HTTP/2.0' ? lower(record.request_headers) : record.request_headers;
  return JSON.stringify({ ...record, request_headers, ...(index === 5000 && { referer: null }) });
}

/** Headers as columns of a table. */
function flatLine(one: Recorded): string {
  const { request_headers: _, response_headers: __, ...record } = JSON.parse(jsonLine(one));
  const headers = { user_agent: one.userAgent, referer: one.referer ?? null };
  return JSON.stringify({ ...record, ...headers, 'request_headers.X-Forwarded-For': one.forwarded ?? null });
}

/** As nginx writes it with `escape=json`. */
function nginxLine(one: Recorded): string {
  return JSON.stringify({
    time_iso8601: one.time.replace(/[.].*/, '+00:00'),
    remote_addr: one.clientIp,
    request_method: one.method,
    scheme: 'https',
    host: one.host,
    http_host: one.host,
    request_uri: one.target,
    server_protocol: one.protocol,
    status: String(one.status),
    body_bytes_sent: String(one.size),
    request_time: '0.012',
    http_user_agent: one.userAgent,
    http_referer: one.referer ?? '',
    http_x_forwarded_for: one.forwarded ?? '',
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

const LINES = { 'json-lines': jsonLine, mixed: mixedLine, flat: flatLine, nginx: nginxLine, combined: combinedLine };

export type TrafficShape = keyof typeof LINES;

/** Writes synthetic traffic of about so many bytes, and gives the number of exchanges. */
export function writeTraffic(file: string, shape: TrafficShape, bytes: number, variety: Variety = 'usual'): number {
  const lineOf = LINES[shape];
  const out = openSync(file, 'w');
  let [written, count, text] = [0, 0, ''];
  for (const one of exchanges(1, variety)) {
    text += `${lineOf(one, count)}\n`;
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
