import type { Expr } from '@tollgate/cel';
import { ALWAYS, and, type Formula } from '../formula/formula.ts';
import { type Outcomes, provided, split } from '../formula/outcomes.ts';
import { difference, ERROR, flagSet, INVALID, TRUE, type ValueSet } from '../values/value-set.ts';
import { type Access, type Term, termOf, type Variable, type View, variableOf } from '../values/vocabulary.ts';
import { canonicalText } from './canonical-source.ts';
import { type Reading, resolved, stepsTo, typeOfExpr } from './reader-context.ts';
import { isTotal } from './totality.ts';

/** A term, and what must hold for it to have a value. */
export interface ReadTerm {
  readonly term: Term;
  readonly requires: Formula;
}

export function readTerm(reading: Reading, expr: Expr): ReadTerm {
  const { vocabulary } = reading;
  const text = canonicalText(reading, expr);
  const term = termOf(vocabulary, text, () => ({ isTotal: isTotal(reading, expr), access: accessTo(reading, expr) }));
  return { term, requires: requirementsOf(reading, expr) };
}

/** True for these values of a view of the expression's value. */
export function claimAbout(
  reading: Reading,
  expr: Expr,
  view: View,
  values: (variable: Variable) => ValueSet,
): Outcomes {
  const { term, requires } = readTerm(reading, expr);
  const variable = variableOf(reading.vocabulary, term, view);
  return provided(requires, split(variable, values(variable), withValue(variable)));
}

/** All that is no failure. A text that is not a number has no value as one. */
function withValue({ universe }: Variable): ValueSet {
  return difference(universe, flagSet(ERROR | INVALID));
}

/** An expression of which only its truth is known, as a whole. */
export function truthOf(reading: Reading, expr: Expr): Outcomes {
  return claimAbout(reading, expr, { kind: 'truth' }, () => flagSet(TRUE));
}

/** That a map has a key. */
export function presence(reading: Reading, map: Expr, key: string): Outcomes {
  const text = `@in(${JSON.stringify(key)},${canonicalText(reading, map)})`;
  const term = termOf(reading.vocabulary, text, () => {
    const steps = stepsTo(reading, map);
    return { isTotal: isTotal(reading, map), access: steps && { steps: [...steps, key], isKey: true } };
  });
  const variable = variableOf(reading.vocabulary, term, { kind: 'truth' });
  return split(variable, flagSet(TRUE), withValue(variable));
}

/** What indexes a map by a constant has a value only if the key is there. */
function requirementsOf(reading: Reading, expr: Expr): Formula {
  const own = resolved(reading, expr);
  if (own.kind === 'select') return own.testOnly ? ALWAYS : requirementsOf(reading, own.operand);
  if (own.kind !== 'call' || own.function !== '_[_]') return ALWAYS;
  const [container, index] = own.args;
  const inner = requirementsOf(reading, container!);
  const key = resolved(reading, index!);
  if (typeOfExpr(reading, container!) !== 'map' || key.kind !== 'literal' || key.literal.type !== 'string')
    return inner;
  return and([inner, presence(reading, container!, key.literal.value).whenTrue]);
}

function accessTo(reading: Reading, expr: Expr): Access | undefined {
  const steps = stepsTo(reading, expr);
  return steps && { steps, isKey: false };
}
