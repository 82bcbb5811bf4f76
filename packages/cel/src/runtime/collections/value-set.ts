import type { Value } from '../../values/value.ts';
import type { RunContext } from '../context/implementation.ts';
import { mapKeyOf } from '../host/map.ts';
import { numberIn, sameValue } from './equality.ts';

/** A set of tagged values under `_==_`. Scalars are found by hashing, other values by comparison; each comparison costs a step. */
export class ValueSet {
  readonly #context: RunContext;
  readonly #scalars = new Set<unknown>();
  readonly #others: Value[] = [];

  constructor(context: RunContext) {
    this.#context = context;
  }

  /** Returns false if the set already contains an equal value. */
  add(value: Value): boolean {
    if (this.has(value)) return false;
    if (isScalar(value)) this.#scalars.add(scalarKey(value));
    else this.#others.push(value);
    return true;
  }

  has(value: Value): boolean {
    // NaN equals nothing, although a JavaScript set finds it.
    if (isScalar(value)) return !Number.isNaN(numberIn(value)) && this.#scalars.has(scalarKey(value));
    return this.#others.some(other => {
      this.#context.left -= 1;
      // The result means nothing once the budget is exceeded; the caller checks that.
      return this.#context.left < 0 || sameValue(this.#context, value, other);
    });
  }
}

function isScalar(value: Value): boolean {
  return typeof value !== 'object' || value === null || numberIn(value) !== undefined;
}

/** Equal numbers of different types have the same key. */
function scalarKey(value: Value): unknown {
  return value === null ? null : (mapKeyOf(value) ?? numberIn(value));
}
