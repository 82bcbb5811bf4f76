import { partialMap, Unknown } from '@tollgate/cel';
import { UnknownPresence, wholeOf } from '@tollgate/cel/tooling';
import { type HeaderFacts, NO_HEADER_KNOWN, type UnclearHeaders } from '@tollgate/traffic';
import type { Dialect } from './dialect.ts';
import { UnclearHeader, unclear, unrecorded } from './unrecorded.ts';

/**
 * The headers of a message as rules see them: values by name, in the profile's form of names, which all functions expect. A name whose value
 * is `undefined` is known to be absent; in a partial map, missing names are unknown.
 */
export interface HeaderMap {
  readonly [name: string]: HeaderValues;
}

/** The values of one header; undefined if it is absent. */
export type HeaderValues = readonly (string | Unknown)[] | Unknown | undefined;

/**
 * Returns the header map of recorded headers.
 * @param whole the name of the map in rules, such as `req.Headers`
 */
export function headerMapOf(facts: HeaderFacts, whole: string, { headerKey }: Pick<Dialect, 'headerKey'>): HeaderMap {
  if (facts === NO_HEADER_KNOWN) return nothingKnown(whole);
  const values = new Map<string, string[] | undefined>();
  for (const name of facts.absent) values.set(headerKey(name), undefined);
  for (const { name, value } of facts.fields) {
    const key = headerKey(name);
    const known = values.get(key);
    if (known === undefined) values.set(key, [value]);
    else known.push(value);
  }
  const map: Record<string, HeaderValues> = Object.fromEntries(values);
  for (const name of facts.withheld) {
    const key = headerKey(name);
    if (!values.has(key)) Object.defineProperty(map, key, { ...OWN, value: unrecorded(whole, key) });
  }
  for (const [name, written] of facts.unclear ?? NOTHING) {
    const key = headerKey(name);
    if (!values.has(key)) Object.defineProperty(map, key, { ...OWN, value: unclear(whole, key, written) });
  }
  return facts.complete ? map : partialHeaders(map, whole);
}

/** Unlike assignment, this makes `__proto__` a name like any other. */
const OWN = { enumerable: true, configurable: true, writable: true } as const;

const NOTHING: UnclearHeaders = new Map();

const NOTHING_KNOWN = new Map(['req.Headers', 'res.Headers', 'req.headers', 'res.headers'].map(nothingOf));

function nothingOf(whole: string): readonly [whole: string, map: HeaderMap] {
  return [whole, partialHeaders({}, whole)];
}

/** Most logs contain no response headers: they share one map, which is never changed. */
function nothingKnown(whole: string): HeaderMap {
  return NOTHING_KNOWN.get(whole) ?? partialHeaders({}, whole);
}

/** Returns the values of a header; undefined if it is absent. */
export function headerValues(map: HeaderMap, key: string): HeaderValues {
  if (Object.hasOwn(map, key)) return map[key];
  const whole = wholeOf(map);
  return whole === undefined ? undefined : unrecorded(whole, key);
}

function partialHeaders(known: HeaderMap, whole: string): HeaderMap {
  return partialMap(known, whole) as HeaderMap;
}

/** Returns the first value of a header; undefined if it is absent. */
export function firstHeader(map: HeaderMap, key: string): string | Unknown | undefined {
  return firstOf(headerValues(map, key));
}

/** Returns the first of a header's values. */
export function firstOf(values: HeaderValues): string | Unknown | undefined {
  return values instanceof Unknown ? values : values?.[0];
}

/** Returns the map with one more value for a header. Computed names in a literal make own properties, including `__proto__`. */
export function withHeader(map: HeaderMap, key: string, value: string | Unknown): HeaderMap {
  const known = headerValues(map, key);
  // It is present now, whatever it was before.
  const values = known instanceof Unknown ? new Unknown(known.attributes) : [...(known ?? []), value];
  return replaceHeader(map, key, values);
}

/** Returns the map with exactly these values for a header; undefined removes it. */
export function replaceHeader(map: HeaderMap, key: string, values: HeaderValues): HeaderMap {
  const whole = wholeOf(map);
  const replaced = { ...map, [key]: values };
  return whole === undefined ? replaced : partialHeaders(replaced, whole);
}

/** Returns what is known if the headers are one map or the other. `needs` are the inputs that would settle it. */
export function joinHeaderMaps(a: HeaderMap, b: HeaderMap, needs: readonly string[]): HeaderMap {
  if (a === b) return a;
  const joined: Record<string, HeaderValues> = {};
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const [one, other] = [headerValues(a, name), headerValues(b, name)];
    const values = sameValues(one, other) ? one : differing(one, other, needs);
    Object.defineProperty(joined, name, { ...OWN, value: values });
  }
  const whole = wholeOf(a) ?? wholeOf(b);
  return whole === undefined ? joined : partialHeaders(joined, whole);
}

function differing(a: HeaderValues, b: HeaderValues, needs: readonly string[]): Unknown {
  return isPresent(a) && isPresent(b) ? new Unknown(needs) : new UnknownPresence(needs);
}

function isPresent(values: HeaderValues): boolean {
  return values !== undefined && !(values instanceof UnknownPresence);
}

function sameValues(a: HeaderValues, b: HeaderValues): boolean {
  if (a === b) return true;
  // A header that may be present and one that is present but unknown depend on the same inputs if one was derived from the other.
  if (isPresent(a) !== isPresent(b) || a instanceof UnclearHeader !== b instanceof UnclearHeader) return false;
  if (a instanceof Unknown || b instanceof Unknown) {
    return a instanceof Unknown && b instanceof Unknown && a.attributes.join() === b.attributes.join();
  }
  return a !== undefined && b !== undefined && a.length === b.length && a.every((value, index) => value === b[index]);
}
