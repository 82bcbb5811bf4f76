import type { Signal } from '../logic/graph.ts';
import { addressNumber } from '../values/addresses.ts';
import { includes } from '../values/int-set.ts';
import { hasPart } from './time-parts.ts';
import type { Cell, Meaning, Slot } from './vocabulary.ts';

/** The value of a cell. */
export type CellValue = string | bigint | readonly string[] | readonly RecordValue[];

/** An element of a list of objects. */
export interface RecordValue {
  /** The fields that something is known of, by name; a bool is `true` or `false`. */
  readonly fields: ReadonlyMap<string, CellValue>;
  readonly holds: (formula: Signal) => boolean;
  /** Equal for values with the same fields. */
  readonly toJSON: () => unknown;
}

/** What an atom says about the value of its cell. */
export type TestMeaning = Exclude<Meaning, { readonly kind: 'free' | 'same' | 'difference' }>;

/** Returns true if an atom holds for a value of its cell; an address may be given as its number, which takes time to parse. */
export function holdsFor(meaning: TestMeaning, value: CellValue): boolean {
  const elements = Array.isArray(value) ? (value as readonly string[]) : [];
  const records = elements as readonly (string | RecordValue)[];
  const isRecord = (one: string | RecordValue | undefined, formula: Signal) =>
    typeof one === 'object' && one.holds(formula);
  switch (meaning.kind) {
    case 'language':
      return meaning.language.test(String(value));
    case 'addresses':
      return includes(meaning.set, typeof value === 'bigint' ? value : addressNumber(value as string));
    case 'integers':
      return includes(meaning.set, value as bigint);
    case 'part':
      return hasPart(meaning, value as bigint);
    case 'residue':
      return (value as bigint) % meaning.modulus === meaning.residue;
    case 'size':
      return includes(meaning.set, BigInt(elements.length));
    case 'element': {
      const element = elements[meaning.index];
      return element !== undefined && meaning.language.test(element);
    }
    case 'some':
      return elements.some(element => meaning.language.test(element));
    case 'record':
      return isRecord(records[meaning.index], meaning.formula);
    case 'some-record':
      return records.some(one => isRecord(one, meaning.formula));
    case 'first-record':
      return isRecord(
        records.find(one => isRecord(one, meaning.filter)),
        meaning.formula,
      );
  }
}

/** Returns true if an atom about two cells holds for their values. */
export function isRelated(
  meaning: Extract<Meaning, { readonly kind: 'same' | 'difference' }>,
  valueAt: (cell: Cell) => CellValue | undefined,
): boolean {
  if (meaning.kind === 'difference') {
    const [value, other] = [valueAt(meaning.cell), valueAt(meaning.other)];
    return typeof value === 'bigint' && typeof other === 'bigint' && value - other <= meaning.most;
  }
  const [text, other] = [meaning, meaning.other].map(slot => stringAt(slot, valueAt));
  return text !== undefined && text === other;
}

function stringAt({ cell, index }: Slot, valueAt: (cell: Cell) => CellValue | undefined): string | undefined {
  const value = valueAt(cell);
  const found = index === undefined ? value : Array.isArray(value) ? (value as readonly unknown[])[index] : undefined;
  return typeof found === 'string' ? found : undefined;
}
