/** What a resource may look like: `undefined` for one that is not there. */
export type Version = number | undefined;

/** A change that was asked for and not answered. */
interface Pending {
  readonly version: Version;
}

/** An edge as the one who changes it knows it. */
interface Entry {
  acknowledged: Version;
  /** May have happened or not. */
  pending: Pending | undefined;
}

/** What was acknowledged, and what was still under way, of edges that each are changed by one writer at a time. */
export class Ledger {
  readonly #entries = new Map<string, Entry>();
  /** Versions of edges whose creation was not answered: their identifiers are not known. */
  readonly #unanswered = new Set<number>();
  #lastVersion = 0;

  /** A number that no other change has. */
  newVersion(): number {
    this.#lastVersion += 1;
    return this.#lastVersion;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The edges that are there for all that is known. */
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

  /** Compares with all that a store has, by identifier, and takes what it finds as known. Gives what is wrong. */
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
