import type { Exchange } from './traffic.ts';

/** An expression to measure beside what a person would write for it. */
export interface EvalCase {
  readonly name: string;
  readonly source: string;
  /** The limit: safe against missing data, but without exact integers and without saying what failed. */
  readonly hand: (exchange: Exchange) => boolean;
  /** The expression for `cel-js`, which has no methods on strings and no regular expressions; it gets `contains` and the like as functions. */
  readonly celJs?: string;
}

const range = (length: number): readonly number[] => Array.from({ length }, (_, i) => i);

const CHAIN = range(20).map(i => `/path/${i}`);
const TEXTS = range(1000).map(i => (i === 500 ? '/admin/panel' : `/entry/${i}`));
const NUMBERS = range(1000).map(i => i * 104_729);
const TEXT_SET = new Set(TEXTS);
const NUMBER_SET = new Set(NUMBERS);
const quoted = (texts: readonly string[]): string => texts.map(text => `"${text}"`).join(', ');

const ORDERS = /^\/users\/[0-9]+\/orders$/;
const SCRIPTS = /\.(php|aspx?|jsp|cgi)$/;

export const EVAL_CASES: readonly EvalCase[] = [
  { name: '1 equality', source: 'req.Method == "POST"', hand: x => x.req.Method === 'POST' },
  {
    name: '2a method, country, agent',
    source:
      'req.Method == "GET" && conn.Geo.CountryCode in ["US", "DE", "FR"] && req.Headers["User-Agent"][0].contains("Mozilla")',
    celJs:
      'req.Method == "GET" && conn.Geo.CountryCode in ["US", "DE", "FR"] && contains(req.Headers["User-Agent"][0], "Mozilla")',
    hand: x =>
      x.req.Method === 'GET' &&
      (x.conn.Geo.CountryCode === 'US' || x.conn.Geo.CountryCode === 'DE' || x.conn.Geo.CountryCode === 'FR') &&
      (x.req.Headers['User-Agent']?.[0]?.includes('Mozilla') ?? false),
  },
  { name: '2b status', source: 'res.StatusCode >= 500', hand: x => x.res.StatusCode >= 500 },
  { name: '2c TLS version', source: 'conn.TLS.Version == "tls1.2"', hand: x => x.conn.TLS.Version === 'tls1.2' },
  {
    name: '2d URL contains',
    source: 'req.URL.contains("/admin/")',
    celJs: 'contains(req.URL, "/admin/")',
    hand: x => x.req.URL.includes('/admin/'),
  },
  { name: '2e length', source: 'req.ContentLength > 1000000', hand: x => x.req.ContentLength > 1_000_000 },
  {
    name: '3a 20 times ||',
    source: CHAIN.map(path => `req.Path == "${path}"`).join(' || '),
    hand: ({ req: { Path: p } }) =>
      p === '/path/0' ||
      p === '/path/1' ||
      p === '/path/2' ||
      p === '/path/3' ||
      p === '/path/4' ||
      p === '/path/5' ||
      p === '/path/6' ||
      p === '/path/7' ||
      p === '/path/8' ||
      p === '/path/9' ||
      p === '/path/10' ||
      p === '/path/11' ||
      p === '/path/12' ||
      p === '/path/13' ||
      p === '/path/14' ||
      p === '/path/15' ||
      p === '/path/16' ||
      p === '/path/17' ||
      p === '/path/18' ||
      p === '/path/19',
  },
  {
    name: '3b 20 times &&',
    source: range(20)
      .map(i => `req.ContentLength != ${i + 1}`)
      .join(' && '),
    hand: ({ req: { ContentLength: n } }) =>
      n !== 1 &&
      n !== 2 &&
      n !== 3 &&
      n !== 4 &&
      n !== 5 &&
      n !== 6 &&
      n !== 7 &&
      n !== 8 &&
      n !== 9 &&
      n !== 10 &&
      n !== 11 &&
      n !== 12 &&
      n !== 13 &&
      n !== 14 &&
      n !== 15 &&
      n !== 16 &&
      n !== 17 &&
      n !== 18 &&
      n !== 19 &&
      n !== 20,
  },
  { name: '4a in 1000 texts', source: `req.Path in [${quoted(TEXTS)}]`, hand: x => TEXT_SET.has(x.req.Path) },
  {
    name: '4b in 1000 ints',
    source: `req.ContentLength in [${NUMBERS.join(', ')}]`,
    hand: x => NUMBER_SET.has(x.req.ContentLength),
  },
  {
    name: '5a exists of 100 texts',
    source: 'req.Tags.exists(t, t == "tag-99")',
    hand: x => {
      for (const tag of x.req.Tags) if (tag === 'tag-99') return true;
      return false;
    },
  },
  {
    name: '5b all of 100 ints',
    source: 'req.Numbers.all(n, n < 995)',
    hand: x => {
      for (const n of x.req.Numbers) if (n >= 995) return false;
      return true;
    },
  },
  {
    name: '5c filter 100 ints',
    source: 'req.Numbers.filter(n, n % 2 == 0).size() > 50',
    celJs: 'size(req.Numbers.filter(n, n % 2 == 0)) > 50',
    hand: x => {
      const kept: number[] = [];
      for (const n of x.req.Numbers) if (n % 2 === 0) kept.push(n);
      return kept.length > 50;
    },
  },
  {
    name: '5d map 100 ints',
    source: 'req.Numbers.map(n, n * 2 + 1)[99] > 1000',
    hand: x => {
      const made: number[] = [];
      for (const n of x.req.Numbers) made.push(n * 2 + 1);
      return (made[99] as number) > 1000;
    },
  },
  {
    name: '6a anchored pattern',
    source: 'req.Path.matches("^/users/[0-9]+/orders$")',
    hand: x => ORDERS.test(x.req.Path),
  },
  {
    name: '6b alternatives',
    source: String.raw`req.Path.matches("\\.(php|aspx?|jsp|cgi)$")`,
    hand: x => SCRIPTS.test(x.req.Path),
  },
  {
    name: '7a prefix and suffix',
    source: 'req.Path.startsWith("/api/") && req.Path.endsWith(".json")',
    hand: x => x.req.Path.startsWith('/api/') && x.req.Path.endsWith('.json'),
  },
  {
    name: '7b concatenation, size',
    source: '(req.Host + req.Path).contains("com/admin") && size(req.Path) < 200',
    hand: x => (x.req.Host + x.req.Path).includes('com/admin') && [...x.req.Path].length < 200,
  },
  {
    name: '8 arithmetic',
    source: '(req.ContentLength + 512) * 8 / 1000 - res.Latency % 7 > 12000',
    hand: x => Math.trunc(((x.req.ContentLength + 512) * 8) / 1000) - (x.res.Latency % 7) > 12_000,
  },
  {
    name: '9a eight fields deep',
    source: 'req.Nested.b.c.d.e.f.g.h == "x"',
    hand: x => x.req.Nested.b.c.d.e.f.g.h === 'x',
  },
  {
    name: '9b four keys deep',
    source: 'req.Body["a"]["b"]["c"]["d"] == "x"',
    hand: x => x.req.Body.a?.b?.c?.d === 'x',
  },
];

/** What a client controls by leaving a header out: it must cost nothing worth the trouble. */
export const ERROR_CASE: EvalCase = {
  name: 'absent header',
  source: 'req.Headers["X-Missing"][0] == "a"',
  hand: x => x.req.Headers['X-Missing']?.[0] === 'a',
};
