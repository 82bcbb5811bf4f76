import { type EndpointKind, type Phase, PROFILES, type Profile } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { activate, createLinter, LINT_RULES, lintText } from '@tollgate/lint';

// Defects in many variants of each class: a rule that earlier rules cover, and a condition that contradicts another one of its rule.

/** Conditions of earlier rules, and one that they cover together. */
export interface Planted {
  readonly earlier: readonly string[];
  readonly covered: string;
  /** Of the profile `modern`. */
  readonly isModern?: boolean;
}

const WORDS = ['admin', 'api', 'wp', 'a.b', 'x', 'internal-1', 'Ünïcode'];
const PLAIN = WORDS.filter(word => /^[a-z]*$/.test(word));
const NUMBERS = [0, 1, 7, 80, 404, 65_535];
const YEARS = [2024, 2026, 2030];

/** A word as an RE2 pattern in a string literal. */
function pattern(word: string): string {
  return word.replaceAll('.', '[.]');
}

type Pair = readonly [earlier: readonly string[], covered: string];

function each<T>(values: readonly T[], make: (value: T) => readonly Pair[]): readonly Planted[] {
  return values.flatMap(make).map(([earlier, covered]) => ({ earlier, covered }));
}

function modern(planted: readonly Planted[]): readonly Planted[] {
  return planted.map(one => ({ ...one, isModern: true }));
}

const DEFECTS: Readonly<Record<string, readonly Planted[]>> = {
  'prefix against regular expression': each(WORDS, word => [
    [[`req.Path.startsWith('/${word}')`], `req.Path.matches('^/${pattern(word)}/[0-9]+$')`],
    [[`req.Path.matches('^/${pattern(word)}')`], `req.Path.startsWith('/${word}/x')`],
    [[`req.Path.endsWith('.${word}')`], `req.Path.matches('^/[a-z]+[.]${pattern(word)}$')`],
  ]),
  'regular expression against regular expression': each(WORDS, word => [
    [[`req.Path.matches('^/${pattern(word)}/')`], `req.Path.matches('^/${pattern(word)}/[a-z]{2,5}$')`],
    [[`req.Path.matches('${pattern(word)}')`], `req.Path.matches('/${pattern(word)}(/|$)')`],
    [[`req.Path.matches('^/[^/]*$')`], `req.Path.matches('^/${pattern(word)}[a-z0-9]*$')`],
  ]),
  'alternatives and flags': each(WORDS, word => [
    [[`req.Path.matches('^/(${pattern(word)}|b|c)')`], `req.Path.startsWith('/${word}')`],
    [[`req.Path.matches('(?i)^/${pattern(word)}$')`], `req.Path == '/${word.toUpperCase()}'`],
    [[`req.Path.matches('(?i)${pattern(word)}')`], `req.Path.contains('${word}')`],
  ]),
  'lower case': each(PLAIN, word => [
    [[`req.Path.lowerAscii().startsWith('/${word}')`], `req.Path.startsWith('/${word}')`],
    [[`req.Path.lowerAscii() == '/${word}'`], `req.Path == '/${word.toUpperCase()}'`],
    [
      [`req.Host.lowerAscii().endsWith('.${word}')`],
      `req.Host.matches('(?i)^[a-j]+[.]${word}$') && req.Host.matches('^[A-Za-z.]*$')`,
    ],
  ]),
  size: each(
    NUMBERS.filter(one => one < 500),
    length => [
      [[`size(req.Path) >= ${length}`], `size(req.Path) > ${length}`],
      [[`size(req.Path) <= ${length + 5}`], `req.Path.matches('^.{0,${length + 3}}$') && !req.Path.contains('\\n')`],
      [[`size(req.Path) > ${length}`], `req.Path.startsWith('/${'x'.repeat(length)}')`],
    ],
  ),
  substring: each(WORDS, word => [
    [[`req.Path.contains('${word}')`], `req.Path.startsWith('/${word}/')`],
    [[`req.Path.contains('${word}')`], `req.Path.endsWith('/x${word}')`],
    [[`req.Path.contains('${word.at(0)}')`], `req.Path.contains('x${word}x')`],
  ]),
  'URL against path and host': each(PLAIN, word => [
    [[`req.Path.startsWith('/${word}')`], `req.URL == 'https://example.com/${word}/x'`],
    [[`req.Path.startsWith('/${word}')`], `req.URL.matches('^https://[^/]+/${word}/')`],
    [[`req.Path.contains('${word}')`], `req.URL.startsWith('https://example.com/a/${word}/')`],
    // `Host` may have a port that the URL does not have, and other letters may be capitals.
    [[`req.Host.lowerAscii().startsWith('${word}.example.com')`], `req.URL.startsWith('https://${word}.example.com/')`],
    [
      [`req.Host.matches('(?i)[.]${word}[.]example(:[0-9]+)?$')`],
      `req.URL.matches('^https://[a-z]+[.]${word}[.]example/')`,
    ],
    [
      [`req.Host.lowerAscii().startsWith('${word}.example') && req.Path == '/x'`],
      `req.URL == 'https://${word}.example/x?q=1'`,
    ],
  ]),
  arithmetic: each(NUMBERS, number => [
    [[`req.ContentLength > ${number}`], `req.ContentLength * 2 > ${2 * number + 2}`],
    // Without the bound, the sum may overflow and fail.
    [[`req.ContentLength + 10 >= ${number}`], `req.ContentLength >= ${number} && req.ContentLength < 1000000`],
    [[`req.ContentLength % 2 == 0`], `req.ContentLength % 4 == 0 && req.ContentLength >= ${number}`],
    [[`${number} - req.ContentLength <= 5`], `req.ContentLength > ${number}`],
  ]),
  'bools and literals': each(WORDS, word => [
    [[`(req.Path == '/${word}') == true`], `req.Path == '/${word}' && req.Method == 'GET'`],
    [[`(req.Path == '/${word}') != false`], `req.Path in ['/${word}']`],
    [[`!(req.Path != '/${word}')`], `req.Path == '/${word}'`],
  ]),
  'headers: exists, presence, size': each(['X-Key', 'User-Agent', 'Accept'], name => [
    [[`hasReqHeader('${name}')`], `size(getReqHeader('${name}')) > 1`],
    [[`'${name}' in req.Headers`], `getReqHeader('${name}').exists(one, one.startsWith('a'))`],
    [[`size(getReqHeader('${name}')) == 0`], `!hasReqHeader('${name}')`],
    [
      [`getReqHeader('${name}').exists(one, one.contains('bot'))`],
      `getReqHeader('${name}').exists(one, one == 'robot')`,
    ],
    [[`getReqHeader('${name}').all(one, one != 'x')`], `getReqHeader('${name}').all(one, one == 'y')`],
  ]),
  'equality of lists': each(['a', 'b', 'Ü'], word => [
    [[`getReqHeader('X') == ['${word}']`], `getReqHeader('X') == ['${word}'] && req.Method == 'PUT'`],
    [[`'${word}' in getReqHeader('X')`], `getReqHeader('X') == ['c', '${word}']`],
    [[`size(getReqHeader('X')) == 2`], `getReqHeader('X') == ['${word}', '${word}']`],
    [[`getReqHeader('X') != ['${word}']`], `size(getReqHeader('X')) == 3`],
  ]),
  timestamps: modern(
    each(YEARS, year => [
      [
        [`conn.ts.start > timestamp('${year}-01-01T00:00:00Z')`],
        `conn.ts.start > timestamp('${year}-06-01T00:00:00Z')`,
      ],
      [
        [`conn.ts.start < timestamp('${year}-06-01T00:00:00Z')`],
        `conn.ts.start == timestamp('${year}-05-01T12:00:00Z')`,
      ],
      [
        [`timestamp(time.now) > timestamp('${year}-01-01T00:00:00Z')`],
        `timestamp(time.now) >= timestamp('${year}-01-01T00:00:01Z')`,
      ],
      [
        [`conn.ts.start != timestamp('${year}-01-01T00:00:00Z')`],
        `conn.ts.start > timestamp('${year}-01-01T01:00:00+01:00')`,
      ],
    ]),
  ),
  'transitive equality': [
    ...each(PLAIN, word => [
      [['req.ClientTLS.SNI != req.Host'], `req.ClientTLS.SNI == '${word}.example' && req.Host == 'other.example'`],
      [['req.ClientTLS.SNI == req.Host'], `req.ClientTLS.SNI == '${word}.example' && req.Host == '${word}.example'`],
      [
        [`req.Host != '${word}.example'`],
        `req.ClientTLS.SNI == req.Host && req.ClientTLS.SNI.matches('^[^.]*[.]example$') && req.ClientTLS.SNI != '${word}.example'`,
      ],
      [
        ["getReqHeader('X-A')[0] == req.Host"],
        "getReqHeader('X-A')[0] == getReqHeader('X-B')[0] && getReqHeader('X-B')[0] == req.Host",
      ],
      [
        [`!req.Headers['X-A'][0].startsWith('${word}')`, `req.Params['a'][0].contains('${word}')`],
        "req.Headers['X-A'][0] == req.Params['a'][0]",
      ],
      [
        [`size(req.Params['a'][0]) < 10`, `req.Params['b'][0] != '${word}'`],
        `req.Params['a'][0] == req.Params['b'][0] && req.Method == 'GET'`,
      ],
      [
        ["inCidrRange(conn.ClientIP, '10.0.0.0/8')"],
        "req.Headers['X-Real-Ip'][0] == conn.ClientIP && req.Headers['X-Real-Ip'][0].matches('^10[.][0-9]+[.]0[.]1$')",
      ],
      [
        [`req.Path.startsWith('/${word}')`],
        `req.Path == req.Headers['X-Path'][0] && req.Headers['X-Path'][0] in ['/${word}', '/${word}/x']`,
      ],
      [
        ['req.Host == req.ClientTLS.SNI', 'req.Host == req.ClientTLS.CertCN'],
        `req.Host in ['${word}', 'b'] && req.ClientTLS.SNI in ['${word}', 'b'] && req.ClientTLS.CertCN in ['${word}', 'b'] && req.ClientTLS.SNI != req.ClientTLS.CertCN`,
      ],
      [
        ['req.Method != req.Params.m[0]'],
        `(req.Path == '/${word}' ? req.Method == 'GET' : req.Method == 'PUT') && req.Params.m[0] == 'PATCH'`,
      ],
    ]),
    ...modern(
      each(YEARS, year => [
        [
          ['req.ts.header_received >= conn.ts.start'],
          `req.ts.header_received > timestamp('${year}-01-01T00:00:00Z') && conn.ts.start < timestamp('${year}-01-01T00:00:00Z')`,
        ],
        [
          ['req.ts.header_received - conn.ts.start > duration("1h")'],
          `req.ts.header_received > timestamp('${year}-01-02T00:00:00Z') && req.ts.header_received < timestamp('2100-01-01T00:00:00Z') && conn.ts.start == timestamp('${year}-01-01T00:00:00Z')`,
        ],
        [
          ['timestamp(time.now) > conn.ts.start'],
          'timestamp(time.now) > req.ts.header_received && req.ts.header_received >= conn.ts.start',
        ],
      ]),
    ),
  ],
  'unions of several rules': each(WORDS, word => [
    [[`req.Path.startsWith('/${word}')`, `!req.Path.startsWith('/${word}')`], "req.Method == 'TRACE'"],
    [["req.Method == 'GET'", `req.Path == '/${word}'`, "req.Method != 'GET'"], 'req.ContentLength > 5'],
    [
      ['req.ContentLength < 100', `req.Path.contains('${word}')`, 'req.ContentLength >= 100'],
      `req.Path.startsWith('/${word}x')`,
    ],
    [["inCidrRange(conn.ClientIP, '0.0.0.0/0')", "inCidrRange(conn.ClientIP, '::/0')"], `req.Host == '${word}'`],
    [
      [`req.Path.matches('^/${pattern(word)}/[0-9]')`, `req.Path.matches('^/${pattern(word)}/[a-z]')`],
      `req.Path.matches('^/${pattern(word)}/[a-z0-9]+$')`,
    ],
  ]),
};

/** The classes of defects, with what is planted in each. */
export const PLANTED: ReadonlyMap<string, readonly Planted[]> = new Map(Object.entries(DEFECTS));

const LINTER = createLinter(LINT_RULES.filter(({ id }) => id.startsWith('logic/')).map(rule => activate(rule)));
const [EDGE_V2, MODERN] = ['edge-v2', 'modern'].map(name => PROFILES.find(one => one.name === name)!);

/** Lint rules that say that a rule never runs. */
const NEVER_RUNS = ['unreachable-rule', 'shadowed-different-action', 'duplicate-rule', 'catch-all-not-last'];
/** Lint rules that say that a condition never holds. */
const NEVER_HOLDS = ['contradiction-across-list', 'never-matches', 'impossible-range', 'constant-expression'];

/** Returns true if the linter reports the rule that earlier rules cover. */
export function findsCovered(planted: Planted): boolean {
  const rules = [...planted.earlier, planted.covered].map(one => [one]);
  return reports(rules, planted, NEVER_RUNS);
}

/** Returns true if the linter reports a rule that matches only what the covering rules do not match. */
export function findsContradiction(planted: Planted): boolean {
  const others = planted.earlier.map(one => `!(${one})`);
  return reports([[planted.covered, ...others]], planted, NEVER_HOLDS);
}

function reports(rules: readonly (readonly string[])[], { isModern }: Planted, ids: readonly string[]): boolean {
  const profile: Profile = isModern ? MODERN! : EDGE_V2!;
  const phase: Phase = isModern ? 'on_http_request' : 'inbound';
  const endpoint: EndpointKind = profile.endpoints[0]!;
  const text = JSON.stringify({ [phase]: rules.map(expressions => ({ expressions, actions: [{ type: 'deny' }] })) });
  const { diagnostics } = lintText(new SourceText('policy.json', text), { profile, endpoint }, LINTER);
  const wrong = diagnostics.find(({ code, severity }) => severity === 'error' && !code.startsWith('logic/'));
  if (wrong !== undefined) throw new Error(`${wrong.message}: ${text}`);
  return diagnostics.some(({ code }) => ids.includes(code.slice('logic/'.length)));
}
