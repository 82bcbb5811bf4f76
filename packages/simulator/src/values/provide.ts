import { Unknown } from '@tollgate/cel';
import { UnknownPresence } from '@tollgate/cel/tooling';
import type { Known, TrafficState } from '../state/traffic-state.ts';

/** Gives the value of a variable, as it stands in an activation; undefined where it is absent. */
export type Provide = (state: TrafficState) => unknown;

/** Providers by the variable's path in the catalog. */
export type Providers = Readonly<Record<string, Provide>>;

/** Of what some recordings hold: unknown under its own name in the others. Gives an entry of {@link Providers}. */
export function ifRecorded(path: string, pick: Provide): [path: string, provide: Provide] {
  const unknown = new Unknown([path]);
  return [path, state => pick(state) ?? unknown];
}

/** Of what recordings never hold: unknown under its own name. */
export function notRecorded(...paths: readonly string[]): Providers {
  return Object.fromEntries(paths.map(path => [path, constant(new Unknown([path]))]));
}

/** Of what recordings never hold and traffic may not have. */
export function maybeAbsent(...paths: readonly string[]): Providers {
  return Object.fromEntries(paths.map(path => [path, constant(new UnknownPresence([path]))]));
}

function constant(value: Unknown): Provide {
  return () => value;
}

/** Something about a value that may not be known. */
export function mapKnown<T, U>(value: Known<T>, map: (value: T) => U): Known<U> {
  return value instanceof Unknown ? value : map(value);
}
