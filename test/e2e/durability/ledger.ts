/** A possible state of a resource; `undefined` if it does not exist. */
type Version = number | undefined;

/** A requested change without a response. */
interface Pending {
  readonly version: Version;
}

/** What the writer of an edge knows about it. */
interface Entry {
  acknowledged: Version;
  /** A change that may have happened. */
  pending: Pending | undefined;
}

/** The acknowledged and pending changes of edges, each of which has a single writer. */
export class Ledger {
  readonly #entries = new Map<string, Entry>();
  /** Versions of edges whose creation got no response, so that their identifiers are unknown. */
  readonly #unanswered = new Set<number>();
  #lastVersion = 0;

  /** Returns a number that no other change has. */
  newVersion(): number {
    this.#lastVersion += 1;
    return this.#lastVersion;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Returns the edges that exist as far as is known. */
  get living(): readonly string[] {
    return [...this.#entries].flatMap(([id, { acknowledged }]) => (acknowledged === undefined ? [] : [id]));
  }

  creating(version: number): void {
    this.#unanswered.add(version);
  }

  created(version: number, id: string): void {
    this.#unanswered.delete(version);
    this.#entries.set(id, { acknowledged: version, pending: undefined });
  }

  changing(id: string, version: Version): void {
    this.#entries.get(id)!.pending = { version };
  }

  changed(id: string, version: Version): void {
    this.#entries.set(id, { acknowledged: version, pending: undefined });
  }

  /** Compares with the content of a store, by identifier, and adopts it. Returns the differences. */
  settle(found: ReadonlyMap<string, number>): readonly string[] {
    const faults: string[] = [];
    for (const [id, { acknowledged, pending }] of this.#entries) {
      const version = found.get(id);
      if (version !== acknowledged && !(pending && pending.version === version)) {
        faults.push(`${id}: acknowledged ${acknowledged}, under way ${JSON.stringify(pending)}, found ${version}`);
      }
      this.#entries.set(id, { acknowledged: version, pending: undefined });
    }
    for (const [id, version] of found) {
      if (this.#entries.has(id)) continue;
      if (!this.#unanswered.delete(version)) faults.push(`${id}: found ${version}, which nobody asked for`);
      this.#entries.set(id, { acknowledged: version, pending: undefined });
    }
    this.#unanswered.clear();
    return faults;
  }
}
