import type { Sample } from '@tollgate/catalog';

// Configurations are checked before they are run, so that a value of another type is one that is not there: null means the default.

export function intOr(value: Sample | undefined, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}

export function textOr(value: Sample | undefined, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

export function textsOf(value: Sample | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter(member => typeof member === 'string') : [];
}

export function entriesOf(value: Sample | undefined): readonly (readonly [string, Sample])[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

/** The value at a path of keys; undefined when there is none. */
export function valueAt(value: Sample | undefined, ...keys: readonly string[]): Sample | undefined {
  let at = value;
  for (const key of keys) at = new Map(entriesOf(at)).get(key);
  return at;
}
