import fc from 'fast-check';

const LITERALS = [
  ...['0', '1', '42', '0xff', '9007199254740993', '-9223372036854775808', '-1', '7u', '0xFu', '18446744073709551615u'],
  ...['1.5', '.5', '1e3', '2.5e-7', '-0.0', '1e21', '-3.0', 'true', 'false', 'null'],
  ...['""', "'it'", `"\\"'"`, "'''a\nb'''", String.raw`r"\d+"`, String.raw`"\x41\u00e9\U0001F600\101\n"`, '"😀"'],
  ...['b"abc"', String.raw`b'\xff\000é'`, String.raw`br'\x'`],
];
const NAMES = ['a', 'b', 'req', '_x', 'in_', 'Type', 'r', 'u'];
const FIELDS = [...NAMES, 'for', 'class', '`a-b`', '`in`', '`a.b/c d`', '`plain`'];
const BINARY = ['||', '&&', '==', '!=', '<', '<=', '>', '>=', 'in', '+', '-', '*', '/', '%'];
const SPACES = [' ', '  ', '\n', '\t', ' // c\n'];

type WriteMacro = (target: string, variable: string, first: string, second: string) => string;

const MACROS: readonly WriteMacro[] = [
  target => `has(${target}.f)`,
  (target, v, first) => `${target}.all(${v}, ${first})`,
  (target, v, first) => `${target}.exists(${v}, ${first})`,
  (target, v, first) => `${target}.exists_one(${v}, ${first})`,
  (target, v, first) => `${target}.map(${v}, ${first})`,
  (target, v, first, second) => `${target}.map(${v}, ${first}, ${second})`,
  (target, v, first) => `${target}.filter(${v}, ${first})`,
  (_, v, first, second) => `cel.bind(${v}, ${first}, ${second})`,
  (target, v, first) => `${target}.optMap(${v}, ${first})`,
  (target, v, first) => `${target}.optFlatMap(${v}, ${first})`,
  (target, v, first) => `${target}.transformList(${v}, w, ${first})`,
  (target, v, first, second) => `${target}.transformMap(${v}, w, ${first}, ${second})`,
  (target, v, first) => `${target}.existsOne(${v}, w, ${first})`,
  (_, v) => `math.greatest(${v}, 1, 2.5)`,
  (target, _, first) => `cel.block([${target}, ${first}], cel.index(1))`,
];

type Text = fc.Arbitrary<string>;

const name = fc.constantFrom(...NAMES);
const field = fc.constantFrom(...FIELDS);
const space = fc.constantFrom(...SPACES);
const optionalMark = fc.constantFrom('', '', '?');

/** Texts of well-formed expressions, with all of the syntax and with macros. */
export const expressionText: Text = fc.letrec<{ expression: string; operand: string }>(tie => ({
  operand: operands(tie('expression'), tie('operand')),
  expression: expressions(tie('expression'), tie('operand')),
})).expression;

function expressions(expression: Text, operand: Text): Text {
  return fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    operand,
    concat(fc.constantFrom('!', '-', '!!', '--', '---'), operand),
    concat(expression, space, fc.constantFrom(...BINARY), space, expression),
    chain('&&', operand),
    chain('||', operand),
    concat(operand, fc.constant(' ? '), operand, fc.constant(' : '), expression),
  );
}

function operands(expression: Text, operand: Text): Text {
  return fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(fc.constantFrom(...LITERALS), name),
    concat(fc.constant('.'), name),
    concat(fc.constant('('), expression, fc.constant(')')),
    concat(operand, fc.constantFrom('.', '.?'), field),
    concat(operand, fc.constant('['), optionalMark, expression, fc.constant(']')),
    concat(name, bracketed(expression, '()', false)),
    concat(operand, fc.constant('.'), name, bracketed(expression, '()', false)),
    bracketed(concat(optionalMark, expression), '[]', true),
    bracketed(concat(optionalMark, expression, fc.constant(': '), expression), '{}', true),
    concat(
      fc.constantFrom('M', '.M', 'a.b.M'),
      bracketed(concat(optionalMark, field, fc.constant(': '), expression), '{}', true),
    ),
    fc
      .tuple(operand, name, expression, expression, fc.constantFrom(...MACROS))
      .map(([target, variable, first, second, write]) => write(target, variable, first, second)),
  );
}

function concat(...parts: readonly Text[]): Text {
  return fc.tuple(...parts).map(texts => texts.join(''));
}

function bracketed(item: Text, brackets: string, trailingComma: boolean): Text {
  return fc.tuple(fc.array(item, { maxLength: 3 }), fc.boolean()).map(([items, trailing]) => {
    const comma = trailingComma && trailing ? ',' : '';
    return `${brackets[0]}${items.join(', ')}${comma}${brackets[1]}`;
  });
}

function chain(operator: string, operand: Text): Text {
  return fc.array(operand, { minLength: 2, maxLength: 9 }).map(terms => terms.join(` ${operator} `));
}
