import type { Expr } from '@tollgate/cel';
import { type Condition, provided, split } from '../formula/condition.ts';
import { ALWAYS, and, type Formula } from '../formula/formula.ts';
import { difference, ERROR, flagSet, INVALID, TRUE, type ValueSet } from '../values/value-set.ts';
import { type Access, type Term, termOf, type Variable, type View, variableOf } from '../values/vocabulary.ts';
import { canonicalSource } from './canonical-source.ts';
import { type ReaderContext, resolved, stepsTo, typeOfExpr } from './reader-context.ts';
import { isTotal } from './totality.ts';

/** A term, and when it has a value. */
interface ReadTerm {
  readonly term: Term;
  readonly requires: Formula;
}

export function readTerm(reader: ReaderContext, expr: Expr): ReadTerm {
  const { vocabulary } = reader;
  const text = canonicalSource(reader, expr);
  const term = termOf(vocabulary, text, () => ({ isTotal: isTotal(reader, expr), access: accessTo(reader, expr) }));
  return { term, requires: requirementsOf(reader, expr) };
}

/** Returns a condition that is true if a view of the expression has one of the values. */
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

/** Returns all values that are not failures, also of parsing. */
function withValue({ universe }: Variable): ValueSet {
  return difference(universe, flagSet(ERROR | INVALID));
}

/** Reads an expression as an opaque truth value. */
export function truthOf(reader: ReaderContext, expr: Expr): Condition {
  return claimAbout(reader, expr, { kind: 'truth' }, () => flagSet(TRUE));
}

/** Reads whether a map has a key. */
export function presence(reader: ReaderContext, map: Expr, key: string): Condition {
  const text = `@in(${JSON.stringify(key)},${canonicalSource(reader, map)})`;
  const term = termOf(reader.vocabulary, text, () => {
    const steps = stepsTo(reader, map);
    return { isTotal: isTotal(reader, map), access: steps && { steps: [...steps, key], isKey: true } };
  });
  const variable = variableOf(reader.vocabulary, term, { kind: 'truth' });
  return split(variable, flagSet(TRUE), withValue(variable));
}

/** Indexing a map by a constant has a value only if the key exists. */
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
