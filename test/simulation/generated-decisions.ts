import type { Exchange } from '@tollgate/traffic';
import fc from 'fast-check';
import type { Json } from '../schemas/generated-policy.ts';
import { type CaseContext, isValid } from './decision-cases.ts';
import { MASK, masked, WHOLE } from './generated-exchange.ts';
import { actionsIn, conditionsIn, meaningfulPolicies } from './generated-rules.ts';

/** What engines, their clients and their protocols substitute before they read a query: variables and parameters. */
export const SUBSTITUTED: readonly string[] = [
  ...['${system:line.separator}', '${env:HOME}', '${x}', '$', '${', '{x:String}', ':name', '?', '$1', '@x', '%s'],
  ...["\\'", "''", '\\u0024{x}', '\\x24', "$$it's$$", '--', '/*', '{{x}}', '&x'],
];

/** Strings that engines treat differently: quotes, escapes, wildcards, letters beyond ASCII, what folds to ASCII, line breaks. */
const STRINGS: readonly string[] = [
  ...SUBSTITUTED,
  ...['', '/a', '/', 'e.co', 'GET', '1', '/A', 'z', '10.1.2.3', '::1', '/b/c', '/a.php', 'aab', 'abc', 'xx', '_', '%'],
  ...[
    "it's",
    'a\\b',
    'é',
    'É',
    '😀',
    '\uffee',
    'ﬁ',
    '\u212a',
    'ſ',
    'a\nb',
    'b\n',
    'a b',
    'a\tb',
    '\u00a0',
    '\u2028',
    'ß',
  ],
];

const PATTERNS: readonly string[] = [
  ...[
    String.raw`\$\{x\}`,
    '[$]{1}',
    String.raw`a\?`,
    ':name',
    '[$]1',
    String.raw`^/\{x:[a-z]+\}$`,
    '(a${0,1})?',
    '\\x27',
  ],
  ...[
    '^/[ab](/|$)',
    '[0-9]+$',
    '(?i)^/A',
    'a.b',
    'a.*b',
    String.raw`\bA\b`,
    String.raw`\ba`,
    '(?m)^b$',
    String.raw`\s`,
  ],
  ...[
    String.raw`^\d`,
    '[^/]+$',
    '(a|b)+c',
    '^(a|a)*b$',
    'é',
    '(?i)é',
    String.raw`\p{L}`,
    'x{2,3}',
    '(?s)a.b',
    '^$',
    '',
  ],
  ...[String.raw`\.php$`, '[[:alpha:]]', String.raw`\x{1F600}`, '(?i)k', '$', String.raw`\Aa`, String.raw`[\x00-\x1f]`],
  ...['(?:^|/)a(?:/|$)', String.raw`\B`, '(?P<n>a)b', String.raw`\Qa.b\E`, 'a|b|é', '(?i)s', '[^a-z]', '^[^/]*/[^/]+$'],
  ...[
    String.raw`\W`,
    '(?:ab?){2}',
    '^(?:/[a-z]+)*$',
    String.raw`b\z`,
    '[a[b]',
    '[a&&b]',
    '[-a]',
    "[']",
    '😀?$',
    '(?U)a+',
    '~',
  ],
];

const QUOTED = STRINGS.map(one => JSON.stringify(one));
const QUOTED_PATTERNS = PATTERNS.map(one => JSON.stringify(one));

interface Values {
  readonly strings: readonly string[];
  readonly headers: readonly string[];
  readonly ints: readonly string[];
}

const CAPITALS: Values = {
  strings: [
    'req.Method',
    'req.Path',
    'req.URL',
    'req.Host',
    'conn.ClientIP',
    'conn.Geo.CountryCode',
    'req.ClientTLS.SNI',
  ],
  headers: ['req.Headers', 'req.Params'],
  ints: ['req.ContentLength', 'conn.ClientPort'],
};

const SNAKE: Values = {
  strings: [
    'req.method',
    'req.url.path',
    'req.url',
    'req.host',
    'conn.client_ip',
    'conn.geo.country_code',
    'conn.tls.sni',
  ],
  headers: ['req.headers', 'req.url.query_params'],
  ints: ['req.content_length', 'conn.client_port'],
};

const NAMES = ['X-A', 'x-a', 'X-B', 'q', 'host', "it's", '${x}', '$1'];

/** Returns conditions on typed values of all kinds, which are valid under the profile. */
function leaves({ profile, environments, phase }: CaseContext): fc.Arbitrary<string> {
  const { strings, headers, ints } = profile.headerNames === 'lower-case' ? SNAKE : CAPITALS;
  const known = (list: readonly string[]) => list.filter(one => isValid(`${one} == ${one}`, environments[phase]));
  const literal = fc.constantFrom(...QUOTED);
  const map = fc.constantFrom(...known(headers));
  const name = fc.constantFrom(...NAMES).map(one => JSON.stringify(one));
  const input = fc.constantFrom(...known(strings).filter(one => isValid(`${one} == ''`, environments[phase])));
  const element = fc.tuple(map, name, fc.nat(1)).map(([of, key, at]) => `${of}[${key}][${at}]`);
  const string = fc.oneof({ weight: 3, arbitrary: input }, element);
  const int = fc.oneof(
    input.map(of => `size(${of})`),
    map.map(of => `size(${of})`),
    ...(known(ints).length > 0 ? [fc.constantFrom(...known(ints))] : []),
  );
  const operator = fc.constantFrom('==', '!=', '<', '<=', '>', '>=');
  const list = fc.array(literal, { maxLength: 4 }).map(all => `[${all.join(', ')}]`);
  const search = fc.constantFrom('startsWith', 'endsWith', 'contains');
  const ranges = fc.subarray(['10.0.0.0/8', '::/0', '::1/128', '192.0.2.0/25', 'x'], { minLength: 1 });
  return fc.oneof(
    fc.tuple(string, operator, literal).map(all => all.join(' ')),
    fc.tuple(input, operator, input).map(all => all.join(' ')),
    fc.tuple(int, operator, fc.nat(4)).map(all => all.join(' ')),
    fc.tuple(string, search, literal).map(([of, method, other]) => `${of}.${method}(${other})`),
    fc.tuple(input, search, input).map(([of, method, other]) => `${of}.${method}(${other})`),
    fc.tuple(string, fc.constantFrom(...QUOTED_PATTERNS)).map(([of, pattern]) => `${of}.matches(${pattern})`),
    fc.tuple(string, list).map(([of, all]) => `${of} in ${all}`),
    fc.tuple(name, map).map(([key, of]) => `${key} in ${of}`),
    fc.tuple(list, input, search).map(([all, of, method]) => `${all}.exists(one, ${of}.${method}(one))`),
    fc.tuple(list, input).map(([all, of]) => `${all}.all(one, ${of} != one)`),
    fc.tuple(input, ranges).map(([of, all]) => `inCidrRanges(${of}, ${JSON.stringify(all)})`),
    fc.constantFrom(...conditionsIn(profile, { endpoint: profile.endpoints[0]!, phase })),
  );
}

/** Returns conditions of leaves, combined in all ways. */
function conditions(context: CaseContext): fc.Arbitrary<string> {
  const leaf = leaves(context);
  return fc.oneof(
    { weight: 3, arbitrary: leaf },
    fc.tuple(leaf, fc.constantFrom('&&', '||'), leaf).map(all => all.join(' ')),
    leaf.map(one => `!(${one})`),
    fc.tuple(leaf, leaf, leaf).map(([test, yes, no]) => `(${test}) ? (${yes}) : (${no})`),
    fc.tuple(leaf, leaf, leaf).map(([one, two, three]) => `(${one} || ${two}) && !(${three})`),
  );
}

/** Actions of the kinds that people write most, in about their shares. */
function usualActions({ profile, endpoint, phase }: CaseContext): fc.Arbitrary<Json> {
  const usual = new Set([
    'deny',
    'custom-response',
    'redirect',
    'url-rewrite',
    'add-headers',
    'remove-headers',
    'restrict-ips',
    'log',
  ]);
  const all = actionsIn(profile, { endpoint, phase });
  const known = all.filter(one => usual.has((one as { readonly type: string }).type));
  const denies = known.filter(one => ['deny', 'custom-response'].includes((one as { readonly type: string }).type));
  return fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...denies) }, fc.constantFrom(...known));
}

/** Policies of typed conditions with the usual actions, and now and then with any. */
export function decidingPolicies(context: CaseContext): fc.Arbitrary<Json> {
  const { profile, endpoint, environments, phase } = context;
  const condition = conditions(context).filter(one => isValid(one, environments[phase]));
  const rule = fc.record({
    expressions: fc.array(condition, { minLength: 1, maxLength: 2 }),
    actions: fc.tuple(usualActions(context)),
  });
  return fc.oneof(
    { weight: 9, arbitrary: fc.array(rule, { minLength: 1, maxLength: 4 }).map(rules => ({ [phase]: rules }) as Json) },
    meaningfulPolicies(profile, endpoint),
  );
}

/** Exchanges with strings of all kinds and missing fields. Header maps are known whole. */
export const DECIDED_EXCHANGES: fc.Arbitrary<Exchange> = fc
  .record({
    whole: WHOLE,
    mask: MASK,
    target: fc.oneof(
      fc.constantFrom('/', '/a', '/a?q=1', '/b?q', '/b/c', '/a/b?q=1&q=2', '/a.php'),
      fc.constantFrom(...STRINGS).map(text => `/${encodeURIComponent(text)}?q=${encodeURIComponent(text)}`),
    ),
    client: fc.oneof(fc.constantFrom('10.1.2.3', '192.0.2.1', '::1', '::ffff:10.1.2.3'), fc.ipV4(), fc.ipV6()),
    method: fc.constantFrom('GET', 'POST', 'get', "it's"),
    country: fc.constantFrom('DE', 'FR', ''),
    fields: fc.array(
      fc.record({ name: fc.constantFrom('X-A', 'x-b', "it's", '${x}', '$1'), value: fc.constantFrom(...STRINGS) }),
      {
        maxLength: 3,
      },
    ),
  })
  .map(({ whole, mask, target, client, method, country, fields }) => {
    const headers = { ...whole.requestHeaders, fields: [...whole.requestHeaders.fields, ...fields] };
    const hostile = {
      ...whole,
      target,
      url: `https://e.co${target}`,
      clientIp: client,
      method,
      requestHeaders: headers,
    };
    return masked(
      { ...hostile, geo: { ...whole.geo, countryCode: country } },
      { ...mask, headers: [], withheld: false, target: mask.url },
    );
  });
