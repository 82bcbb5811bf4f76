import type { Expr } from '@tollgate/cel';
import type { Outcomes } from '../formula/outcomes.ts';
import { below, between } from '../values/range-set.ts';
import { afterText } from '../values/string-values.ts';
import { flagSet, join, rangesOf, type ValueSet } from '../values/value-set.ts';
import type { View } from '../values/vocabulary.ts';
import { viewOf } from './comparison-outcomes.ts';
import { constantOf } from './constant-value.ts';
import { doublesThat, integersThat } from './number-claims.ts';
import { claimAbout, presence, truthOf } from './read-term.ts';
import { type Reading, resolved, typeOfExpr } from './reader-context.ts';

/** `'X' in map` and `x in [constants]` exactly, all else as a whole. */
export function membershipOutcomes(reading: Reading, call: Extract<Expr, { kind: 'call' }>): Outcomes {
  const [element, container] = call.args;
  return (
    keyOutcomes(reading, element!, container!) ?? listOutcomes(reading, element!, container!) ?? truthOf(reading, call)
  );
}

function keyOutcomes(reading: Reading, element: Expr, container: Expr): Outcomes | undefined {
  if (typeOfExpr(reading, container) !== 'map') return undefined;
  const key = constantOf(reading, element);
  return key?.kind === 'text' ? presence(reading, container, key.text) : undefined;
}

function listOutcomes(reading: Reading, element: Expr, container: Expr): Outcomes | undefined {
  const list = resolved(reading, container);
  const { viewed, view } = viewOf(reading, element);
  if (list.kind !== 'list' || list.optionalIndices.length > 0 || view === undefined) return undefined;
  let values: ValueSet = flagSet(0);
  for (const item of list.elements) {
    const equal = valuesEqualTo(reading, item, view);
    if (equal === undefined) return undefined;
    values = join(values, equal);
  }
  return claimAbout(reading, viewed, view, () => values);
}

function valuesEqualTo(reading: Reading, item: Expr, { kind }: View): ValueSet | undefined {
  const constant = constantOf(reading, item);
  if (constant === undefined) return undefined;
  if (kind === 'text') {
    return constant.kind === 'text'
      ? rangesOf(between(below(constant.text), below(afterText(constant.text))))
      : undefined;
  }
  if (constant.kind !== 'number') return undefined;
  return kind === 'double' || kind === 'as-double' ? doublesThat('_==_', constant) : integersThat('_==_', constant);
}
