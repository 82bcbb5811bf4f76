import { OUT_OF_STEPS } from '../../values/errors.ts';
import { NonValue, type Value } from '../../values/value.ts';
import type { RunContext } from '../context/implementation.ts';
import { fromHost } from '../host/from-host.ts';
import { ValueSet } from './value-set.ts';

type List = readonly Value[];

/** Returns true if the first list contains every element of the second. */
export function containsSet(context: RunContext, set: List, elements: List): boolean | NonValue {
  const count = countIn(context, set, elements);
  return count instanceof NonValue ? count : count === elements.length;
}

/** Returns true if the second list contains every element of the first. */
export function isSubset(context: RunContext, elements: List, set: List): boolean | NonValue {
  return containsSet(context, set, elements);
}

export function equivalentSets(context: RunContext, a: List, b: List): boolean | NonValue {
  const there = containsSet(context, a, b);
  return there === true ? containsSet(context, b, a) : there;
}

export function intersectsSet(context: RunContext, a: List, b: List): boolean | NonValue {
  const count = countIn(context, a, b);
  return count instanceof NonValue ? count : count > 0;
}

/** Returns how many of the elements are in the list. */
function countIn(context: RunContext, list: List, elements: List): number | NonValue {
  const set = new ValueSet(context);
  let count = 0;
  for (const [index, element] of [...list, ...elements].entries()) {
    const value = fromHost(element);
    if (value instanceof NonValue) return value;
    if (index < list.length) set.add(value);
    else if (set.has(value)) count++;
    context.left -= 1;
    if (context.left < 0) return OUT_OF_STEPS;
  }
  return count;
}
