import { EDGE_V2, EDGE_V2_SNAKE, type EvaluationContext, MODERN, type Profile } from '@tollgate/catalog';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { checkCondition, checkExpression, type ExpressionContext } from './check-expression.ts';
import { checkAnyCached, checkCached, createExpressionCache, createRepeatCache } from './expression-cache.ts';
import { createPhaseEnvironments } from './phase-environment.ts';

function contextOf(profile: Profile, phase: EvaluationContext['phase']): ExpressionContext {
  const endpoint = profile.endpoints[0]!;
  const environment = createPhaseEnvironments(profile, endpoint)[phase];
  return { profile, place: { endpoint, phase }, environment };
}

const V2 = contextOf(EDGE_V2, 'outbound');
const SNAKE = contextOf(EDGE_V2_SNAKE, 'outbound');
const NOW = contextOf(MODERN, 'on_http_response');

/** `S`, `N`, `D` and `B` stand for strings, integers, doubles and bytes; `~` for what may stand between tokens. */
const FORMS: readonly (readonly [ExpressionContext, string])[] = [
  ...[
    'req.Path.startsWith(S)',
    'req.Method == S~&&~req.Path == S',
    'req.Host in [S,~S,~S]',
    "getReqHeader('User-Agent').exists(agent,~agent.matches(S)~||~agent == S)",
    '!hasReqHeader(S)~||~req.Headers[S][N] == S',
    'req.Params[S].size() > N~||~req.Path.endsWith(S)',
    'inCidrRange(conn.ClientIP,~S)~?~N > -N~:~req.Path == S',
    'res.StatusCode >= N~&&~res.StatusCode != -~N',
    'res.StatusCode in [N,~N]',
    "[N, -N, N].all(x, x > N && [S].exists_one(y, y == S && has({S: x, 'a': N}.a)))",
    "timestamp(S)~<~timestamp('2026-01-31T12:00:00Z')",
    "timestamp('2026-01-31T12:00:00Z') + duration(S) == timestamp(N)",
    'string(N) + S~== r',
    'rr.Path == S || req.Paht == S',
    'math.greatest(N, D, -N) > D',
    'bytes(S)~==~B && B != B',
    'cel.bind(x, S, x + x == S)',
    'cel.block([S, N], cel.index(N) == N)',
    '{S: N}[?S].orValue(N) == optional.of(N).value()',
    'true ? N == N : conn.Geo.CountryCode in [S]',
    '-N.size() == N',
    '--N == - -~N',
    '!-N',
    '${req.Path == S}',
    'N',
    'S',
    'int(S) == 1~%~N',
    'double(N)~>~D',
    'ip.isCanonical(S)',
    'cidr(S).containsIP(conn.ClientIP)',
    'timestamp(N).getHours(S) > N',
  ].map(form => [V2, form] as const),
  ...[
    'req.path == S && conn.start_ts == conn.ts.start',
    'res.status_code >= N',
    'req.headers[S][0] == S',
    'conn.ts.start > timestamp(S)',
  ].map(form => [SNAKE, form] as const),
  ...[
    'req.url == S || req.url.path.startsWith(S)',
    '[req.url, S].exists(u, u == S)',
    'req.headers[S].exists(h, h.matches(S))',
    'res.status_code in [N, N] && req.url.query_params[S][N] == S',
  ].map(form => [NOW, form] as const),
];

/** What some function takes, and others refuse. */
const MEANINGFUL = ["'2026-01-31T12:00:00Z'", "'1h'", "'12'", "'10.0.0.0/8'", "'::1'", "'Europe/Berlin'", "'^a'"];

const TEXTS = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...MEANINGFUL) },
  fc.string().map(text => JSON.stringify(text)),
  fc.string({ maxLength: 3 }).map(text => `'${text}'`),
  fc.constantFrom(
    ...["''", '""', "'a'", '"/b/"', "r'\\d+'", 'R"(["', "'('", "'\\u00e9\\n\\''", "'\\q'", "'\\ud800'", "'''a'b'''"],
    ...["'a\nb'", "'a\r\nb'", "'a", "'😀'", "'\\\n'", "'\ud800'", "r'\\'", "b'x'", "'//'", "'a' + 'b'", "'\u0001'"],
    ...["'a\\", '"\\"', "rb'x'", "br'x'", "'a' // 'b'\n"],
  ),
);
const INTS = fc.oneof(
  fc.constantFrom(
    ...['0', '1', '007', '9007199254740991', '9007199254740993', '9223372036854775807', '9223372036854775808'],
    ...['9223372036854775809', '99999999999999999999', '0xff', '7u', '18446744073709551616u', '1.', '1a', '1e3', '1_0'],
  ),
  { weight: 3, arbitrary: fc.nat().map(String) },
);
const DOUBLES = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('0.0', '1.5', '20.25') },
  fc.constantFrom('.5', '1e400', '1.5e-3', '1.0.0', '2', `${'9'.repeat(400)}.0`),
  fc.double({ noNaN: true, min: 0 }).map(String),
);
const BYTES = fc.constantFrom("b''", "b'a'", "br'\\x'", "b'\\xff'", "b'\\u00e9'", 'B"é"', "rb'a'", "'a'");
const SPACES = fc.oneof(
  { weight: 6, arbitrary: fc.constant(' ') },
  { weight: 1, arbitrary: fc.constantFrom('', '\n', '\r\n', '\t', '  ', ' // c\n', ' // "c\n', '\f', '\u0001', '`') },
);

/** Sources of one form. */
function writings(form: string, count: number): fc.Arbitrary<string[]> {
  const parts = form.split(/(\b[SNDB]\b|~)/).map(part => {
    if (part === 'S') return TEXTS;
    if (part === 'N') return INTS;
    if (part === 'D') return DOUBLES;
    if (part === 'B') return BYTES;
    return part === '~' ? SPACES : fc.constant(part);
  });
  return fc.array(
    fc.tuple(...parts).map(written => written.join('')),
    { minLength: count, maxLength: count },
  );
}

describe('the cache of expressions', () => {
  it.each(FORMS)('gives the same result as checking each expression separately: %#', (context, form) => {
    let shared = 0;
    const holds = (texts: readonly string[]) => {
      const expected = texts.map(
        text => [text, checkCondition(text, context), checkExpression(text, context)] as const,
      );
      for (const cache of [createExpressionCache(), createRepeatCache(), createExpressionCache(2)]) {
        for (const [text, condition, expression] of [...expected, ...expected]) {
          expect(checkCached(text, context, cache)).toStrictEqual(condition);
          expect(checkAnyCached(text, context, cache)).toStrictEqual(expression);
        }
        shared += cache.others.get(context.environment)!.byShape.size;
      }
    };
    fc.assert(fc.property(writings(form, 4), holds), { numRuns: inject('isDeep') ? 40 : 10 });
    expect(shared > 0).toBe(!UNSHARED.has(form));
  });
});

/** Forms that are always invalid, or whose tree depends on the value of a literal. */
const UNSHARED = new Set([
  ...['string(N) + S~== r', 'rr.Path == S || req.Paht == S', '-N.size() == N', '!-N', '${req.Path == S}'],
  ...['cel.block([S, N], cel.index(N) == N)', 'req.path == S && conn.start_ts == conn.ts.start'],
]);
