import { describe, expect, it } from 'vitest';
import { readsOf } from '../../analysis/reads.ts';
import type { FieldDecl } from '../../ast/declaration.ts';
import { compileClosures } from '../../closures/compile-closures.ts';
import { compileToJavaScript } from '../../codegen/compile-to-javascript.ts';
import { createEnvironment } from '../../environment/environment.ts';
import { EXTENSION_LIBRARIES } from '../../libraries/extension-libraries.ts';
import { inlineBodies } from '../../lowering/inline-bodies.ts';
import { parse } from '../../syntax/parse.ts';
import { formatType } from '../../types/format.ts';
import { BOOL, INT, objectType, STRING } from '../../types/type.ts';
import { check } from '../check.ts';

const fields = (all: Record<string, FieldDecl>) => new Map(Object.entries(all));

const ENV = createEnvironment({
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
  const { ast, diagnostics } = parse(source, ENV);
  expect(diagnostics).toEqual([]);
  return check(ast, ENV);
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
    const inlined = inlineBodies(typed, ENV);
    expect(compileClosures(inlined, ENV).evaluate(ACTIVATION)).toBe(true);
    expect(compileToJavaScript(inlined, ENV).evaluate(ACTIVATION)).toBe(true);
  });

  it.each([
    ['req.url', 'https://e.co/shop'],
    ['req.url.host', 'e.co'],
  ])('returns its string as the result: %s', (source, value) => {
    const { typed } = checked(source);
    expect(formatType(typed.resultType)).toBe('string');
    expect(compileClosures(typed, ENV).evaluate(ACTIVATION)).toBe(value);
    expect(compileToJavaScript(typed, ENV).evaluate(ACTIVATION)).toBe(value);
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
