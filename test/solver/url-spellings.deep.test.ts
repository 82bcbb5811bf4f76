import { EDGE_V2, type EndpointKind, MODERN, type Phase, type Profile } from '@tollgate/catalog';
import { checkCondition, createPhaseEnvironments } from '@tollgate/policy';
import { createSimulation } from '@tollgate/simulator';
import { ConditionQuestions, SolverSession } from '@tollgate/solver/conditions';
import type { Exchange } from '@tollgate/traffic';
import { readTraffic } from '@tollgate/traffic-node';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs, seed } from '../support/runs.ts';
import { type Dialect, policyOf } from './random-policies.ts';

// What the solver claims about the URL and its parts holds however a recording spells them: hosts in capitals, ports, user information, paths
// that are missing, encoded or malformed, and request targets of other forms.

/** Number of conjunctions that are asked about in each profile. */
const CASES = runs(600, 20_000, 'TOLLGATE_URL_CASES');
const SEED = seed(20_261_129, 'TOLLGATE_URL_SEED');

const SCHEMES = ['http://', 'https://', 'HTTPS://', 'Http://', 'ftp://'];
const USERS = ['', '', '', 'u@', 'u:p@'];
const HOSTS = [
  'e.co',
  'e.co',
  'E.CO',
  'e.Co',
  'e.co.',
  'E.CO.',
  'www.e.co',
  '[::1]',
  '[2001:DB8::1]',
  '10.0.0.1',
  'ü.co',
  'e%2eco',
  '',
];
const PORTS = ['', '', ':', ':80', ':443', ':8443', ':x'];
const PATHS = [
  '',
  '/',
  '/a',
  '/A',
  '/%61',
  '/a%2',
  '/a%62',
  '/a%ff',
  '/%c3%a4',
  '/a/b',
  '/b',
  '/a:b',
  '/@a',
  '//',
  '/a//b',
  '*',
];
const QUERIES = ['', '?', '?q=1', '?/a', '?a#b', '#/a', '#'];

/** What a recording says: a URL, or its parts, and the Host header if it is recorded. */
type Recorded = Readonly<Record<string, string>>;

const PART = fc.record({
  scheme: fc.constantFrom(...SCHEMES),
  user: fc.constantFrom(...USERS),
  host: fc.constantFrom(...HOSTS),
  port: fc.constantFrom(...PORTS),
  path: fc.constantFrom(...PATHS),
  query: fc.constantFrom(...QUERIES),
});

const changedCase = (text: string) =>
  text.replace(/[a-z]/gi, one => (/[a-z]/.test(one) ? one.toUpperCase() : one.toLowerCase()));

/** The Host header names the host of the URL, in any spelling (RFC 9112, section 3.2), and is not always recorded. */
const RECORDED: fc.Arbitrary<Recorded> = fc
  .tuple(
    PART,
    fc.constantFrom('none', 'same', 'case', 'port', 'bare'),
    fc.constantFrom('url', 'url', 'parts', 'target'),
  )
  .map(([{ scheme, user, host, port, path, query }, sent, form]): Recorded => {
    const authority = `${host}${port}`;
    const header = { none: undefined, same: authority, case: changedCase(authority), port: `${host}:443`, bare: host }[
      sent as 'none'
    ];
    const hosted: Recorded = header === undefined ? {} : { host: header };
    const url = `${scheme}${user}${authority}${path}${query}`;
    if (form === 'url') return { url, ...hosted };
    if (form === 'parts') return { scheme: scheme.slice(0, -3), target: `${path}${query}` || authority, ...hosted };
    // Of a request to a proxy, the Host header does not count.
    return { target: path === '*' ? authority : url, ...(sent === 'case' ? { host: 'www.e.co' } : hosted) };
  });

async function exchangesOf(records: readonly Recorded[]): Promise<readonly Exchange[]> {
  async function* content() {
    for (const one of records) yield new TextEncoder().encode(`${JSON.stringify({ method: 'GET', ...one })}\n`);
  }
  const exchanges: Exchange[] = [];
  for await (const batch of readTraffic('a.jsonl', { content: content() })) exchanges.push(...batch.exchanges);
  return exchanges;
}

/** Tests of a string. `…` stands for it. */
const URL_TESTS = [
  ...[
    "….startsWith('https://e.co/')",
    "….startsWith('https://E.CO/')",
    "….startsWith('http://e.co')",
    "….startsWith('https://')",
  ],
  ...[
    "… == 'https://e.co/a'",
    "… == 'https://E.CO/'",
    "… == 'https://e.co'",
    "….startsWith('https://e.co:')",
    "….contains('@')",
  ],
  ...[
    "….startsWith('https://e.co?')",
    "….startsWith('http://u')",
    "….startsWith('https://[')",
    "….endsWith('/a')",
    "….contains('/a')",
  ],
  ...[
    "….contains('%')",
    "….matches('^https?://[^/]+/a$')",
    "….startsWith('HTTPS://')",
    "….startsWith('https://www.e.co/')",
    "….contains('?')",
  ],
];
const HOST_TESTS = [
  ...[
    "… == 'e.co'",
    "… == 'E.CO'",
    "… == 'e.co.'",
    "… == 'e.co:443'",
    "….endsWith('.co')",
    "….endsWith('.CO')",
    "….startsWith('www.')",
  ],
  ...[
    "….contains(':')",
    "….startsWith('[')",
    "… in ['e.co', 'www.e.co']",
    "… == ''",
    "….matches('^[a-z.]+$')",
    "….contains('E')",
    "….lowerAscii() == 'e.co'",
  ],
  ...["….matches('(?i)^e[.]co$')", 'size(…) > 5', "… == '10.0.0.1'", "….endsWith('.')", "….startsWith('u')"],
];
const SCHEME_TESTS = [
  ...["… == 'https'", "… == 'http'", "… == 'HTTPS'", "….startsWith('http')", "….endsWith('s')", "… in ['http', 'ftp']"],
  ...['size(…) > 4', "….matches('^https?$')", "… == ''"],
];
const PATH_TESTS = [
  ...[
    "… == '/'",
    "… == '/a'",
    "….startsWith('/a')",
    "….startsWith('/')",
    "… == ''",
    "… == '*'",
    "….contains('b')",
    "….endsWith('/a')",
  ],
  ...[
    "….contains('%')",
    "….contains('?')",
    "….contains('ä')",
    "….matches('^/[a-z]*$')",
    'size(…) < 3',
    "….startsWith('//')",
    "….contains(':')",
  ],
];

const about = (paths: readonly string[], tests: readonly string[]) =>
  paths.flatMap(path => tests.map(test => test.replaceAll('…', path)));

interface Subject {
  readonly profile: Profile;
  readonly endpoint: EndpointKind;
  readonly phase: Phase;
  readonly conditions: readonly string[];
}

const SUBJECTS: readonly Subject[] = [
  {
    ...{ profile: MODERN, endpoint: 'http-endpoint', phase: 'on_http_request' },
    conditions: [
      ...about(['req.url', 'req.url.raw'], URL_TESTS),
      ...about(['req.host', 'req.url.host', 'req.url.authority', "req.headers['host'][0]"], HOST_TESTS),
      ...about(['req.url.path', 'req.url.raw_path'], PATH_TESTS),
      ...about(['req.url.scheme'], SCHEME_TESTS),
      ...['req.url.port == 443', "req.url.query == 'q=1'"],
      ...["req.url.query == ''", "req.url.uri == '/a'", "req.url.user_password == ''", "'q' in req.url.query_params"],
    ],
  },
  {
    ...{ profile: EDGE_V2, endpoint: 'https-route', phase: 'inbound' },
    conditions: [
      ...about(['req.URL'], URL_TESTS),
      ...about(['req.Host', "req.Headers['Host'][0]"], HOST_TESTS),
      ...about(['req.Path'], PATH_TESTS),
      ...["'q' in req.Params", "hasQueryParam('q')"],
    ],
  },
];

describe.each(SUBJECTS)(
  'claims about URLs in the profile $profile.name',
  ({ profile, endpoint, phase, conditions }) => {
    const environments = createPhaseEnvironments(profile, endpoint);
    const context = { profile, endpoint, environments };
    const dialect: Dialect = { context, phase, conditions, actions: [] };

    it(`hold in every spelling that a recording may have (seed ${SEED})`, { timeout: 3_600_000 }, async () => {
      const records = fc.sample(RECORDED, { seed: SEED, numRuns: runs(800, 20_000) });
      const exchanges = await exchangesOf(records);
      expect(exchanges.length).toBeGreaterThan(records.length * 0.9);
      const rules = conditions.map(one => ({
        expressions: [one],
        actions: [{ type: 'log', config: { metadata: { a: '1' } } }],
      }));
      const simulation = createSimulation(policyOf(rules, dialect), context);
      const decided = exchanges.map(exchange => simulation.decide(exchange).rules.map(({ status }) => status));
      const questions = new ConditionQuestions(new SolverSession(context, { traffic: 'any' }), phase);
      const read = conditions.map(one => {
        const { typed } = checkCondition(one, {
          profile,
          place: { endpoint, phase },
          environment: environments[phase],
        });
        const { whenTrue, whenFalse } = questions.read(typed!);
        return {
          matched: { whenTrue, whenFalse },
          'not-matched': { whenTrue: whenFalse, whenFalse: whenTrue },
        } as const;
      });
      const literal = fc.tuple(
        fc.nat(conditions.length - 1),
        fc.constantFrom<'matched' | 'not-matched'>('matched', 'not-matched'),
      );
      let impossible = 0;
      const refuted: unknown[] = [];
      for (const literals of fc.sample(fc.array(literal, { minLength: 2, maxLength: 3 }), {
        seed: SEED,
        numRuns: CASES,
      })) {
        if (!questions.isUnsatisfiable(questions.allOf(literals.map(([at, status]) => read[at]![status])))) continue;
        impossible++;
        const found = decided.findIndex(statuses => literals.every(([at, status]) => statuses[at] === status));
        if (found < 0) continue;
        const { url, target, requestHeaders } = exchanges[found]!;
        refuted.push({
          literals: literals.map(([at, status]) => `${conditions[at]} ${status}`),
          url,
          target,
          fields: requestHeaders.fields,
        });
      }
      expect(refuted.slice(0, 10)).toEqual([]);
      expect(impossible).toBeGreaterThan(CASES / 50);
    });
  },
);
