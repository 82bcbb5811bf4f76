import type { CallExpr, Expr } from '@tollgate/cel';
import { inputPathOf } from '@tollgate/cel/tooling';
import { type Comparator, type Comparison, comparisonOf } from '../../expressions/comparisons.ts';
import type { LiteralTest, SimpleTest } from '../formula/simple-test.ts';
import { termOf } from '../values/vocabulary.ts';
import { FIELDS, overloadOf, type ReaderContext, typeOfExpr } from './reader-context.ts';
import { isTotal } from './totality.ts';

/**
 * Returns a call as a simple test of an input; undefined for other calls. Either result is possible, and loop variables do not occur, so
 * that it means the same everywhere.
 */
export function simpleTestOf(reader: ReaderContext, call: CallExpr): SimpleTest | undefined {
  const test = operandTestOf(call, overloadOf(reader, call));
  return test && testOf(reader, test);
}

/** A test of an operand. */
export interface OperandTest extends LiteralTest {
  readonly operand: Expr;
}

/**
 * Returns a call as a test of an operand against literals; undefined for other calls. Either result is possible.
 *
 * @param overload the id, if the call resolves to a single one
 */
export function operandTestOf(call: CallExpr, overload: string | undefined): OperandTest | undefined {
  const { target, args, function: name } = call;
  const [first, second] = args;
  if (first === undefined) return undefined;
  if (target !== undefined) return searchOf(overload, target, first);
  return name === '@in' && second !== undefined ? listTestOf(first, second) : comparisonTestOf(comparisonOf(call));
}

type Kind = Pick<LiteralTest, 'test' | 'isNegated'>;

const KINDS: Readonly<Record<Comparator, Kind>> = {
  '==': { test: 'equal', isNegated: false },
  '!=': { test: 'equal', isNegated: true },
  '<': { test: 'below', isNegated: false },
  '>=': { test: 'below', isNegated: true },
  '>': { test: 'above', isNegated: false },
  '<=': { test: 'above', isNegated: true },
};

const SEARCHES: Readonly<Record<string, LiteralTest['test']>> = {
  starts_with_string: 'prefix',
  ends_with_string: 'suffix',
  contains_string: 'part',
};

function comparisonTestOf(comparison: Comparison | undefined): OperandTest | undefined {
  if (comparison === undefined) return undefined;
  const { comparator, operand } = comparison;
  const kind = KINDS[comparator];
  const literal = literalOf(comparison.literal);
  if (literal === undefined) return undefined;
  // Some string intervals are empty, so orderings are not simple.
  if (typeof literal === 'string' && kind.test !== 'equal') return undefined;
  return { ...kind, operand, literals: [literal], set: undefined };
}

function searchOf(overload: string | undefined, operand: Expr, sought: Expr): OperandTest | undefined {
  const test = SEARCHES[overload ?? ''];
  const literal = literalOf(sought);
  // Every string contains the empty string.
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
  return { ...KINDS['=='], operand, literals, set: literals.length > MANY ? new Set(literals) : undefined };
}

/** From this number on, a set is faster than a search. */
const MANY = 16;

/** Returns strings and integers that JavaScript represents exactly. */
function literalOf(expr: Expr): string | number | undefined {
  if (expr.kind !== 'literal') return undefined;
  const { type, value } = expr.literal;
  if (type === 'string') return value;
  return type === 'int' && Number.isSafeInteger(Number(value)) ? Number(value) : undefined;
}

function testOf(reader: ReaderContext, { operand, ...question }: OperandTest): SimpleTest | undefined {
  const type = typeof question.literals[0] === 'string' ? 'string' : 'int';
  if (typeOfExpr(reader, operand) !== type) return undefined;
  // Loop variables change with each iteration, so they are not resolved.
  const path = inputPathOf(reader.typed, operand, FIELDS);
  if (path === undefined) return undefined;
  const make = () => ({
    isTotal: isTotal(reader, operand),
    access: { steps: path.split('.'), isKey: false },
  });
  return { ...question, term: termOf(reader.vocabulary, path, make) };
}
