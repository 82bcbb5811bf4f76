import { describe, expect, test } from 'vitest';
import type { Ast, Expr } from '../ast/ast.ts';
import { createEnvironment } from '../checker/environment.ts';
import { EXTENSION_LIBRARIES } from '../extension-libraries.ts';
import { unparse } from './format-expression.ts';
import { parse } from './parse.ts';

const environment = createEnvironment({ libraries: EXTENSION_LIBRARIES });

function printed(source: string): string {
  const { ast, diagnostics } = parse(source, environment);
  expect(diagnostics).toEqual([]);
  return unparse(ast);
}

describe('keeps only the parentheses that the tree requires', () => {
  test.each([
    ['((a))', 'a'],
    ['(a.b).c', 'a.b.c'],
    ['(a + b) + c', 'a + b + c'],
    ['a + (b + c)', 'a + (b + c)'],
    ['(a * b) + c', 'a * b + c'],
    ['a * (b + c)', 'a * (b + c)'],
    ['(a == b) == (c == d)', 'a == b == (c == d)'],
    ['(a && b) || (c && d)', 'a && b || c && d'],
    ['(a || b) && c', '(a || b) && c'],
    ['(a && b) && (c && d)', 'a && b && c && d'],
    ['((a && b) && c) && d', '(a && b) && c && d'],
    ['a && (b && (c && d))', 'a && (b && (c && d))'],
    ['(a || b || c) || (d || e || f)', 'a || b || c || d || e || f'],
    ['(a ? b : c) ? d : e', '(a ? b : c) ? d : e'],
    ['a ? (b ? c : d) : (e ? f : g)', 'a ? (b ? c : d) : e ? f : g'],
    ['a || (b ? c : d)', 'a || (b ? c : d)'],
    ['!(a && b)', '!(a && b)'],
    ['!(a.b)', '!a.b'],
    ['!(!a)', '!(!a)'],
    ['-(-a)', '-(-a)'],
    ['-(1)', '-(1)'],
    ['-(1.f)', '-(1.f)'],
    ['-(1u)', '-1u'],
    ['-(1.5)', '-(1.5)'],
    ['a - (-1)', 'a - -1'],
    ['(-1).f()', '-1.f()'],
    ['(-a).f()', '(-a).f()'],
    ['(a + b)[c]', '(a + b)[c]'],
    ['f((a), (b ? c : d))', 'f(a, b ? c : d)'],
  ])('%s', (source, text) => {
    expect(printed(source)).toBe(text);
  });
});

describe('prints', () => {
  test.each([
    ['[1,?a , 0x10,]', '[1, ?a, 16]'],
    ['{ "a" : 1,?b:2 }', '{"a": 1, ?b: 2}'],
    ['a.B{c:1,?d:2,`e-f`:3}', 'a.B{c: 1, ?d: 2, `e-f`: 3}'],
    ['a.?b[?c].`d`.`in`', 'a.?b[?c].d.`in`'],
    ['.a.f(.b)', '.a.f(.b)'],
    ['1.0 + 1e3 + 1e300 + .5 + -0.0', '1.0 + 1000.0 + 1e+300 + 0.5 + -0.0'],
    ['-9223372036854775808 + 18446744073709551615u', '-9223372036854775808 + 18446744073709551615u'],
    [`'a' + "it's" + 'say "x"' + '''"'"'''`, `"a" + "it's" + 'say "x"' + "\\"'\\""`],
    [String.raw`"\n\t\\\x01\u200b\U000e0001é😀"`, String.raw`"\n\t\\\x01\u200b\U000e0001é😀"`],
    [String.raw`b'a"\n\xff' + b"é"`, String.raw`b"a\"\n\xff" + b"\xc3\xa9"`],
    [String.raw`r'\d'`, String.raw`"\\d"`],
    ['a // comment\n  + b', 'a + b'],
  ])('%s', (source, text) => {
    expect(printed(source)).toBe(text);
  });

  test.each([
    'has(a.b)',
    'a.all(x, x.exists(y, y == x))',
    'a.map(x, x > 1, x * 2).filter(y, has(y.z))[0]',
    'a.optMap(x, x + 1).optFlatMap(y, optional.of(y)).orValue(0)',
    'cel.bind(x, a + b, x * x)',
    'a.transformMap(k, v, v > 1, k)',
    'math.greatest(1, 2.5, a)',
    'cel.block([a, b], cel.index(0) + cel.index(1))',
  ])('macros as they were called: %s', source => {
    expect(printed(source)).toBe(source);
  });

  test('broken parts as they were written', () => {
    expect(unparse(parse('a + (b.) * c', environment).ast)).toBe('a + (b.) * c');
  });

  test('nodes without source, in a form that does not parse', () => {
    const { ast } = parse('a.all(x, x)', environment);
    const bare: Ast = { ...ast, macroCalls: new Map() };
    expect(unparse(bare)).toBe('@fold(x, @result, a, true, @not_strictly_false(@result), @result && x, @result)');
    expect(parse(unparse(bare), environment).diagnostics).not.toEqual([]);
    const infinite: Expr = {
      kind: 'literal',
      id: 1,
      range: { start: 0, end: 0 },
      literal: { type: 'double', value: Infinity },
    };
    expect(unparse({ ...ast, root: infinite })).toBe('double("Infinity")');
  });
});
