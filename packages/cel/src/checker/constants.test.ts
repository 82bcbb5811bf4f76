import { describe, expect, it, test } from 'vitest';
import { readsOf } from '../analysis/reads.ts';
import type { FieldDecl } from '../ast/ast.ts';
import { BOOL, formatType, INT, listOf, objectType, STRING, TIMESTAMP } from '../ast/types.ts';
import { compileClosures } from '../closures/compile-closures.ts';
import { compileToJavaScript } from '../codegen/compile.ts';
import { EXTENSION_LIBRARIES } from '../extension-libraries.ts';
import { inlineBodies } from '../lowering/inline-bodies.ts';
import { parse } from '../syntax/parse.ts';
import { check } from './check.ts';
import { createEnvironment } from './environment.ts';

const ENV = createEnvironment({
  libraries: EXTENSION_LIBRARIES,
  variables: [
    { name: 'path', type: STRING },
    { name: 'tags', type: listOf(STRING) },
    { name: 'time', type: TIMESTAMP },
  ],
});

const TIMESTAMP_HINT = 'expected a timestamp such as `2026-01-31T12:00:00Z`';
const DURATION_HINT = 'expected a duration such as `1h30m` or `0.5s`';
const ZONE = 'expected a time zone such as `Europe/Berlin` or `+02:00`';
const ADDRESS = 'expected an IP address such as `10.0.0.1` or `2001:db8::1`';
const ADDRESSES = 'expected an IP address range such as `10.0.0.0/8` or `2001:db8::/32`';
const UNCLOSED = 'is not a valid RE2 pattern: unclosed `(`';

test.each([
  ["path.matches('^(GET|POST)$')", undefined],
  ["path.matches('a(b')", `error at (b: \`a(b\` ${UNCLOSED}`],
  [
    "matches(path, r'a\\1')",
    'error at \\1: `a\\1` is not a valid RE2 pattern: back-references such as `\\1` are not in RE2',
  ],
  ["path.matches('(?=a)')", 'error at (?=a): `(?=a)` is not a valid RE2 pattern: look-around is not in RE2'],
  ["path.matches('\\\\d(')", `error at '\\\\d(': \`\\d(\` ${UNCLOSED}`],
  ["path.matches('''(''')", `error at (: \`(\` ${UNCLOSED}`],
  ["tags.all(t, t.matches('('))", `error at (: \`(\` ${UNCLOSED}`],
  ["regex.replace(path, '[', 'b')", 'error at [: `[` is not a valid RE2 pattern: unclosed character class'],
  [
    "path.matches('[a-z]{1,1000}[a-z]{1,1000}[a-z]{1,1000}[a-z]{1,1000}[a-z]{1,1000}[a-z]{1,1000}[a-z]{1,1000}[a-z]{1,1000}')",
    "error at '[a-z]{1,1000}[a-z]{1,1000}[a-z]{1,1000}[a-z]{1,1000}[a-z]{1,1000}[a-z]{1,1000}[a-z]{1,1000}[a-z]{1,1000}': the regular expression is larger than the limit `maxPatternSize`",
  ],
  ["timestamp('2026-02-30')", `warning at '2026-02-30': \`timestamp\` fails for \`2026-02-30\`; ${TIMESTAMP_HINT}`],
  ["timestamp('2026-02-28T00:00:00Z')", undefined],
  ["duration('5 minutes')", `warning at '5 minutes': \`duration\` fails for \`5 minutes\`; ${DURATION_HINT}`],
  ["int('1.5') + int('15')", "warning at '1.5': `int` fails for `1.5`; expected an integer that fits in 64 bits"],
  ["uint('-1')", "warning at '-1': `uint` fails for `-1`; expected an unsigned integer that fits in 64 bits"],
  ["double('x')", "warning at 'x': `double` fails for `x`; expected a number"],
  ["bool('yes')", "warning at 'yes': `bool` fails for `yes`; expected `true` or `false`"],
  ["ip('10.0.0.256').family()", `warning at '10.0.0.256': \`ip\` fails for \`10.0.0.256\`; ${ADDRESS}`],
  [
    "cidr('10.0.0.0/8').containsIP('10.0.0.1/8')",
    `warning at '10.0.0.1/8': \`containsIP\` fails for \`10.0.0.1/8\`; ${ADDRESS}`,
  ],
  ["cidr('10.0.0.0').containsIP('10.0.0.1')", `warning at '10.0.0.0': \`cidr\` fails for \`10.0.0.0\`; ${ADDRESSES}`],
  ["'%s is %d%%'.format([path, 1])", undefined],
  ["'%x %o %b %e %.2f'.format([path, 1u, true, 1, 1u])", undefined],
  ["'%s %d'.format([path, dyn(path)])", undefined],
  ["'%d'.format(tags)", undefined],
  [
    "'a %i'.format([1])",
    'error at %i: `%i` is not a format clause; write `%%` for a percent sign, or a clause such as `%s` or `%.2f`',
  ],
  [
    "'100%'.format([])",
    'error at %: `%` is not a format clause; write `%%` for a percent sign, or a clause such as `%s` or `%.2f`',
  ],
  ["'%d'.format([path])", 'error at path: `%d` cannot format a value of type string; expected int, uint, double'],
  [
    "'%s'.format([ip('::1')])",
    "error at ip('::1'): `%s` cannot format a value of type net.IP; expected a value of the standard types",
  ],
  ["'%s %s'.format([path])", "error at '%s %s': the format has 2 clauses for 1 value; add a value for each clause"],
  ["'%%'.format([path])", "error at '%%': the format has 0 clauses for 1 value; remove the values that no clause uses"],
  ["isIP('nonsense')", undefined],
  ["time.getHours('Mars/Polis')", `warning at 'Mars/Polis': \`getHours\` fails for \`Mars/Polis\`; ${ZONE}`],
  ["time.getHours('+02:00')", undefined],
])('%s reports %s', (source, expected) => {
  const { diagnostics } = check(parse(source, ENV).ast, ENV);
  const found = diagnostics.map(({ severity, range, message }) => {
    return `${severity} at ${source.slice(range.start, range.end)}: ${message}`;
  });
  expect(found).toEqual(expected === undefined ? [] : [expected]);
});

const fields = (all: Record<string, FieldDecl>) => new Map(Object.entries(all));

const ALL_LIBRARIES = createEnvironment({
  libraries: EXTENSION_LIBRARIES,
  variables: [{ name: 'req', type: objectType('Request') }],
  objects: [
    { name: 'Request', fields: fields({ url: { type: objectType('Link') } }) },
    {
      name: 'Link',
      stringKey: '@text',
      fields: fields({
        path: { type: STRING },
        port: { type: INT, mayBeAbsent: true },
        host: { type: objectType('Host') },
      }),
    },
    { name: 'Host', stringKey: '@text', fields: fields({ local: { type: BOOL } }) },
  ],
  functions: [
    {
      name: 'inShop',
      doc: '',
      overloads: [
        {
          id: 'in_shop',
          member: false,
          params: [],
          result: BOOL,
          body: { paramNames: [], source: "req.url.contains('shop') && req.url.path.startsWith('/shop')" },
        },
      ],
    },
  ],
});

const ACTIVATION = {
  req: { url: { '@text': 'https://e.co/shop', path: '/shop', host: { '@text': 'e.co', local: false } } },
};

function checked(source: string) {
  const { ast, diagnostics } = parse(source, ALL_LIBRARIES);
  expect(diagnostics).toEqual([]);
  return check(ast, ALL_LIBRARIES);
}

describe('a value of a dual type', () => {
  it.each([
    "req.url == 'https://e.co/shop'",
    "'https://e.co/shop' == req.url",
    'req.url == req.url',
    "req.url.path == '/shop'",
    "req.url + '?' + req.url.path == 'https://e.co/shop?/shop'",
    'size(req.url) == 17',
    'req.url.size() == 17',
    "req.url.matches('^https://')",
    "req.url in ['https://e.co/shop', 'b']",
    "'b' in ['a', req.url] || true",
    "req.url in {req.url: 1} && {'a': req.url}['a'].endsWith('p')",
    "[req.url, 'b'].exists(u, u.contains('e.co'))",
    "[req.url].map(u, u.upperAscii())[0] == 'HTTPS://E.CO/SHOP'",
    "cel.bind(u, req.url, u + u.path == 'https://e.co/shop/shop')",
    "(true ? req.url : 'x').startsWith('h')",
    'type(req.url) == string && type(dyn(req.url)) == string',
    "string(req.url) == req.url && req.url > 'a'",
    'has(req.url) && has(req.url.path) && !has(req.url.port)',
    "req.url.?path.orValue('') == '/shop' && !req.url.?port.hasValue()",
    "req.url.host == 'e.co' && !req.url.host.local",
    "req.?url.hasValue() && optional.of(req.url).value() == 'https://e.co/shop'",
    'inShop()',
  ])('is both a string and an object: %s', source => {
    const { typed, diagnostics } = checked(source);
    expect(diagnostics).toEqual([]);
    expect(formatType(typed.resultType)).toBe('bool');
    const inlined = inlineBodies(typed, ALL_LIBRARIES);
    expect(compileClosures(inlined, ALL_LIBRARIES).evaluate(ACTIVATION)).toBe(true);
    expect(compileToJavaScript(inlined, ALL_LIBRARIES).evaluate(ACTIVATION)).toBe(true);
  });

  it.each([
    ['req.url', 'https://e.co/shop'],
    ['req.url.host', 'e.co'],
  ])('returns its string as the result: %s', (source, value) => {
    const { typed } = checked(source);
    expect(formatType(typed.resultType)).toBe('string');
    expect(compileClosures(typed, ALL_LIBRARIES).evaluate(ACTIVATION)).toBe(value);
    expect(compileToJavaScript(typed, ALL_LIBRARIES).evaluate(ACTIVATION)).toBe(value);
  });

  it.each([
    ['req.url == 1', ['`==` compares values of one type, found string and int']],
    ['req.url.pth', ['`Link` has no field `pth`; did you mean `path`?']],
    ['[req.url].map(u, u.path)', ['expected a map or an object before `.path`, found string']],
    [
      'req.url[0]',
      ['no overload of `[]` takes (string, int); expected list(A)[int] or map(A, B)[A] or optional_type(list(V))[int]'],
    ],
  ])('is nothing else: %s', (source, messages) => {
    expect(checked(source).diagnostics.map(({ message }) => message)).toEqual(messages);
  });

  it('is read as a string only where no field is selected', () => {
    const reads = readsOf(checked("req.url == 'a' || req.url.path == 'b'").typed);
    expect(reads.map(({ steps }) => steps.map(step => (step.kind === 'field' ? step.name : step.kind)))).toEqual([
      ['url', '@text'],
      ['url', 'path'],
    ]);
  });
});
