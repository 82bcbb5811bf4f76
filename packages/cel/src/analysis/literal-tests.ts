// Tests of one operand against literals: the first thing that the linter, the solver and the index of conditions read in a condition.

import type { CallExpr, Expr, LiteralExpr } from '../ast/ast.ts';

/** An operator that compares two values. */
export type Comparator = '==' | '!=' | '<' | '<=' | '>' | '>=';

/** How an operand is tested. */
export type LiteralTestKind = Comparator | 'in' | StringTest;

type StringTest = 'startsWith' | 'endsWith' | 'contains' | 'matches';

/** A test of an operand against literals, such as `req.Method in ['GET', 'HEAD']` or `1 < x`, which reads `x > 1`. */
export interface LiteralTest {
  readonly call: CallExpr;
  readonly kind: LiteralTestKind;
  readonly operand: Expr;
  /** Exactly one, except for `in`. */
  readonly literals: readonly LiteralExpr[];
  /** False for a list with elements that are no literals, or are optional. */
  readonly isComplete: boolean;
}

/** A comparison with a literal, read as if the literal stood on the right. */
export interface Comparison {
  readonly node: CallExpr;
  readonly comparator: Comparator;
  readonly operand: Expr;
  readonly literal: LiteralExpr;
}

/** Reads a call as a test against literals; undefined if it is not one. Names are taken at face value: types are up to the caller. */
export function literalTestOf(call: CallExpr): LiteralTest | undefined {
  const comparison = comparisonOf(call);
  if (comparison) {
    const { comparator, operand, literal } = comparison;
    return { call, kind: comparator, operand, literals: [literal], isComplete: true };
  }
  const { target, args, function: name } = call;
  const [first, second] = args;
  if (name === '@in' && first && second?.kind === 'list') {
    const literals = second.elements.filter(element => element.kind === 'literal');
    const isComplete = literals.length === second.elements.length && second.optionalIndices.length === 0;
    return { call, kind: 'in', operand: first, literals, isComplete };
  }
  if (!target || first?.kind !== 'literal' || !isStringTest(name)) return undefined;
  return { call, kind: name, operand: target, literals: [first], isComplete: true };
}

/** Reads a call as a comparison with a literal; undefined if it is not one. */
export function comparisonOf(node: CallExpr): Comparison | undefined {
  const comparator = comparatorOf(node);
  const [left, right] = node.args;
  if (!comparator || !left || !right) return undefined;
  if (right.kind === 'literal') return { node, comparator, operand: left, literal: right };
  return left.kind === 'literal'
    ? { node, comparator: MIRRORED[comparator], operand: right, literal: left }
    : undefined;
}

/** Returns the operator of a call; undefined if it is not a comparison. */
export function comparatorOf({ function: name }: CallExpr): Comparator | undefined {
  return Object.hasOwn(COMPARATORS, name) ? COMPARATORS[name] : undefined;
}

/** Returns the operator that gives the same result with swapped operands. */
export function mirrored(comparator: Comparator): Comparator {
  return MIRRORED[comparator];
}

/** Returns true for the methods that test a string against another one. */
export function isStringTest(name: string): name is StringTest {
  return name === 'startsWith' || name === 'endsWith' || name === 'contains' || name === 'matches';
}

const COMPARATORS: Readonly<Record<string, Comparator>> = {
  '_==_': '==',
  '_!=_': '!=',
  '_<_': '<',
  '_<=_': '<=',
  '_>_': '>',
  '_>=_': '>=',
};

const MIRRORED: Readonly<Record<Comparator, Comparator>> = {
  '==': '==',
  '!=': '!=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};
