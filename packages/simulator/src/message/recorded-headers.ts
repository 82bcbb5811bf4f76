import { type HeaderFacts, NO_HEADER_KNOWN } from '@tollgate/traffic';
import type { Dialect } from './dialect.ts';
import { changedHeaders, changedValues, type HeaderChange } from './header-edits.ts';
import { type HeaderMap, type HeaderValues, headerMapOf, replaceHeader } from './header-map.ts';
import type { HeaderName } from './header-name.ts';
import { unclear } from './unrecorded.ts';

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
    const written = facts.unclear?.get(name.lowerCase);
    if (written !== undefined) return unclear(this.#whole, name.key, written);
    const mayBeThere = facts.complete
      ? facts.withheld.includes(name.lowerCase)
      : !facts.absent.includes(name.lowerCase);
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
