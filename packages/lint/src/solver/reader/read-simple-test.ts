import { type CallExpr, type Expr, inputPathOf } from '@tollgate/cel';
import type { LiteralTest, SimpleTest } from '../formula/simple-test.ts';
import { termOf } from '../values/vocabulary.ts';
import { FIELDS, overloadOf, type ReaderContext, typeOfExpr } from './reader-context.ts';
import { isTotal } from './totality.ts';

/**
 * The call as a simple test; undefined for all others. One is true of some values and false of others, and looks at names of the
 * environment only, so that it means the same wherever it stands.
 */
export function simpleTestOf(reader: ReaderContext, call: CallExpr): SimpleTest | undefined {
  const asked = operandTestOf(call, overloadOf(reader, call));
  return asked && testOf(reader, asked);
}

/** What a call asks of one operand. */
export interface OperandTest extends LiteralTest {
  readonly operand: Expr;
}

/**
 * What a call asks of an operand that it holds against literals; undefined for all others. Some texts or ints are so, and some are not.
 *
 * @param overload what the call means, where that is one thing
 */
export function operandTestOf(
  { target, args, function: name }: CallExpr,
  overload: string | undefined,
): OperandTest | undefined {
  const [first, second] = args;
  if (first === undefined) return undefined;
  if (target !== undefined) return searchOf(overload, { operand: target, sought: first });
  if (second === undefined) return undefined;
  if (name === '@in') return listTestOf(first, second);
  if (second.kind === 'literal') return comparisonOf(COMPARISONS[name], { operand: first, sought: second });
  return first.kind === 'literal' ? comparisonOf(MIRRORED[name], { operand: second, sought: first }) : undefined;
}

interface Operands {
  readonly operand: Expr;
  readonly sought: Expr;
}

type Kind = Pick<LiteralTest, 'test' | 'isNegated'>;

const EQUAL: Kind = { test: 'equal', isNegated: false };
const UNEQUAL: Kind = { test: 'equal', isNegated: true };
const BELOW: Kind = { test: 'below', isNegated: false };
const NOT_BELOW: Kind = { test: 'below', isNegated: true };
const ABOVE: Kind = { test: 'above', isNegated: false };
const NOT_ABOVE: Kind = { test: 'above', isNegated: true };

const COMPARISONS: Readonly<Record<string, Kind>> = {
  '_==_': EQUAL,
  '_!=_': UNEQUAL,
  '_<_': BELOW,
  '_>=_': NOT_BELOW,
  '_>_': ABOVE,
  '_<=_': NOT_ABOVE,
};

const MIRRORED: Readonly<Record<string, Kind>> = {
  '_==_': EQUAL,
  '_!=_': UNEQUAL,
  '_>_': BELOW,
  '_<=_': NOT_BELOW,
  '_<_': ABOVE,
  '_>=_': NOT_ABOVE,
};

const SEARCHES: Readonly<Record<string, LiteralTest['test']>> = {
  starts_with_string: 'prefix',
  ends_with_string: 'suffix',
  contains_string: 'part',
};

function comparisonOf(kind: Kind | undefined, { operand, sought }: Operands): OperandTest | undefined {
  const literal = literalOf(sought);
  if (kind === undefined || literal === undefined) return undefined;
  // Texts in order are ranges, of which some hold nothing.
  if (typeof literal === 'string' && kind.test !== 'equal') return undefined;
  return { ...kind, operand, literals: [literal], set: undefined };
}

function searchOf(overload: string | undefined, { operand, sought }: Operands): OperandTest | undefined {
  const test = SEARCHES[overload ?? ''];
  const literal = literalOf(sought);
  // Every text has the empty one everywhere.
  if (test === undefined || typeof literal !== 'string' || literal === '') return undefined;
  return { test, isNegated: false, operand, literals: [literal], set: undefined };
}

function listTestOf(operand: Expr, list: Expr): OperandTest | undefined {
  if (list.kind !== 'list' || list.optionalIndices.length > 0 || list.elements.length === 0) return undefined;
  const literals: (string | number)[] = [];
  for (const element of list.elements) {
    const literal = literalOf(element);
    if (literal === undefined || typeof literal !== typeof (literals[0] ?? literal)) return undefined;
    literals.push(literal);
  }
  return { ...EQUAL, operand, literals, set: literals.length > MANY ? new Set(literals) : undefined };
}

/** Literals beyond which looking through them takes longer than looking them up. */
const MANY = 16;

/** Of ints only those that JavaScript holds exactly. */
function literalOf(expr: Expr): string | number | undefined {
  if (expr.kind !== 'literal') return undefined;
  const { type, value } = expr.literal;
  if (type === 'string') return value;
  return type === 'int' && Number.isSafeInteger(Number(value)) ? Number(value) : undefined;
}

function testOf(reader: ReaderContext, { operand, ...question }: OperandTest): SimpleTest | undefined {
  const type = typeof question.literals[0] === 'string' ? 'string' : 'int';
  if (typeOfExpr(reader, operand) !== type) return undefined;
  // Names of loops mean something else in each iteration, so they are not resolved.
  const path = inputPathOf(reader.typed, operand, FIELDS);
  if (path === undefined) return undefined;
  const make = () => ({
    isTotal: isTotal(reader, operand),
    access: { steps: path.split('.'), isKey: false },
  });
  return { ...question, term: termOf(reader.vocabulary, path, make) };
}
