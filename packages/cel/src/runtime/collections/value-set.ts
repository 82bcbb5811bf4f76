import type { Value } from '../../values/value.ts';
import type { RunContext } from '../context/implementation.ts';
import { mapKeyOf } from '../host/map.ts';
import { numberIn, sameValue } from './equality.ts';

/** Tagged values, told apart by `_==_`. Scalars are found at once, all else by comparing; each comparison takes a step. */
export class ValueSet {
  readonly #context: RunContext;
  readonly #scalars = new Set<unknown>();
  readonly #others: Value[] = [];

  constructor(context: RunContext) {
    this.#context = context;
  }

  /** False when an equal value is there already. */
  add(value: Value): boolean {
    if (this.has(value)) return false;
    if (isScalar(value)) this.#scalars.add(scalarKey(value));
    else this.#others.push(value);
    return true;
  }

  has(value: Value): boolean {
    // Not a number equals nothing, though a set finds it.
    if (isScalar(value)) return !Number.isNaN(numberIn(value)) && this.#scalars.has(scalarKey(value));
    return this.#others.some(other => {
      this.#context.left -= 1;
      // What follows means nothing then, and whoever asked looks.
      return this.#context.left < 0 || sameValue(this.#context, value, other);
    });
  }
}

function isScalar(value: Value): boolean {
  return typeof value !== 'object' || value === null || numberIn(value) !== undefined;
}

/** Equal numbers of different types have one key. */
function scalarKey(value: Value): unknown {
  return value === null ? null : (mapKeyOf(value) ?? numberIn(value));
}
