import { MODERN } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy, applyEdits, createPhaseEnvironments } from '@tollgate/policy';
import { createSimulation } from '@tollgate/simulator';
import { expect, it } from 'vitest';
import { DEFAULT_PARTS, exchangeOf, type Parts } from './whole-exchanges.ts';

// What people write who know JavaScript, Python, PHP, SQL or nginx: one finding, whose fix decides requests as the habit would where it comes from.

const ENDPOINT = 'http-endpoint';
const TARGET = {
  profile: MODERN,
  endpoint: ENDPOINT,
  environments: createPhaseEnvironments(MODERN, ENDPOINT),
} as const;

function analyze(expression: string) {
  const text = JSON.stringify({ on_http_request: [{ expressions: [expression], actions: [{ type: 'deny' }] }] });
  return { text, ...analyzePolicy(new SourceText('p.json', text), TARGET) };
}

function fixOf(expression: string): { readonly messages: readonly string[]; readonly fixed: string | undefined } {
  const { text, diagnostics } = analyze(expression);
  const edits = diagnostics[0]?.fixes?.[0]?.edits;
  const fixed = edits && JSON.parse(applyEdits(text, edits)).on_http_request[0].expressions[0];
  return { messages: diagnostics.map(({ message }) => message), fixed };
}

/** Each of them without what is tested, with it, with other spellings of it, and with an empty value. */
const REQUESTS: readonly Parts[] = [
  ...['/', '/a', '/ab', '/b', '/a/a', '/admin', '/x/admin', '/ADMIN', '/v12/a'].map(path => ({ path })),
  ...['GET', 'POST', 'post', 'DELETE'].map(method => ({ method })),
  ...['', 'a', 'A', 'b', 'ab', 'a,b'].map(value => ({ headers: [['x', value]] as const })),
  ...['', 'a', 'b'].map(value => ({ headers: [['x-key', value]] as const })),
  { headers: [['x-key', 'a']] as const, method: 'POST' },
  ...['curl', 'curl/8.1', 'Curl/7', 'Mozilla/5.0'].map(value => ({ headers: [['user-agent', value]] as const })),
].map(parts => ({ ...DEFAULT_PARTS, ...parts }));

/** Values of a header, empty if it was not sent. */
const valuesOf = ({ headers }: Parts, name: string) =>
  headers.filter(([one]) => one === name).map(([, value]) => value);
const first = (request: Parts, name: string) => valuesOf(request, name)[0];
const has = (name: string) => (request: Parts) => valuesOf(request, name).length > 0;
const lacks = (name: string) => (request: Parts) => valuesOf(request, name).length === 0;
const isMethod = (request: Parts, ...methods: readonly string[]) => methods.includes(request.method);
const isGet = (request: Parts) => isMethod(request, 'GET');
const isPost = (request: Parts) => isMethod(request, 'POST');

/** A habit, the expression that is right, and what the habit means. */
type Habit = readonly [habit: string, right: string, meaning: (request: Parts) => boolean];

const MAPS: readonly Habit[] = [
  ["req.headers.get('x-key')[0] == 'a'", "req.headers['x-key'][0] == 'a'", it => first(it, 'x-key') === 'a'],
  ["not req.headers.get('x-key')", "!('x-key' in req.headers)", lacks('x-key')],
  ["!req.headers.get('x-key')", "!('x-key' in req.headers)", lacks('x-key')],
  [
    "req.headers.get('x-key') and req.method == 'GET'",
    "'x-key' in req.headers && req.method == 'GET'",
    it => has('x-key')(it) && isGet(it),
  ],
  ["req.headers.has('x')", "'x' in req.headers", has('x')],
  ["!req.headers.hasOwnProperty('x')", "!('x' in req.headers)", lacks('x')],
  ["req.headers.has_key('x')", "'x' in req.headers", has('x')],
  ["req.headers.includes('x')", "'x' in req.headers", has('x')],
  ["'x' in req.headers.keys()", "'x' in req.headers", has('x')],
  ["req.headers['x'].includes('a')", "'a' in req.headers['x']", it => first(it, 'x') === 'a'],
  ["isset(req.headers['x'])", "'x' in req.headers", has('x')],
  ["!defined(req.headers['x'])", "!('x' in req.headers)", lacks('x')],
  ['exists(req.headers)', 'has(req.headers)', () => true],
  ["typeof req.headers['x'] == 'undefined'", "!('x' in req.headers)", lacks('x')],
  [
    "(req.headers['x'][0] ?? 'b') == 'b'",
    "('x' in req.headers ? req.headers['x'][0] : 'b') == 'b'",
    it => (first(it, 'x') ?? 'b') === 'b',
  ],
  [
    "req.headers['x'][0] ?? '' == ''",
    "('x' in req.headers ? req.headers['x'][0] : '') == ''",
    it => (first(it, 'x') ?? '') === '',
  ],
  ["req.headers['x']?.[0] == 'a'", "req.headers['x'][0] == 'a'", it => first(it, 'x') === 'a'],
];

const LISTS: readonly Habit[] = [
  ["!req.method in ['GET', 'POST']", "!(req.method in ['GET', 'POST'])", it => !isMethod(it, 'GET', 'POST')],
  ["req.host != 'x' && !req.method == 'GET'", "req.host != 'x' && !(req.method == 'GET')", it => !isGet(it)],
  ["req.method in ('GET', 'POST')", "req.method in ['GET', 'POST']", it => isMethod(it, 'GET', 'POST')],
  ["req.method IN ('GET')", "req.method in ['GET']", isGet],
  ["req.method in ('GET')", "req.method == 'GET'", isGet],
  ["req.method in 'GET,POST'", "req.method in ['GET', 'POST']", it => isMethod(it, 'GET', 'POST')],
  [
    "['GET', 'POST'].any(m, m == req.method)",
    "['GET', 'POST'].exists(m, m == req.method)",
    it => isMethod(it, 'GET', 'POST'),
  ],
  [
    "['/a', '/b'].some(p => req.url.path.startsWith(p))",
    "['/a', '/b'].exists(p, req.url.path.startsWith(p))",
    ({ path }) => /^\/[ab]/.test(path),
  ],
  [
    "['a', 'd'].every(p, req.url.path.contains(p))",
    "['a', 'd'].all(p, req.url.path.contains(p))",
    ({ path }) => path.includes('a') && path.includes('d'),
  ],
  [
    "['a', 'd'].every((p) => { return req.url.path.contains(p); })",
    "['a', 'd'].all(p, req.url.path.contains(p))",
    ({ path }) => path.includes('a') && path.includes('d'),
  ],
  [
    "any(req.url.path.endsWith(p) for p in ['a', 'n'])",
    "['a', 'n'].exists(p, req.url.path.endsWith(p))",
    ({ path }) => /[an]$/.test(path),
  ],
];

const STRINGS: readonly Habit[] = [
  ["req.url.path.includes('/admin')", "req.url.path.contains('/admin')", ({ path }) => path.includes('/admin')],
  ["'/admin' in req.url.path", "req.url.path.contains('/admin')", ({ path }) => path.includes('/admin')],
  ["`${req.method}` == 'GET'", "req.method == 'GET'", isGet],
  [
    "lower(req.url.path) == '/admin'",
    "req.url.path.lower() == '/admin'",
    ({ path }) => path.toLowerCase() === '/admin',
  ],
  ["startsWith(req.url.path, '/a')", "req.url.path.startsWith('/a')", ({ path }) => path.startsWith('/a')],
  ["req.url.path[1] == 'a'", "req.url.path.charAt(1) == 'a'", ({ path }) => path[1] === 'a'],
  [
    "req.url.path.replace(/a/, 'b') == '/b/a'",
    "req.url.path.replace('a', 'b', 1) == '/b/a'",
    ({ path }) => path.replace(/a/, 'b') === '/b/a',
  ],
  [
    "req.url.path.replace(/a/g, 'b') == '/b/b'",
    "req.url.path.replace('a', 'b') == '/b/b'",
    ({ path }) => path.replaceAll('a', 'b') === '/b/b',
  ],
  [
    "req.url.path.replace(/^\\/v\\d+\\/(.)/, '/$1') == '/a'",
    "regex.replace(req.url.path, r'^/v\\d+/(.)', r'/\\1', 1) == '/a'",
    ({ path }) => path.replace(/^\/v\d+\/(.)/, '/$1') === '/a',
  ],
  ['/^\\/adm/i.test(req.url.path)', "req.url.path.matches('(?i)^/adm')", ({ path }) => /^\/adm/i.test(path)],
  ['req.url.path =~ /^\\/adm/i', "req.url.path.matches('(?i)^/adm')", ({ path }) => /^\/adm/i.test(path)],
];

const NAMES: readonly Habit[] = [
  ['req.method == POST', "req.method == 'POST'", isPost],
  ["http_user_agent == 'curl'", "req.headers['user-agent'][0] == 'curl'", it => first(it, 'user-agent') === 'curl'],
  ['$request_method = POST', "req.method == 'POST'", isPost],
  ["$request_method != 'POST'", "req.method != 'POST'", it => !isPost(it)],
  [
    '$http_user_agent ~* curl',
    "req.headers['user-agent'][0].matches('(?i)curl')",
    it => /curl/i.test(first(it, 'user-agent') ?? ''),
  ],
  ['$uri ~ ^/admin', "req.url.path.matches('^/admin')", ({ path }) => path.startsWith('/admin')],
  ["$request_method !~ '^(GET|POST)$'", "!req.method.matches('^(GET|POST)$')", it => !isMethod(it, 'GET', 'POST')],
  ['if ($request_method = POST) { return 405; }', "req.method == 'POST'", isPost],
];

const STATEMENTS: readonly Habit[] = [
  ["const m = req.method; m == 'POST'", "req.method == 'POST'", isPost],
  [
    "let a = '/a'; let b = req.url.path; return b.startsWith(a);",
    "req.url.path.startsWith('/a')",
    ({ path }) => path.startsWith('/a'),
  ],
  [
    "var p = req.method == 'POST'; !p && req.url.path == '/a'",
    "!(req.method == 'POST') && req.url.path == '/a'",
    it => !isPost(it) && it.path === '/a',
  ],
  ["return req.method == 'POST';", "req.method == 'POST'", isPost],
  ["if (req.method == 'POST') { return true; }", "req.method == 'POST'", isPost],
  ["if (req.method === 'POST') return false; return true;", "!(req.method == 'POST')", it => !isPost(it)],
  ["req.method == 'POST';", "req.method == 'POST'", isPost],
];

it.each([...MAPS, ...LISTS, ...STRINGS, ...NAMES, ...STATEMENTS])(
  'one message and one fix lead from %s to %s',
  (habit, right, meaning) => {
    const { messages, fixed } = fixOf(habit);
    expect([messages.length, fixed], messages.join('\n')).toEqual([1, right]);
    expect(messages[0]).toMatch(/; (?:write `|remove it)/);
    const { policy, diagnostics } = analyze(right);
    expect(diagnostics).toEqual([]);
    const { decide } = createSimulation(policy!, TARGET);
    const shown = (test: (request: Parts) => boolean) => REQUESTS.filter(test).map(one => JSON.stringify(one));
    const isDenied = (request: Parts) => decide(exchangeOf(request)).outcomes.every(({ kind }) => kind === 'denied');
    expect(shown(isDenied)).toEqual(shown(meaning));
  },
);

it('tries requests of both kinds for each habit', () => {
  const habits = [...MAPS, ...LISTS, ...STRINGS, ...NAMES, ...STATEMENTS].filter(
    ([habit]) => !habit.startsWith('exists'),
  );
  const idle = habits.filter(([, , meaning]) => new Set(REQUESTS.map(meaning)).size < 2);
  expect(idle.map(([habit]) => habit)).toEqual([]);
});

it('proposes nothing that would not check', () => {
  expect(fixOf("req.method.get('x')").messages).toEqual(['unknown method `get`']);
  expect(fixOf('isset(1)').messages).toEqual(['unknown function `isset`']);
});
