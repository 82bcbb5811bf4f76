import { CHROME, FIREFOX, HOME, SAFARI, type Visit } from './visits.ts';

/** A visit with its time, in seconds since midnight. */
export interface TimedVisit extends Visit {
  readonly second: number;
}

const HOUR = 3600;
const DAY = 24 * HOUR;

/** Returns the same pseudo-random numbers from 0 to 1 each time. */
function randomness(): () => number {
  let state = 20_261_121;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** One day of the shop, in order: readers, a newsletter that many follow, crawlers, scanners, programs and the office. */
export function visitsOfDay(): readonly TimedVisit[] {
  const random = randomness();
  const visits = [
    ...readers(random),
    ...newsletter(random),
    ...crawlers(),
    ...scanners(random),
    ...programs(),
    ...office(random),
  ];
  return visits.filter(({ second }) => second < DAY).sort((a, b) => a.second - b.second);
}

type Random = () => number;

function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)]!;
}

const BOOKS = ['tides', 'lanterns', 'dunes'];

/** Few at night, most in the late afternoon. */
function hourOfReader(random: Random): number {
  for (;;) {
    const hour = random() * 24;
    if (random() < 0.06 + 0.94 * Math.exp(-(((hour - 16) / 4.5) ** 2))) return hour;
  }
}

function readers(random: Random): TimedVisit[] {
  return Array.from({ length: 260 }, (_, index) => {
    const from = index % 6 === 5 ? `2001:db8:a::${(100 + index).toString(16)}` : `203.0.113.${20 + (index % 150)}`;
    return session(
      random,
      hourOfReader(random) * HOUR,
      { from, agent: pick(random, [CHROME, FIREFOX, SAFARI]) },
      index,
    );
  }).flat();
}

/** The start page, whose script asks for the list of books without a key, and some books. */
function session(random: Random, start: number, who: Pick<Visit, 'from' | 'agent'>, index: number): TimedVisit[] {
  const book = `/books/${pick(random, BOOKS)}.html`;
  const pages: Visit[] = [
    { ...who, path: '/', ...(random() < 0.3 ? { referer: 'https://search.example/?q=books' } : {}) },
    { ...who, path: '/style.css', referer: HOME },
    { ...who, path: '/shop.js', referer: HOME },
    { ...who, path: '/api/v1/books', referer: HOME },
    { ...who, path: book, referer: HOME },
    { ...who, path: '/books/cover.svg', referer: `${HOME}${book.slice(1)}` },
  ];
  if (index % 3 === 0) pages.push({ ...who, path: `/api/v0/user/${100 + index}?fields=name`, referer: HOME });
  if (index % 4 === 0)
    pages.push({ ...who, method: 'POST', path: '/cart', bodySize: 12, referer: `${HOME}${book.slice(1)}` });
  if (index % 5 === 0) pages.push({ ...who, path: '/search?q=lighthouse%20keepers&page=2', referer: HOME });
  if (index % 9 === 0) pages.push({ ...who, path: '/old-catalogue', referer: 'https://reader.example/lists' });
  if (index % 40 === 0)
    pages.push({ ...who, method: 'POST', path: '/checkout', bodySize: 300, referer: `${HOME}cart` });
  return pages.map((page, at) => ({ ...page, second: start + at * (at < 4 ? 0.2 : 20) + random() }));
}

/** Sent at half past seven in the evening, with a link to the catalogue of last year. */
function newsletter(random: Random): TimedVisit[] {
  return Array.from({ length: 110 }, (_, index): TimedVisit[] => {
    const who = { from: `198.18.${index % 4}.${index}`, agent: pick(random, [CHROME, SAFARI, SAFARI]) };
    const second = 19.5 * HOUR - 2400 * Math.log(1 - random() * 0.99);
    return [
      { ...who, path: '/old-catalogue?from=newsletter', second },
      { ...who, path: '/books/tides.html', second: second + 0.4 },
      { ...who, path: '/books/cover.svg', referer: `${HOME}books/tides.html`, second: second + 0.6 },
    ];
  }).flat();
}

const CRAWLED = [
  '/robots.txt',
  '/',
  '/books/tides.html',
  '/books/lanterns.html',
  '/books/dunes.html',
  '/old-catalogue',
];

function crawlers(): TimedVisit[] {
  const search = {
    from: '198.51.100.7',
    agent: 'Mozilla/5.0 (compatible; SearchBot/2.1; +https://search.example/bot.html)',
  };
  const training = { from: '198.51.100.77', agent: 'Mozilla/5.0 (compatible; GPTBot/1.3; +https://openai.com/gptbot)' };
  return [
    ...Array.from({ length: 72 }, (_, at) => ({
      ...search,
      path: CRAWLED[at % CRAWLED.length]!,
      second: at * 1200 + 77,
    })),
    ...Array.from({ length: 60 }, (_, at) => ({
      ...training,
      path: CRAWLED[at % CRAWLED.length]!,
      second: 4.2 * HOUR + at * 95,
    })),
  ];
}

const PROBES = [
  '/.env',
  '/.git/config',
  '/wp-login.php',
  '/phpmyadmin/',
  '/admin/',
  '/admin/users?id=1%27%20OR%201=1',
  '/cgi-bin/luci',
  '/config.php',
  '/api/.env',
];

function scanners(random: Random): TimedVisit[] {
  const loud = { from: '192.0.2.66', agent: 'sqlmap/1.9#stable (https://sqlmap.org)' };
  const quiet = { from: '192.0.2.99', agent: undefined };
  return [
    ...Array.from({ length: 140 }, (_, at) => ({
      ...loud,
      path: pick(random, PROBES),
      second: 10.9 * HOUR + at * 6 + random(),
    })),
    ...Array.from({ length: 36 }, (_, at) => ({
      ...quiet,
      path: PROBES[at % PROBES.length]!,
      second: 2.6 * HOUR + at * 40,
    })),
  ];
}

/** A partner with a key, a program without one that asks all day, and an app that still asks for users where they were. */
function programs(): TimedVisit[] {
  const partner = { from: '198.51.100.40', agent: 'partner-sync/3.1', key: 'demo-key-of-the-partner' };
  const eager = { from: '198.51.100.23', agent: 'python-requests/2.32.5' };
  const app = { from: '203.0.113.200', agent: 'FernhillApp/4.2 (Android 16)' };
  return [
    ...Array.from({ length: 48 }, (_, at) => ({ ...partner, path: '/api/v1/books', second: at * 1800 + 12 })),
    ...Array.from({ length: 160 }, (_, at) => ({ ...eager, path: `/api/v1/books/${at}`, second: at * 540 + 5 })),
    ...Array.from({ length: 40 }, (_, at) => ({
      ...app,
      path: `/api/v0/user/${at % 7}?a=b`,
      second: 6 * HOUR + at * 1500,
    })),
    ...Array.from({ length: 6 }, (_, at) => ({ ...app, path: '/report', second: 13 * HOUR + at * 120 })),
  ];
}

function office(random: Random): TimedVisit[] {
  const desk = { from: '203.0.113.5', agent: FIREFOX };
  return Array.from({ length: 45 }, (_, at) => ({
    ...desk,
    path: pick(random, ['/admin/', '/admin/orders?day=2026-11-21', '/admin/orders/17']),
    ...(at % 9 === 8 ? { method: 'DELETE', path: `/admin/orders/${at}` } : {}),
    second: 8.5 * HOUR + at * 720 + random() * 300,
  }));
}
