import { parseIp } from '@tollgate/cel/tooling';
import type { AssignedValue } from './abstract-condition.ts';
import { bitsOf, type Need } from './needs.ts';

/** Positions of rules by literal. Literals of the same length take one lookup. */
class Literals {
  readonly #byLength = new Map<number, Map<string | number, number[]>>();
  #sorted: readonly (readonly [string, readonly number[]])[] | undefined;

  add(literal: string | number, position: number): void {
    const length = typeof literal === 'string' ? literal.length : 0;
    let known = this.#byLength.get(length);
    if (known === undefined) {
      known = new Map();
      this.#byLength.set(length, known);
    }
    const positions = known.get(literal);
    if (positions === undefined) known.set(literal, [position]);
    else if (positions.at(-1) !== position) positions.push(position);
  }

  equalTo(value: string | number, found: Set<number>): void {
    addAll(found, this.#byLength.get(typeof value === 'string' ? value.length : 0)?.get(value));
  }

  beginning(value: string, found: Set<number>): void {
    for (const [length, known] of this.#byLength)
      if (length <= value.length) addAll(found, known.get(value.slice(0, length)));
  }

  ending(value: string, found: Set<number>): void {
    for (const [length, known] of this.#byLength)
      if (length <= value.length) addAll(found, known.get(value.slice(value.length - length)));
  }

  within(value: string, found: Set<number>): void {
    for (const [length, known] of this.#byLength)
      for (let start = 0; start + length <= value.length; start += 1)
        addAll(found, known.get(value.slice(start, start + length)));
  }

  /** Finds literals that start with a string. */
  under(start: string, found: Set<number>): void {
    this.#sorted ??= [...this.#byLength.values()]
      .flatMap(known => [...known].filter((one): one is [string, number[]] => typeof one[0] === 'string'))
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#sorted[middle]![0] < start) low = middle + 1;
      else high = middle;
    }
    for (let at = low; this.#sorted[at]?.[0].startsWith(start); at += 1) addAll(found, this.#sorted[at]![1]);
  }

  all(found: Set<number>): void {
    for (const known of this.#byLength.values()) for (const positions of known.values()) addAll(found, positions);
  }
}

function addAll(found: Set<number>, positions: readonly number[] | undefined): void {
  if (positions !== undefined) for (const position of positions) found.add(position);
}

/** Rules by what they need of one value. Complete before the first lookup. */
export class LiteralIndex {
  readonly #defaultValue: AssignedValue;
  readonly #literals: Readonly<Record<Need['test'], Literals>> = {
    equal: new Literals(),
    prefix: new Literals(),
    suffix: new Literals(),
    part: new Literals(),
    bits: new Literals(),
    true: new Literals(),
    any: new Literals(),
  };

  constructor(defaultValue: AssignedValue) {
    this.#defaultValue = defaultValue;
  }

  add({ test, literal }: Need, position: number): void {
    this.#literals[test].add(literal, position);
  }

  /** Finds needs that the value may meet. */
  metBy(value: AssignedValue, found: Set<number>): void {
    const { any, bits, equal, part, prefix, suffix, true: truth } = this.#literals;
    any.all(found);
    if (value === true) truth.all(found);
    if (typeof value === 'number') equal.equalTo(value, found);
    if (typeof value !== 'string') return;
    equal.equalTo(value, found);
    prefix.beginning(value, found);
    suffix.ending(value, found);
    part.within(value, found);
    const ip = parseIp(value);
    if (ip !== undefined) bits.beginning(bitsOf(ip.bytes), found);
  }

  /** Finds needs that the default value may meet. */
  metByDefaultValue(found: Set<number>): void {
    const metByDefault = new Set<number>();
    this.metBy(this.#defaultValue, metByDefault);
    const any = new Set<number>();
    this.#literals.any.all(any);
    for (const position of metByDefault) if (!any.has(position)) found.add(position);
  }

  /** Finds needs that may be met together with another one; returns false if that cannot be looked up. */
  metWith({ test, literal }: Need, found: Set<number>): boolean {
    const { bits, equal, part, prefix, suffix } = this.#literals;
    const others = Object.values(this.#literals);
    switch (test) {
      case 'equal':
        equal.equalTo(literal, found);
        if (typeof literal === 'string') {
          prefix.beginning(literal, found);
          suffix.ending(literal, found);
          part.within(literal, found);
        }
        break;
      case 'prefix':
      case 'bits': {
        const own = this.#literals[test];
        own.beginning(String(literal), found);
        own.under(String(literal), found);
        if (test === 'prefix') equal.under(String(literal), found);
        break;
      }
      default:
        return false;
    }
    const seen = test === 'bits' ? [bits] : test === 'equal' ? [equal, prefix, suffix, part] : [equal, prefix];
    for (const one of others) if (!seen.includes(one)) one.all(found);
    return true;
  }
}
