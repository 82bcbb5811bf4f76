import type { Expr } from '@tollgate/cel';
import { type Condition, provided, split } from '../formula/condition.ts';
import { ALWAYS, and, type Formula } from '../formula/formula.ts';
import { difference, ERROR, flagSet, INVALID, TRUE, type ValueSet } from '../values/value-set.ts';
import { type Access, type Term, termOf, type Variable, type View, variableOf } from '../values/vocabulary.ts';
import { canonicalSource } from './canonical-source.ts';
import { type ReaderContext, resolved, stepsTo, typeOfExpr } from './reader-context.ts';
import { isTotal } from './totality.ts';

/** A term, and what must hold for it to have a value. */
export interface ReadTerm {
  readonly term: Term;
  readonly requires: Formula;
}

export function readTerm(reader: ReaderContext, expr: Expr): ReadTerm {
  const { vocabulary } = reader;
  const text = canonicalSource(reader, expr);
  const term = termOf(vocabulary, text, () => ({ isTotal: isTotal(reader, expr), access: accessTo(reader, expr) }));
  return { term, requires: requirementsOf(reader, expr) };
}

/** True for these values of a view of the expression's value. */
export function claimAbout(
  reader: ReaderContext,
  expr: Expr,
  view: View,
  values: (variable: Variable) => ValueSet,
): Condition {
  const { term, requires } = readTerm(reader, expr);
  const variable = variableOf(reader.vocabulary, term, view);
  return provided(requires, split(variable, values(variable), withValue(variable)));
}

/** All that is no failure. A text that is not a number has no value as one. */
function withValue({ universe }: Variable): ValueSet {
  return difference(universe, flagSet(ERROR | INVALID));
}

/** An expression of which only its truth is known, as a whole. */
export function truthOf(reader: ReaderContext, expr: Expr): Condition {
  return claimAbout(reader, expr, { kind: 'truth' }, () => flagSet(TRUE));
}

/** That a map has a key. */
export function presence(reader: ReaderContext, map: Expr, key: string): Condition {
  const text = `@in(${JSON.stringify(key)},${canonicalSource(reader, map)})`;
  const term = termOf(reader.vocabulary, text, () => {
    const steps = stepsTo(reader, map);
    return { isTotal: isTotal(reader, map), access: steps && { steps: [...steps, key], isKey: true } };
  });
  const variable = variableOf(reader.vocabulary, term, { kind: 'truth' });
  return split(variable, flagSet(TRUE), withValue(variable));
}

/** What indexes a map by a constant has a value only if the key is there. */
function requirementsOf(reader: ReaderContext, expr: Expr): Formula {
  const own = resolved(reader, expr);
  if (own.kind === 'select') return own.testOnly ? ALWAYS : requirementsOf(reader, own.operand);
  if (own.kind !== 'call' || own.function !== '_[_]') return ALWAYS;
  const [container, index] = own.args;
  const inner = requirementsOf(reader, container!);
  const key = resolved(reader, index!);
  if (typeOfExpr(reader, container!) !== 'map' || key.kind !== 'literal' || key.literal.type !== 'string') return inner;
  return and([inner, presence(reader, container!, key.literal.value).whenTrue]);
}

function accessTo(reader: ReaderContext, expr: Expr): Access | undefined {
  const steps = stepsTo(reader, expr);
  return steps && { steps, isKey: false };
}
