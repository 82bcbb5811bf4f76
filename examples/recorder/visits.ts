/** One request that a visitor sends. */
export interface Visit {
  readonly from: string;
  readonly agent: string | undefined;
  readonly method?: string;
  readonly path: string;
  readonly referer?: string;
  readonly bodySize?: number;
  /** The key of a program that calls the interface. */
  readonly key?: string;
}

export const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';
export const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0';
export const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1';
export const HOME = 'https://books.example/';

const BROWSERS = [CHROME, FIREFOX, SAFARI];

/** People reading the shop's pages, each from an address of their own. */
function readers(): Visit[] {
  return Array.from({ length: 18 }, (_, index) => {
    const who = {
      from: index % 6 === 5 ? `2001:db8:a::${index}` : `203.0.113.${20 + index}`,
      agent: BROWSERS[index % 3],
    };
    const book = index % 2 === 0 ? 'tides' : 'lanterns';
    const pages: Visit[] = [
      { ...who, path: '/', ...(index % 4 === 0 ? { referer: 'https://search.example/?q=books' } : {}) },
      { ...who, path: '/style.css', referer: HOME },
      { ...who, path: '/shop.js', referer: HOME },
      { ...who, path: '/api/v1/books', referer: HOME },
      { ...who, path: `/api/v0/user/${100 + index}?fields=name`, referer: HOME },
      { ...who, path: `/books/${book}.html`, referer: HOME },
      { ...who, path: '/books/cover.svg', referer: `${HOME}books/${book}.html` },
    ];
    if (index % 3 === 0)
      pages.push({ ...who, method: 'POST', path: '/cart', bodySize: 12, referer: `${HOME}books/${book}.html` });
    if (index % 5 === 0) pages.push({ ...who, path: '/search?q=lighthouse%20keepers&page=2', referer: HOME });
    if (index % 7 === 0) pages.push({ ...who, path: '/old-catalogue', referer: HOME });
    return pages;
  }).flat();
}

function crawlers(): Visit[] {
  const search = {
    from: '198.51.100.7',
    agent: 'Mozilla/5.0 (compatible; SearchBot/2.1; +https://search.example/bot.html)',
  };
  const training = { from: '198.51.100.77', agent: 'Mozilla/5.0 (compatible; GPTBot/1.3; +https://openai.com/gptbot)' };
  const pages = [
    '/robots.txt',
    '/',
    '/books/tides.html',
    '/books/lanterns.html',
    '/books/dunes.html',
    '/old-catalogue',
  ];
  return [search, training].flatMap(who => pages.map(path => ({ ...who, path })));
}

function scanners(): Visit[] {
  const scanner = { from: '192.0.2.66', agent: 'sqlmap/1.9#stable (https://sqlmap.org)' };
  const probes = [
    '/.env',
    '/.git/config',
    '/wp-login.php',
    '/phpmyadmin/',
    '/admin/',
    '/admin/users?id=1%27%20OR%201=1',
    '/cgi-bin/luci',
  ];
  const nameless: Visit[] = probes.map(path => ({ from: '192.0.2.99', agent: undefined, path }));
  const quoted: Visit = { from: '192.0.2.67', agent: 'Mozilla/5.0 "quoted" \\ back', path: '/?q=%22%5C' };
  return [...probes.map(path => ({ ...scanner, path })), ...nameless, quoted];
}

/** Programs that call the interface, one of them far too often. */
function programs(): Visit[] {
  const eager = { from: '198.51.100.23', agent: 'python-requests/2.32.5' };
  const calls: Visit[] = Array.from({ length: 60 }, (_, index) => ({ ...eager, path: `/api/v1/books/${index}` }));
  const app = { from: '203.0.113.200', agent: 'FernhillApp/4.2 (Android 16)' };
  for (const id of [12, 13, 14])
    calls.push({ ...app, path: `/api/v0/user/${id}?a=b` }, { ...app, path: `/api/v0/user/${id}` });
  calls.push({ ...app, path: '/api/v0/super/secret/path/to/admin?x=1' });
  calls.push({ ...app, method: 'POST', path: '/checkout', bodySize: 300 }, { ...app, path: '/report' });
  return calls;
}

function staff(): Visit[] {
  const office = { from: '203.0.113.5', agent: FIREFOX };
  return [
    { ...office, path: '/admin/' },
    { ...office, path: '/admin/orders?day=2026-11-20', referer: `${HOME}admin/` },
    { ...office, method: 'PUT', path: '/upload', bodySize: 50_000 },
    { ...office, method: 'PUT', path: '/upload', bodySize: 100_000 },
    { ...office, method: 'DELETE', path: '/admin/orders/17' },
    { ...office, method: 'OPTIONS', path: '/api/v1/books' },
    { ...office, method: 'HEAD', path: '/' },
  ];
}

/** Everything that is sent, in order. */
export const VISITS: readonly Visit[] = [...readers(), ...crawlers(), ...scanners(), ...programs(), ...staff()];

/** What is sent by those who speak no proper HTTP: a TLS greeting to the plain port, a version that is none, nothing at all. */
export const MALFORMED: readonly Buffer[] = [
  Buffer.from('1603010200010001fc0303', 'hex'),
  Buffer.from('GET / HTTP/9.9.9\r\n\r\n'),
  Buffer.from('GET /legacy\r\n'),
];
