import { describe, expect, test } from 'vitest';
import { createEnvironment } from '../checker/environment.ts';
import { EXTENSION_LIBRARIES } from '../extension-libraries.ts';
import { formatExpression } from './format-expression.ts';
import { parse } from './parse.ts';

const environment = createEnvironment({ libraries: EXTENSION_LIBRARIES });

function formatted(source: string, width?: number): string {
  const { ast, diagnostics } = parse(source, environment);
  expect(diagnostics).toEqual([]);
  return formatExpression(ast, width === undefined ? {} : { width }).text;
}

describe('on one line', () => {
  test.each([
    ['a&&b||!c', '(a && b) || !c'],
    ['(a || (b)) && c', '(a || b) && c'],
    ['a\n  && b', 'a && b'],
    ['f( a,b )[ 0 ]', 'f(a, b)[0]'],
    ['[1,2,]+{"a":1}', "[1, 2] + {'a': 1}"],
    ['0x1F + 1e3 + .5 - - 1 + 2U', '0x1F + 1e3 + .5 - -1 + 2U'],
    ['-(.5) + -(1)', '-(.5) + -(1)'],
    ['a.all(x, has(x.y))', 'a.all(x, has(x.y))'],
  ])('%s', (source, text) => {
    expect(formatted(source)).toBe(text);
  });
});

describe('puts strings in single quotes unless double quotes save escapes', () => {
  test.each([
    ['"a"', "'a'"],
    ['""', "''"],
    [`"it's"`, `"it's"`],
    [String.raw`'it\'s'`, `"it's"`],
    [String.raw`"say \"x\""`, `'say "x"'`],
    [String.raw`"it's \"x\" \\"`, String.raw`'it\'s "x" \\'`],
    [String.raw`r"\d"`, String.raw`r'\d'`],
    [String.raw`r"\'"`, String.raw`r"\'"`],
    [String.raw`B"\xff"`, String.raw`B'\xff'`],
    [`"""a"b"""`, `"""a"b"""`],
  ])('%s', (source, text) => {
    expect(formatted(source)).toBe(text);
  });
});

describe('breaks long expressions', () => {
  test('at the outermost operators first', () => {
    expect(formatted('aaaa == 1 && (bbbb || cccc) && !(dddddddd || eeeeeeee || ffffffff)', 24)).toBe(
      'aaaa == 1 &&\n(bbbb || cccc) &&\n!(\n  dddddddd ||\n  eeeeeeee ||\n  ffffffff\n)',
    );
  });

  test('inside calls that contain operators, and not inside others', () => {
    expect(formatted("list.exists(x, x.contains('aaaa') || x.contains('bbbb'))", 30)).toBe(
      "list.exists(\n  x,\n  x.contains('aaaa') ||\n  x.contains('bbbb')\n)",
    );
    expect(formatted("list.exists(x, x.matches('aaaaaaaaaaaaaaaaaaaaaaaaaa'))", 30)).toBe(
      "list.exists(x, x.matches('aaaaaaaaaaaaaaaaaaaaaaaaaa'))",
    );
  });

  test('between the literals of a list as they fit, between other elements at each', () => {
    expect(formatted("country in ['DE', 'NL', 'BE', 'LU', 'FR']", 20)).toBe(
      "country in [\n  'DE', 'NL', 'BE',\n  'LU', 'FR'\n]",
    );
    expect(formatted('f(a, [b.c, d.e, g.h, i.j])', 20)).toBe('f(a, [\n  b.c,\n  d.e,\n  g.h,\n  i.j\n])');
    expect(formatted("{'aaaaaaaa': 1, 'bbbbbbbb': 2}", 20)).toBe("{\n  'aaaaaaaa': 1,\n  'bbbbbbbb': 2\n}");
  });

  test('at conditions', () => {
    expect(formatted('aaaaaaaa ? bbbbbbbb : cccccccc', 20)).toBe('aaaaaaaa\n  ? bbbbbbbb\n  : cccccccc');
  });

  test('only where a line would be longer than the width', () => {
    expect(formatted('aaaa && bbbb', 12)).toBe('aaaa && bbbb');
    expect(formatted('aaaa && bbbb', 11)).toBe('aaaa &&\nbbbb');
  });
});

describe('keeps comments', () => {
  test('of operands and elements, which are then on lines of their own', () => {
    const source =
      '// first\na // of a\n && // more\n // of b\nb && f([\n1, // one\n 2 // two\n// end\n]) // last\n// foot';
    const lines = [
      ...['// first', 'a && // of a', '// more', '// of b', 'b &&'],
      ...['f([', '  1, // one', '  2 // two', '  // end', ']) // last', '// foot'],
    ];
    expect(formatted(source)).toBe(lines.join('\n'));
    expect(formatted(lines.join('\n'))).toBe(lines.join('\n'));
  });

  test('of arguments', () => {
    expect(formatted('f(a, // one\n b)')).toBe('f(\n  a, // one\n  b\n)');
    expect(formatted('f(a, // one\n [b])')).toBe('f(\n  a, // one\n  [b]\n)');
  });

  test('by leaving the expression unchanged if there is no place for them', () => {
    expect(formatted(' a  ==// why\n b ')).toBe('a  ==// why\n b');
    expect(formatted('-(a // why\n)   && b.\n// x\nc')).toBe('-(a // why\n)   && b.\n// x\nc');
  });

  test('and does not mistake strings for comments', () => {
    expect(formatted("a  == 'http://x'")).toBe("a == 'http://x'");
  });
});

test.each([
  ['a &&\n b', false],
  ['a // b', true],
  ["a == '''\n'''", true],
])('tells whether lines must be kept: %j', (source, keepsLines) => {
  expect(formatExpression(parse(source, environment).ast).keepsLines).toBe(keepsLines);
});
