import type { CallExpr, Expr } from '@tollgate/cel';
import { type Comparator, mirrored } from '../../expressions/comparisons.ts';
import { type Condition, negated } from '../formula/condition.ts';
import { below } from '../values/range-set.ts';
import { afterString } from '../values/string-values.ts';
import type { ValueSet } from '../values/value-set.ts';
import type { View } from '../values/vocabulary.ts';
import { type Constant, constantOf } from './constant-value.ts';
import { doublesThat, integersThat, rangesThat } from './number-claims.ts';
import { claimAbout, truthOf } from './read-term.ts';
import { operandsOf, overloadOf, type ReaderContext, resolved, typeOfExpr } from './reader-context.ts';

/** Reads a comparison: exactly if one operand is constant, otherwise as an opaque truth value. */
export function comparisonCondition(reader: ReaderContext, call: CallExpr, comparator: Comparator): Condition {
  const [left, right] = call.args;
  const constant = constantOf(reader, right!);
  const found =
    constant === undefined
      ? constantFirst(reader, comparator, left!, right!)
      : withConstant(reader, { comparator, operand: left!, constant });
  if (found !== undefined) return found;
  // `a != b` fails if `a == b` does.
  return comparator === '!=' ? negated(truthOf(reader, { ...call, function: '_==_' })) : truthOf(reader, call);
}

function constantFirst(reader: ReaderContext, comparator: Comparator, left: Expr, right: Expr): Condition | undefined {
  const constant = constantOf(reader, left);
  return constant && withConstant(reader, { comparator: mirrored(comparator), operand: right, constant });
}

interface ComparisonWithConstant {
  readonly comparator: Comparator;
  readonly operand: Expr;
  readonly constant: Constant;
}

function withConstant(
  reader: ReaderContext,
  { comparator, operand, constant }: ComparisonWithConstant,
): Condition | undefined {
  const { viewed, view } = viewOf(reader, operand);
  const values = view && valuesThat(comparator, view.kind, constant);
  return values && claimAbout(reader, viewed, view, () => values);
}

const VIEWS: Readonly<Record<string, View>> = {
  string: { kind: 'text' },
  int: { kind: 'int' },
  uint: { kind: 'uint' },
  double: { kind: 'double' },
};

/** Overloads that parse a string as a number; the view is then of the string. */
const CONVERSIONS: Readonly<Record<string, View>> = {
  string_to_int64: { kind: 'as-int' },
  string_to_double: { kind: 'as-double' },
};

const SIZES = /^(?:size_\w+|\w+_size)$/;

/** Returns the expression that a comparison observes, and how. */
export function viewOf(reader: ReaderContext, expr: Expr): { readonly viewed: Expr; readonly view: View | undefined } {
  const own = resolved(reader, expr);
  if (own.kind === 'call') {
    const overload = overloadOf(reader, own) ?? '';
    const conversion = CONVERSIONS[overload];
    if (conversion !== undefined) return { viewed: operandsOf(reader, own)[0]!, view: conversion };
    if (SIZES.test(overload)) return { viewed: operandsOf(reader, own)[0]!, view: { kind: 'count' } };
  }
  return { viewed: expr, view: VIEWS[typeOfExpr(reader, expr)] };
}

function valuesThat(comparator: Comparator, kind: View['kind'], constant: Constant): ValueSet | undefined {
  if (kind === 'text') {
    if (constant.kind !== 'text') return undefined;
    return rangesThat(comparator, { from: below(constant.text), to: below(afterString(constant.text)) });
  }
  if (constant.kind !== 'number') return undefined;
  return kind === 'double' || kind === 'as-double'
    ? doublesThat(comparator, constant)
    : integersThat(comparator, constant);
}
