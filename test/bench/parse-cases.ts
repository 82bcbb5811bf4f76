/** An expression to measure, by the name that the tables use. */
export interface ParseCase {
  readonly name: string;
  readonly source: string;
}

const METHODS = Array.from({ length: 20 }, (_, i) => `METHOD${i}`);

/** Policy-style expressions from the shortest to those with a thousand literals. */
export const PARSE_CASES: readonly ParseCase[] = [
  { name: '1 eq', source: "req.Method == 'POST'" },
  {
    name: '2a seed',
    source:
      "req.Method == 'POST' && conn.Geo.CountryCode in ['DE', 'FR', 'US'] && req.Headers['User-Agent'][0].contains('bot')",
  },
  { name: '2b status', source: 'res.StatusCode >= 500' },
  { name: '2c tls', source: "conn.TLS.Version == 'TLSv1.3'" },
  { name: '2d url contains', source: "req.URL.contains('/admin/')" },
  { name: '2e content length', source: 'req.ContentLength > 1000000' },
  { name: '3a 20x ||', source: METHODS.map(method => `req.Method == '${method}'`).join(' || ') },
  { name: '3b 20x &&', source: METHODS.map(method => `req.Headers['X-${method}'][0] != 'a'`).join(' && ') },
  {
    name: '4a in 1000 strings',
    source: `req.Path in [${range(1000)
      .map(i => `'/path/${i}'`)
      .join(', ')}]`,
  },
  {
    name: '4b in 1000 ints',
    source: `req.ContentLength in [${range(1000)
      .map(i => i * 37)
      .join(', ')}]`,
  },
  { name: '5a exists', source: "req.Tags.exists(t, t == 'tag-99')" },
  { name: '5b all', source: 'req.Numbers.all(n, n < 1000000)' },
  { name: '5c filter', source: 'size(req.Numbers.filter(n, n % 2 == 0)) > 10' },
  { name: '5d map', source: 'req.Numbers.map(n, n * 2 + 1)[99] > 100' },
  { name: '6a regex anchored', source: "req.Path.matches('^/users/[0-9]+/orders$')" },
  { name: '6b regex alternation', source: "req.UserAgent.matches('(bot|crawler|spider)/[0-9.]+')" },
  { name: '7a prefix and suffix', source: "req.Path.startsWith('/api/') && req.Path.endsWith('.json')" },
  { name: '7b concatenation', source: "(req.Host + req.Path).contains('example') && size(req.Path) < 200" },
  { name: '8 arithmetic', source: '(req.ContentLength + 512) * 8 / 1000 - res.Latency % 7 > 100' },
  { name: '9a fields', source: "req.a.b.c.d.e.f.g.h == 'x'" },
  { name: '9b keys', source: "req['a']['b']['c']['d'] == 'x'" },
];

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index);
}
