import { describe, expect, it } from 'vitest';
import { expressionSource, findInterpolations } from './interpolation.ts';

function found(text: string, escapedAs: '$${' | 'none' = '$${') {
  const { expressions, unclosed } = findInterpolations(text, escapedAs);
  return { expressions: expressions.map(({ start, end }) => text.slice(start, end)), unclosed: unclosed?.start };
}

describe('the expressions in a string', () => {
  it.each([
    ['nothing to fill in, $1 and {}', []],
    ['${a}', ['a']],
    ['${a}-${b + 1}', ['a', 'b + 1']],
    ['x ${ {"a": {"b": 1}}["a"].b } y', [' {"a": {"b": 1}}["a"].b ']],
    ['${"}"} ${\'}{\'} ${"a\\"}"}', ['"}"', "'}{'", '"a\\"}"']],
    ['${r"\\"} ${b}', ['r"\\"', 'b']],
    ['${"""a"}b"""}', ['"""a"}b"""']],
    ['${}', ['']],
    ['${"it\'s"}${x}', ['"it\'s"', 'x']],
  ])('are found by their braces, ignoring those in string literals: %s', (text, expressions) => {
    expect(found(text)).toEqual({ expressions, unclosed: undefined });
  });

  it('are none where `${` is escaped', () => {
    expect(found('$${a} ${b}')).toEqual({ expressions: ['b'], unclosed: undefined });
    expect(found('$${a}', 'none')).toEqual({ expressions: ['a'], unclosed: undefined });
  });

  it.each([
    ['a ${b', 2],
    ['${a} ${"}"', 5],
    ['${{a}', 0],
  ])('are unterminated without a closing brace: %s', (text, unclosed) => {
    expect(found(text).unclosed).toBe(unclosed);
  });
});

describe('an expression with escaped quotes', () => {
  it.each([
    ['"${a[\\"b\\"]}"', 'a[ "b" ]'],
    ['${a + \\"}\\"}', 'a +  "}" '],
    ['${"x\\"y"}', '"x\\"y"'],
    ["${f(\\'a\\', \\'b\\')}", "f( 'a' ,  'b' )"],
  ])('of %s is `%s`, of the same length', (text, expected) => {
    const [range] = findInterpolations(text, '$${').expressions;
    const source = expressionSource(text.slice(range!.start, range!.end));
    expect(source).toBe(expected);
    expect(source).toHaveLength(range!.end - range!.start);
  });
});
