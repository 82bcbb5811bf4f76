import { EDGE_V2, MODERN } from '@tollgate/catalog';
import { createPhaseEnvironments } from '@tollgate/policy';
import { createSimulation } from '@tollgate/simulator';
import { comparePolicies } from '@tollgate/solver';
import type { Exchange } from '@tollgate/traffic';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_PARTS, exchangeOf } from '../lint/whole-exchanges.ts';
import { runs, seed } from '../support/runs.ts';
import { type Dialect, policyOf } from './random-policies.ts';

// What the solver says of the path after a `url-rewrite` holds for what the simulator makes of the URL, whatever patterns, templates and URLs are.

const SEED = seed(20_261_130, 'TOLLGATE_REWRITE_SEED');

const FROM = [
  ...[
    '/v0/user/([0-9]+)(?:\\?.*)?$',
    '/a',
    '^https://[^/]+',
    'b$',
    '/',
    'a*',
    '(?i)/API',
    '\\?.*$',
    '/([a-z]+)/([a-z]+)',
  ],
  ...['.*', 'x=(\\d)', 'e[.]co', '^https?://([^/]+)(/[^?]*)', '\\b', '%61', '$', '//+', '[^/]+$'],
];
const TO = [
  ...['/', '/v1/users?id=$1&$args', '$1', '$2/$1', '/b', '?', 'https://e.co/a', 'https://other.co', '/%61', 'a', '$$1'],
  ...['$1x', '/$args', '$uri', '$scheme://e.co/b', '%', '/b?$1', 'ü', '/a/b$0'],
];
const PATHS = [
  '/',
  '/a',
  '/b',
  '/a/b',
  '/v0/user/7',
  '/api/v0/user/12',
  '/%61',
  '/a%2',
  '/%c3%bc',
  '/b//b',
  '/API/a',
  '/old',
];
const QUERIES: readonly (readonly [string, string])[][] = [
  [],
  [['x', '1']],
  [['q', '/v0/user/3']],
  [
    ['a', 'b'],
    ['b', '/a'],
  ],
];
const TESTS = [
  ...[
    "P == '/a'",
    "P == '/b'",
    "P.startsWith('/v1/')",
    "P.startsWith('/a')",
    "P == '/'",
    "P.contains('b')",
    "P.endsWith('/a')",
  ],
  ...[
    "P.matches('^/[a-z]+$')",
    "P.startsWith('/api/')",
    "P.contains('%')",
    "P == '/old'",
    "P.contains('ü')",
    'size(P) > 3',
  ],
];

const SUBJECTS = [
  { profile: EDGE_V2, endpoint: 'https-route', phase: 'inbound', path: 'req.Path', url: 'req.URL' },
  { profile: MODERN, endpoint: 'http-endpoint', phase: 'on_http_request', path: 'req.url.path', url: 'req.url' },
] as const;

describe.each(SUBJECTS)(
  'paths after a rewrite in the profile $profile.name',
  ({ profile, endpoint, phase, path, url }) => {
    const context = { profile, endpoint, environments: createPhaseEnvironments(profile, endpoint) };
    const dialect: Dialect = { context, phase, conditions: [], actions: [] };
    const mark = (value: string) => ({ type: 'log', config: { metadata: { mark: value } } });
    const exchanges: readonly Exchange[] = PATHS.flatMap(one =>
      QUERIES.flatMap(query =>
        ['e.co', 'www.e.co'].map(host => exchangeOf({ ...DEFAULT_PARTS, host, path: one, query })),
      ),
    );

    it(`are what the simulator makes of the URL (seed ${SEED})`, { timeout: 3_600_000 }, () => {
      let same = 0;
      const cases = fc.record({
        from: fc.constantFrom(...FROM),
        to: fc.constantFrom(...TO),
        before: fc.constantFrom(...TESTS, `${url}.startsWith('https://')`).map(one => one.replaceAll('P', path)),
        after: fc.array(
          fc.constantFrom(...TESTS).map(one => one.replaceAll('P', path)),
          { minLength: 1, maxLength: 2 },
        ),
        isNegated: fc.boolean(),
      });
      fc.assert(
        fc.property(cases, ({ from, to, before, after, isNegated }) => {
          const condition = isNegated ? `!(${after.join(' && ')})` : after.join(' && ');
          const rewrite = { expressions: [before], actions: [{ type: 'url-rewrite', config: { from, to } }] };
          const whole = policyOf([rewrite, { expressions: [before, condition], actions: [mark('1')] }], dialect);
          const without = policyOf([rewrite], dialect);
          const { verdict } = comparePolicies(whole, without, context);
          const { decide } = createSimulation(whole, context);
          const matched = exchanges.find(one => decide(one).rules[1]!.status === 'matched');
          if (verdict === 'same') same++;
          if (verdict === 'same' && matched !== undefined)
            expect({ from, to, before, condition, url: matched.url }).toBe('never matches');
        }),
        { numRuns: runs(30, 5000, 'TOLLGATE_REWRITE_CASES'), seed: SEED },
      );
      expect(same).toBeGreaterThan(0);
    });
  },
);
