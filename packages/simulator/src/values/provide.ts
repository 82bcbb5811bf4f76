import { Unknown } from '@tollgate/cel';
import { UnknownPresence } from '@tollgate/cel/tooling';
import type { Known, TrafficState } from '../state/traffic-state.ts';

/** Returns the value of a variable as it appears in an activation; undefined if it is absent. */
export type Provide = (state: TrafficState) => unknown;

/** Providers by the variable's path in the catalog. */
export type Providers = Readonly<Record<string, Provide>>;

/** An entry of {@link Providers} for a value that only some recordings contain: otherwise unknown, under its own name. */
export function ifRecorded(path: string, pick: Provide): [path: string, provide: Provide] {
  const unknown = new Unknown([path]);
  return [path, state => pick(state) ?? unknown];
}

/** Entries for values that no recording contains: unknown under their own names. */
export function notRecorded(...paths: readonly string[]): Providers {
  return Object.fromEntries(paths.map(path => [path, constant(new Unknown([path]))]));
}

/** Entries for values that no recording contains, and that traffic may lack. */
export function maybeAbsent(...paths: readonly string[]): Providers {
  return Object.fromEntries(paths.map(path => [path, constant(new UnknownPresence([path]))]));
}

function constant(value: Unknown): Provide {
  return () => value;
}

/** Applies `map` to a value unless it is unknown. */
export function mapKnown<T, U>(value: Known<T>, map: (value: T) => U): Known<U> {
  return value instanceof Unknown ? value : map(value);
}
