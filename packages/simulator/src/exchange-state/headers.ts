/** Headers of a message during the evaluation: as recorded, as edited by actions, and as a map for expressions. */
import { partialMap, Unknown } from '@tollgate/cel';
import { UnknownPresence, wholeOf } from '@tollgate/cel/tooling';
import { type HeaderFacts, NO_HEADER_KNOWN } from '@tollgate/traffic';
import { type Dialect, type HeaderName, partlyKnown, unclear, unrecorded } from './dialect.ts';

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
  const others: (readonly [string, HeaderValues])[] = [];
  for (const name of facts.withheld) {
    const key = headerKey(name);
    if (!values.has(key)) others.push([key, unrecorded(whole, key)]);
  }
  for (const [name, written] of facts.unclear ?? NO_HEADERS) {
    const key = headerKey(name);
    if (!values.has(key)) others.push([key, unclear(whole, key, written)]);
  }
  const map: HeaderMap = Object.fromEntries<HeaderValues>(others.length === 0 ? values : [...values, ...others]);
  return facts.complete ? map : partialHeaders(map, whole);
}

const NO_HEADERS: ReadonlyMap<string, string> = new Map();

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
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  const joined: HeaderMap = Object.fromEntries(
    names.map(name => {
      const [one, other] = [headerValues(a, name), headerValues(b, name)];
      return [name, sameValues(one, other) ? one : differing(one, other, needs)];
    }),
  );
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
  if (isPresent(a) !== isPresent(b) || partlyKnown(a)?.written !== partlyKnown(b)?.written) return false;
  if (a instanceof Unknown || b instanceof Unknown) {
    return a instanceof Unknown && b instanceof Unknown && a.attributes.join() === b.attributes.join();
  }
  return a !== undefined && b !== undefined && a.length === b.length && a.every((value, index) => value === b[index]);
}

/**
 * Changes to the headers of a message, without the message: what is done to a header that was not recorded is known all the same, and changing one
 * does not read the others.
 */
export type HeaderEdits = ReadonlyMap<string, HeaderEdit>;

/** What was done to one header: the values that it had are kept or not, and others follow them. */
export interface HeaderEdit {
  readonly keeps: boolean;
  /** Unknown if it depends on what is not known. */
  readonly added: HeaderValues;
}

/** A change to one header: one more value, or exactly these. Names are in the form of header maps. */
export type HeaderChange =
  | { readonly key: string; readonly add: string | Unknown }
  | { readonly key: string; readonly to: HeaderValues };

/** Returns edits with further changes. */
export function editedHeaders(
  edits: HeaderEdits | undefined,
  changes: readonly HeaderChange[],
): HeaderEdits | undefined {
  if (edits === undefined) return undefined;
  const edited = new Map(edits);
  for (const change of changes) edited.set(change.key, editOf(edited.get(change.key), change));
  return edited;
}

function editOf(before: HeaderEdit | undefined, change: HeaderChange): HeaderEdit {
  if ('to' in change) return { keeps: false, added: change.to };
  const { keeps = true, added } = before ?? {};
  const map = withHeader({ [change.key]: added }, change.key, change.add);
  return { keeps, added: map[change.key] };
}

/** Returns a header map after changes. */
export function changedHeaders(map: HeaderMap, changes: readonly HeaderChange[]): HeaderMap {
  return changes.reduce(
    (left, change) =>
      'to' in change ? replaceHeader(left, change.key, change.to) : withHeader(left, change.key, change.add),
    map,
  );
}

/** Returns the values of a header after changes. */
function changedValues(values: HeaderValues, key: string, changes: readonly HeaderChange[]): HeaderValues {
  const own = changes.filter(change => change.key === key);
  return own.length === 0 ? values : changedHeaders({ [key]: values }, own)[key];
}

/** The headers of a message, by name or all of them. */
export interface HeaderSource {
  readonly map: HeaderMap;
  /** Returns the values of a header; undefined if it is absent. */
  readonly valuesOf: (name: HeaderName) => HeaderValues;
}

/** Headers after changes. Names that no change is about are looked up in the others. */
export class ChangedHeaders implements HeaderSource {
  readonly #before: HeaderSource;
  readonly #changes: readonly HeaderChange[];
  #map: HeaderMap | undefined;

  constructor(before: HeaderSource, changes: readonly HeaderChange[]) {
    this.#before = before;
    this.#changes = changes;
  }

  get map(): HeaderMap {
    this.#map ??= changedHeaders(this.#before.map, this.#changes);
    return this.#map;
  }

  valuesOf(name: HeaderName): HeaderValues {
    // The last change that replaces a header makes what it was before irrelevant.
    const isReplaced = this.#changes.some(change => change.key === name.key && 'to' in change);
    return changedValues(isReplaced ? undefined : this.#before.valuesOf(name), name.key, this.#changes);
  }
}

/** The recorded headers of a message. Looking up a few by name is faster than building a map of all. The values are those of {@link headerMapOf}. */
export class RecordedHeaders implements HeaderSource {
  readonly #facts: HeaderFacts;
  readonly #whole: string;
  readonly #dialect: Dialect;
  /** Overrides the recorded `Host` header. */
  readonly #host: string | undefined;
  #map: HeaderMap | undefined;

  /** @param whole the name of the map in rules, such as `req.Headers` */
  constructor(facts: HeaderFacts, whole: string, dialect: Dialect, host?: string) {
    this.#facts = facts;
    this.#whole = whole;
    this.#dialect = dialect;
    this.#host = host;
  }

  get map(): HeaderMap {
    this.#map ??= this.#makeMap();
    return this.#map;
  }

  #makeMap(): HeaderMap {
    const recorded = headerMapOf(this.#facts, this.#whole, this.#dialect);
    return this.#host === undefined ? recorded : replaceHeader(recorded, this.#dialect.headerKey('host'), [this.#host]);
  }

  /** Returns the values of a header; undefined if it is absent. */
  valuesOf(name: HeaderName): HeaderValues {
    const facts = this.#facts;
    if (this.#host !== undefined && name.isPossible && name.lowerCase === 'host') return [this.#host];
    if (facts === NO_HEADER_KNOWN) return name.unknown;
    if (!name.isPossible) return facts.complete ? undefined : name.unknown;
    const values = facts.valuesOf === undefined ? this.#search(name.key) : facts.valuesOf(name.lowerCase);
    if (values !== undefined) return values;
    const written =
      facts.unclearOf === undefined ? facts.unclear?.get(name.lowerCase) : facts.unclearOf(name.lowerCase);
    if (written !== undefined) return unclear(this.#whole, name.key, written);
    const mayBeThere = facts.complete
      ? (facts.isWithheld?.(name.lowerCase) ?? facts.withheld.includes(name.lowerCase))
      : !(facts.isAbsent?.(name.lowerCase) ?? facts.absent.includes(name.lowerCase));
    return mayBeThere ? name.unknown : undefined;
  }

  #search(key: string): string[] | undefined {
    const { headerKey } = this.#dialect;
    let values: string[] | undefined;
    for (const field of this.#facts.fields) {
      if (field.name !== key && (field.name.length !== key.length || headerKey(field.name) !== key)) continue;
      if (values === undefined) values = [field.value];
      else values.push(field.value);
    }
    return values;
  }
}

/** The parsed value of a `Content-Type` header. */
interface MediaType {
  /** In lower case: `text/html`. */
  readonly type: string;
  /** Names in lower case. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** Parameters: RFC 9110, section 5.6.6. */
const PARAMETER = /;[ \t]*(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+)=(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+)|"((?:\\.|[^"\\])*)"))?/g;

/** Parses the value of a `Content-Type` header. Malformed parameters are dropped. */
export function readMediaType(text: string): MediaType {
  const end = text.indexOf(';');
  const type = (end < 0 ? text : text.slice(0, end)).trim().toLowerCase();
  const parameters = new Map<string, string>();
  for (const [, name, token, quoted] of end < 0 ? [] : text.slice(end).matchAll(PARAMETER)) {
    if (name !== undefined) parameters.set(name.toLowerCase(), token ?? quoted!.replaceAll(/\\(.)/g, '$1'));
  }
  return { type, parameters: Object.fromEntries(parameters) };
}
