import type { Expr } from '@tollgate/cel';
import type { Condition } from '../formula/condition.ts';
import { below, between } from '../values/range-set.ts';
import { afterString } from '../values/string-values.ts';
import { flagSet, join, rangesOf, type ValueSet } from '../values/value-set.ts';
import type { View } from '../values/vocabulary.ts';
import { viewOf } from './comparison-condition.ts';
import { constantOf } from './constant-value.ts';
import { doublesThat, integersThat } from './number-claims.ts';
import { claimAbout, presence, truthOf } from './read-term.ts';
import { type ReaderContext, resolved, typeOfExpr } from './reader-context.ts';

/** Reads `'X' in map` and `x in [constants]` exactly, other tests as opaque truth values. */
export function membershipCondition(reader: ReaderContext, call: Extract<Expr, { kind: 'call' }>): Condition {
  const [element, container] = call.args;
  return (
    keyCondition(reader, element!, container!) ?? listCondition(reader, element!, container!) ?? truthOf(reader, call)
  );
}

function keyCondition(reader: ReaderContext, element: Expr, container: Expr): Condition | undefined {
  if (typeOfExpr(reader, container) !== 'map') return undefined;
  const key = constantOf(reader, element);
  return key?.kind === 'text' ? presence(reader, container, key.text) : undefined;
}

function listCondition(reader: ReaderContext, element: Expr, container: Expr): Condition | undefined {
  const list = resolved(reader, container);
  const { viewed, view } = viewOf(reader, element);
  if (list.kind !== 'list' || list.optionalIndices.length > 0 || view === undefined) return undefined;
  let values: ValueSet = flagSet(0);
  for (const item of list.elements) {
    const equal = valuesEqualTo(reader, item, view);
    if (equal === undefined) return undefined;
    values = join(values, equal);
  }
  return claimAbout(reader, viewed, view, () => values);
}

function valuesEqualTo(reader: ReaderContext, item: Expr, { kind }: View): ValueSet | undefined {
  const constant = constantOf(reader, item);
  if (constant === undefined) return undefined;
  if (kind === 'text') {
    return constant.kind === 'text'
      ? rangesOf(between(below(constant.text), below(afterString(constant.text))))
      : undefined;
  }
  if (constant.kind !== 'number') return undefined;
  return kind === 'double' || kind === 'as-double' ? doublesThat('==', constant) : integersThat('==', constant);
}
