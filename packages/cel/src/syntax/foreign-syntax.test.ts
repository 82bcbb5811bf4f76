import { expect, it } from 'vitest';
import { createEnvironment } from '../checker/environment.ts';
import { unparse } from './format-expression.ts';
import { parse } from './parse.ts';

const ENV = createEnvironment({ libraries: [] });

it.each([
  ['a and b', 'unknown operator `and`; write `&&`', 'a && b'],
  ['a OR b', 'unknown operator `OR`; write `||`', 'a || b'],
  ['a and not b', 'unknown operator `and`; write `&&`', undefined],
  ['not a', 'unknown operator `not`; write `!`', '!a'],
  ['not a == b', 'unknown operator `not`; write `!`', '!(a == b)'],
  ['not a in b && c', 'unknown operator `not`; write `!`', '!(a in b) && c'],
  ['(not a.b(c) || d)', 'unknown operator `not`; write `!`', '(!a.b(c) || d)'],
  ["a not in ['b']", 'unknown operator `not in`; write `!(a in b)`', undefined],
  ["a IN ['b']", 'unknown operator `IN`; write `in`', "a in ['b']"],
  ["a is 'b'", 'unknown operator `is`; write `==`', "a == 'b'"],
  ['a is not null', 'unknown operator `is not`; write `!=`', 'a != null'],
  ["a like 'b%'", 'unknown operator `like`; use `startsWith`, `endsWith`, `contains` or `matches`', undefined],
  ["a contains 'b'", 'unknown operator `contains`; `contains` is a method: write `a.contains(b)`', undefined],
  ['a =~ b', 'unknown operator `=~`; `matches` is a method: write `a.matches(b)`', undefined],
  ['a := b', 'unknown operator `:=`; write `==`', 'a == b'],
  ['c && a between 1 and 3 || d', 'unknown operator `between`; write `a >= b && a <= c`', undefined],
  ['a NOT BETWEEN b AND c', 'unknown operator `NOT BETWEEN`; write `a < b || a > c`', undefined],
  ['if a == b then c else d', 'unknown operator `if`; write `a ? b : c`', undefined],
  ['a++ > 3', 'unknown operator `++`; write `a + 1`; an expression cannot change a value', undefined],
  ['a ++ b', 'unknown operator `++`; write `+`', undefined],
  ['a ** 2 > 3', 'unknown operator `**`; write `a * a`', undefined],
  ['a ?? b == c', 'unknown operator `??`; write `has(a) ? a : b`', undefined],
  ['a ?: b', 'unknown operator `?:`; write `has(a) ? a : b`', undefined],
  ['a == `b`', 'string in backticks; write single or double quotes', "a == 'b'"],
  ['a eq b', 'unknown operator `eq`; write `==`', 'a == b'],
  ['a === b', 'unknown operator `===`; write `==`', 'a == b'],
  ['a !== b', 'unknown operator `!==`; write `!=`', 'a != b'],
  ['a <> b', 'unknown operator `<>`; write `!=`', 'a != b'],
  ['a => b', 'unknown operator `=>`; write `>=`', 'a >= b'],
  ['a ≥ b', 'unknown operator `≥`; write `>=`', 'a >= b'],
  ['a = b', 'expected `==`, found `=`', 'a == b'],
  ['a == “b”', 'typographic quotes `“`; write straight quotes', "a == 'b'"],
  ['a == ‘b"', 'typographic quotes `‘`; write straight quotes', undefined],
  ["a == “it's”", 'typographic quotes `“`; write straight quotes', 'a == "it\'s"'],
  ['a == b;', 'unexpected `;`; remove it', 'a == b'],
  ['a # b', 'unexpected `#`; a comment begins with `//`', undefined],
  ['a\u00a0&& b', 'unexpected character U+00A0; write a space', undefined],
  ['f(a', 'expected `)`, found the end of the expression', undefined],
  ['a) && b', 'expected an operator or the end of the expression, found `)`; remove it', undefined],
  ["a.b('c) && d", "expected `'` at the end of the string, found the end of the line", undefined],
])('reports one error with a remedy: %s', (source, message, fixed) => {
  const { diagnostics } = parse(source, ENV);
  expect(diagnostics[0]?.message).toBe(message);
  expect(diagnostics).toHaveLength(source.includes('and not') ? 2 : 1);
  const edits = diagnostics[0]!.fixes?.[0]?.edits.toReversed() ?? [];
  const text = edits.reduce(
    (before, { range, newText }) => before.slice(0, range.start) + newText + before.slice(range.end),
    source,
  );
  if (fixed !== undefined) {
    expect(text).toBe(fixed);
    expect(parse(text, ENV).diagnostics).toEqual([]);
  }
});

it('continues as if the operator were correct', () => {
  const { ast } = parse("a and not b in ['c'] or d is 'e'", ENV);
  expect(unparse(ast)).toBe('a && !(b in ["c"]) || d == "e"');
});

it.each(['and && or', 'not == 1', 'is.like', 'contains(a)', "a.not('b')"])('accepts names: %s', source => {
  expect(parse(source, ENV).diagnostics).toEqual([]);
});

it('shows the unclosed bracket', () => {
  const { diagnostics } = parse("f([1, 2].map(x, (x + 1) && 'a'", ENV);
  expect(diagnostics.map(one => one.related?.map(({ range }) => range.start))).toEqual([[12]]);
});
