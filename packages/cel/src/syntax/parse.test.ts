import { describe, expect, test } from 'vitest';
import type { Expr } from '../ast/ast.ts';
import { createEnvironment } from '../checker/environment.ts';
import { EXTENSION_LIBRARIES } from '../extension-libraries.ts';
import { unparse } from './format-expression.ts';
import { parse } from './parse.ts';

const environment = createEnvironment({ libraries: EXTENSION_LIBRARIES });

/** Returns the diagnostics as `start-end code message`. */
function problems(source: string, limits = {}): string[] {
  const { diagnostics } = parse(source, createEnvironment({ libraries: EXTENSION_LIBRARIES, limits }));
  return diagnostics.map(({ range, code, message }) => `${range.start}-${range.end} ${code}: ${message}`);
}

function root(source: string): Expr {
  const { ast, diagnostics } = parse(source, environment);
  expect(diagnostics).toEqual([]);
  return ast.root;
}

describe('literals', () => {
  test.each([
    ['0', { type: 'int', value: 0 }],
    ['-0', { type: 'int', value: 0 }],
    ['0x10', { type: 'int', value: 16 }],
    ['- 7', { type: 'int', value: -7 }],
    ['9007199254740991', { type: 'int', value: 9007199254740991 }],
    ['9007199254740993', { type: 'int', value: 9007199254740993n }],
    ['-9223372036854775808', { type: 'int', value: -9223372036854775808n }],
    ['-0x8000000000000000', { type: 'int', value: -9223372036854775808n }],
    ['18446744073709551615u', { type: 'uint', value: 18446744073709551615n }],
    ['0xFFu', { type: 'uint', value: 255 }],
    ['-0.0', { type: 'double', value: -0 }],
    ['.5e1', { type: 'double', value: 5 }],
    ['1e-400', { type: 'double', value: 0 }],
    ['null', { type: 'null', value: null }],
    ['"a\'b"', { type: 'string', value: "a'b" }],
    ['"\\a\\b\\f\\n\\r\\t\\v\\\\\\?\\"\\\'\\`"', { type: 'string', value: '\x07\b\f\n\r\t\v\\?"\'`' }],
    [String.raw`'\x41\X42\103\u00e9\U0001F600'`, { type: 'string', value: 'ABCé😀' }],
    [String.raw`r'\n"'`, { type: 'string', value: String.raw`\n"` }],
    ['"""a"b\r\nc\rd"""', { type: 'string', value: 'a"b\nc\nd' }],
    [String.raw`'''\r'''`, { type: 'string', value: '\r' }],
    [String.raw`b'é\xff\377'`, { type: 'bytes', value: Uint8Array.of(0xc3, 0xa9, 0xff, 0xff) }],
    [String.raw`br'\x'`, { type: 'bytes', value: Uint8Array.of(0x5c, 0x78) }],
  ])('%s', (source, literal) => {
    expect(root(source)).toMatchObject({ kind: 'literal', literal, range: { start: 0, end: source.length } });
  });

  test.each([
    [
      '9223372036854775808',
      ['0-19 syntax/number-out-of-range: expected an int between -9223372036854775808 and 9223372036854775807'],
    ],
    [
      '--9223372036854775808',
      ['2-21 syntax/number-out-of-range: expected an int between -9223372036854775808 and 9223372036854775807'],
    ],
    [
      '-0x8000000000000001',
      ['0-19 syntax/number-out-of-range: expected an int between -9223372036854775808 and 9223372036854775807'],
    ],
    ['18446744073709551616u', ['0-21 syntax/number-out-of-range: expected a uint at most 18446744073709551615']],
    ['1e309', ['0-5 syntax/number-out-of-range: expected a double at most 1.797e308']],
    [
      String.raw`"\q + \x4g"`,
      [
        '1-3 syntax/invalid-escape: unknown escape `\\q`; a backslash itself is written `\\\\`',
        '6-9 syntax/invalid-escape: expected 2 hexadecimal digits after `\\x`, found 1',
      ],
    ],
    [
      String.raw`"\ud83d\ude00"`,
      [
        '1-7 syntax/invalid-escape: expected a Unicode code point, found `\\ud83d`',
        '7-13 syntax/invalid-escape: expected a Unicode code point, found `\\ude00`',
      ],
    ],
    [String.raw`'\U00110000'`, ['1-11 syntax/invalid-escape: expected a Unicode code point, found `\\U00110000`']],
    [String.raw`b'\u0041'`, ['2-8 syntax/invalid-escape: `\\u` is not allowed in bytes; write `\\x` escapes']],
    [
      String.raw`"\400 \18"`,
      [
        '1-5 syntax/invalid-escape: expected three octal digits up to `377` after the backslash',
        '6-9 syntax/invalid-escape: expected three octal digits up to `377` after the backslash',
      ],
    ],
    ['"\ud800"', ['0-3 syntax/lone-surrogate: unpaired surrogate; write the whole character']],
  ])('error in %s', (source, expected) => {
    expect(problems(source)).toEqual(expected);
  });
});

describe('trees', () => {
  test('a node has the range of its source, with the parentheses of its operands but not its own', () => {
    expect(root(' (a + b) * c')).toMatchObject({
      range: { start: 1, end: 12 },
      functionRange: { start: 9, end: 10 },
      args: [{ range: { start: 2, end: 7 } }, { range: { start: 11, end: 12 } }],
    });
    expect(root('(a).b[(1)].f( x )')).toMatchObject({
      range: { start: 0, end: 17 },
      functionRange: { start: 11, end: 12 },
      target: {
        range: { start: 0, end: 10 },
        args: [{ range: { start: 0, end: 5 }, fieldRange: { start: 4, end: 5 } }, {}],
      },
    });
  });

  test('ids are unique and below `nextId`', () => {
    const { ast } = parse('a.exists(x, x.optMap(y, [y]).hasValue()) || {b: -1}[c].d(e ? f : g)', environment);
    const ids = [...JSON.stringify([ast.root]).matchAll(/"id":(\d+)/g)].map(([, id]) => Number(id));
    expect(new Set(ids).size).toBe(ids.length);
    expect(Math.max(...ids)).toBeLessThan(ast.nextId);
    expect(Math.min(...ids)).toBeGreaterThan(0);
  });

  test.each([
    ['a - b - c', '(a - b) - c'],
    ['a + b * c', 'a + (b * c)'],
    ['a || b && c', 'a || (b && c)'],
    ['a && b && c && d', '(a && b) && (c && d)'],
    ['a || b || c', '(a || b) || c'],
    ['a == b in c', '(a == b) in c'],
    ['a ? b : c ? d : e', 'a ? b : (c ? d : e)'],
    ['-a.b', '-(a.b)'],
    ['-1.b', '(-1).b'],
    ['!a == b', '(!a) == b'],
    ['!-1', '!(-1)'],
    ['!!a', 'a'],
    ['---1', '-(1)'],
    ['[a, ?b,]', '[a, ?b]'],
    ['[,]', '[]'],
    ['{,}', '{}'],
  ])('%s is %s', (source, same) => {
    expect(withoutRanges(root(source))).toEqual(withoutRanges(root(same)));
  });

  test('optional selection, indexing, elements, entries and fields', () => {
    expect(root('a.?b')).toMatchObject({
      function: '_?._',
      args: [{ name: 'a' }, { literal: { type: 'string', value: 'b' } }],
    });
    expect(root('a[?b]')).toMatchObject({ function: '_[?_]', args: [{ name: 'a' }, { name: 'b' }] });
    expect(root('[?a, b, ?c]')).toMatchObject({ kind: 'list', optionalIndices: [0, 2] });
    expect(root('{?a: b, c: d}')).toMatchObject({ entries: [{ optional: true }, { optional: false }] });
    expect(root('.a.B{?c: d}')).toMatchObject({
      kind: 'struct',
      typeName: '.a.B',
      fields: [{ field: 'c', optional: true }],
    });
  });

  test('fields may have reserved words and quoted names as names', () => {
    expect(root('a.for.`b-c`')).toMatchObject({ field: 'b-c', operand: { field: 'for' } });
    expect(root('M{`in`: a}')).toMatchObject({ fields: [{ field: 'in' }] });
  });

  test('a leading dot stays in the name', () => {
    expect(root('.a.b')).toMatchObject({
      field: 'b',
      operand: { kind: 'ident', name: '.a', range: { start: 0, end: 2 } },
    });
    expect(root('.f(a)')).toMatchObject({ function: '.f', functionRange: { start: 1, end: 2 }, target: undefined });
  });
});

/** Returns a tree without ids and ranges. */
function withoutRanges(expr: Expr): unknown {
  return JSON.parse(JSON.stringify(expr, (key, value) => (/^id$|[rR]ange$/.test(key) ? undefined : value)));
}

describe('syntax errors', () => {
  test.each([
    ['', ['0-0 expected an expression, found the end of the expression']],
    ['  a +  ', ['5-5 expected an expression, found the end of the expression']],
    [
      'a b && c d',
      [
        '2-3 expected an operator or the end of the expression, found `b`',
        '9-10 expected an operator or the end of the expression, found `d`',
      ],
    ],
    [
      'f(1 2) + [3 4] + {5: 6 7: 8}',
      ['4-5 expected `)`, found `2`', '12-13 expected `]`, found `4`', '23-24 expected `}`, found `7`'],
    ],
    ['(a + ) * [b, ] == c..d', ['5-6 expected an expression, found `)`', '20-21 expected a field name, found `.`']],
    ['a.in || {b}', ['2-4 expected a field name, found the keyword `in`', '10-11 expected `:`, found `}`']],
    ['f(a,, b) && x[]', ['4-5 expected an expression, found `,`', '14-15 expected an expression, found `]`']],
    ['a ? b', ['5-5 expected `:`, found the end of the expression']],
    ['(((a', ['4-4 expected `)`, found the end of the expression']],
    [
      'a) && (b',
      [
        '1-2 expected an operator or the end of the expression, found `)`; remove it',
        '8-8 expected `)`, found the end of the expression',
      ],
    ],
    [
      'if(a) + for',
      [
        '0-2 `if` is a reserved word and may not be used as a name',
        '8-11 `for` is a reserved word and may not be used as a name',
      ],
    ],
    ['f(){a: b}', ['3-4 expected a type name before `{`, or an operator between the expression and the map']],
    ['1 + $ + @ 2', ['4-5 unexpected `$`; variables have no prefix here', '8-9 unexpected `@`']],
    ["'abc", ["0-4 expected `'` at the end of the string, found the end of the line"]],
    [
      'a.map(1, b) || c.all(d.e, f) || has(g)',
      [
        "6-7 expected a variable's name as first argument of `map`",
        "21-24 expected a variable's name as first argument of `all`",
        '36-37 expected a field selection such as `has(a.b)`',
      ],
    ],
  ])('%j', (source, expected) => {
    expect(problems(source).map(text => text.replace(/ \S+:/, ''))).toEqual(expected);
  });

  test('leave a tree of the valid parts, with error nodes for the rest', () => {
    const { ast } = parse('a == 1 && (b.) || f(c, +, d)', environment);
    expect(ast.root).toMatchObject({
      function: '_||_',
      args: [
        { function: '_&&_', args: [{ function: '_==_' }, { kind: 'error' }] },
        { function: 'f', args: [{ name: 'c' }, { kind: 'error' }, { name: 'd' }] },
      ],
    });
    expect(unparse(ast)).toBe('a == 1 && (b.) || f(c, +, d)');
  });

  test.each([
    ['a == 3 && (', { function: '_&&_', args: [{ function: '_==_' }, { kind: 'error' }] }],
    ['a == 3 &&', { function: '_&&_', args: [{ function: '_==_' }, { kind: 'error' }] }],
    ['a ? b', { function: '_?_:_', args: [{ name: 'a' }, { name: 'b' }, { kind: 'error' }] }],
    [
      'f(a, b',
      { args: [{ function: 'f', args: [{ name: 'a' }, { name: 'b' }, { kind: 'error' }] }, { kind: 'error' }] },
    ],
    [
      '[a, {b: c',
      { args: [{ elements: [{ name: 'a' }, { args: [{ kind: 'map' }, { kind: 'error' }] }] }, { kind: 'error' }] },
    ],
    [
      'a && x.all(k, k == b && (',
      { function: '_&&_', args: [{ name: 'a' }, { args: [{ kind: 'comprehension' }, { kind: 'error' }] }] },
    ],
  ])('keep the parts before the end of %j', (source, tree) => {
    expect(parse(source, environment).ast.root).toMatchObject(tree);
  });
});

describe('limits', () => {
  test.each([
    ['maxSourceLength', 'aaaaa', '4-5 limit/source-length: the expression is longer than 4 characters'],
    ['maxDepth', '[[[[[1]]]]]', '4-5 limit/depth: the expression is nested deeper than 4 levels'],
    ['maxDepth', '1 + 2 + 3 + 4 + 5', '0-17 limit/depth: the expression is nested deeper than 4 levels'],
    ['maxDepth', 'a.b.c.d.e', '0-9 limit/depth: the expression is nested deeper than 4 levels'],
    ['maxNodes', '[1, 2, 3, 4]', '0-12 limit/nodes: the expression has more than 4 nodes'],
    [
      'maxDiagnostics',
      '@ 1 @ 2 @ 3 @ 4 @ 5',
      '16-17 limit/diagnostics: only the first 3 of more diagnostics are shown',
    ],
  ])('%s is 4 and the source %s', (limit, source, last) => {
    expect(problems(source, { [limit]: 4 }).at(-1)).toBe(last);
  });

  test('a diagnostic names the limit', () => {
    const { diagnostics } = parse(
      'a.b.c',
      createEnvironment({ libraries: EXTENSION_LIBRARIES, limits: { maxDepth: 2 } }),
    );
    expect(diagnostics[0]?.args).toEqual({ limit: 'maxDepth', value: 2 });
  });

  test('chains of a balanced operator may be long', () => {
    expect(problems(Array.from({ length: 10_000 }, () => 'a').join('||'))).toEqual([]);
  });

  test('an expansion that doubles its operand stops at the limit on nodes', () => {
    expect(problems(`a${'.optMap(x, x)'.repeat(60)}`)).toEqual([
      expect.stringContaining('limit/nodes: the expression has more than 100000 nodes'),
    ]);
  });
});
