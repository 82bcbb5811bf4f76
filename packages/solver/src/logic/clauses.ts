import type { Signal } from './graph.ts';

/** A disjunction of signals. The first two are watched. */
export type Clause = Signal[];

/** The assignment of a search: values, and the decisions and clauses that led to them. */
export class Assignment {
  /** The level of each decided signal, by its gate; positive values are true. */
  readonly #values = new Map<number, boolean>();
  readonly #levels = new Map<number, number>();
  readonly #reasons = new Map<number, Clause>();
  readonly #watches = new Map<Signal, Clause[]>();
  readonly #trail: Signal[] = [];
  /** The length of the trail at which each level starts. */
  readonly #starts: number[] = [];
  #propagated = 0;

  get level(): number {
    return this.#starts.length;
  }

  get trail(): readonly Signal[] {
    return this.#trail;
  }

  /** Returns true or false, or undefined if the signal is open. */
  valueOf(signal: Signal): boolean | undefined {
    const value = this.#values.get(Math.abs(signal));
    return value === undefined ? undefined : value === signal > 0;
  }

  levelOf(signal: Signal): number {
    return this.#levels.get(Math.abs(signal)) ?? 0;
  }

  /** Returns the clause that forced the value; undefined for decisions. */
  reasonOf(signal: Signal): Clause | undefined {
    return this.#reasons.get(Math.abs(signal));
  }

  decide(signal: Signal): void {
    this.#starts.push(this.#trail.length);
    this.#set(signal, undefined);
  }

  /** Opens a level without a decision. */
  skip(): void {
    this.#starts.push(this.#trail.length);
  }

  /** Assigns a signal because of a clause in which all others are false. */
  force(signal: Signal, reason: Clause): void {
    this.#set(signal, reason);
  }

  #set(signal: Signal, reason: Clause | undefined): void {
    const gate = Math.abs(signal);
    this.#values.set(gate, signal > 0);
    this.#levels.set(gate, this.level);
    if (reason === undefined) this.#reasons.delete(gate);
    else this.#reasons.set(gate, reason);
    this.#trail.push(signal);
  }

  backtrack(level: number): void {
    if (level >= this.level) return;
    const start = this.#starts[level]!;
    for (let at = this.#trail.length - 1; at >= start; at--) this.#values.delete(Math.abs(this.#trail[at]!));
    this.#trail.length = start;
    this.#starts.length = level;
    this.#propagated = Math.min(this.#propagated, start);
  }

  /** Watches the first two signals of a clause with at least two. */
  watch(clause: Clause): void {
    this.#watchOne(clause[0]!, clause);
    this.#watchOne(clause[1]!, clause);
  }

  #watchOne(signal: Signal, clause: Clause): void {
    const watched = this.#watches.get(signal);
    if (watched === undefined) this.#watches.set(signal, [clause]);
    else watched.push(clause);
  }

  /** Assigns what follows; returns a clause that is false, if there is one. */
  propagate(): Clause | undefined {
    while (this.#propagated < this.#trail.length) {
      const conflict = this.#visit(-this.#trail[this.#propagated++]!);
      if (conflict !== undefined) return conflict;
    }
    return undefined;
  }

  /** Finds another signal to watch for each clause that watches one that became false. */
  #visit(failed: Signal): Clause | undefined {
    const watching = this.#watches.get(failed);
    if (watching === undefined) return undefined;
    let kept = 0;
    for (let at = 0; at < watching.length; at++) {
      const clause = watching[at]!;
      if (clause[0] === failed) [clause[0], clause[1]] = [clause[1]!, failed];
      if (this.valueOf(clause[0]!) !== true && this.#rewatch(clause)) continue;
      watching[kept++] = clause;
      const value = this.valueOf(clause[0]!);
      if (value === undefined) this.force(clause[0]!, clause);
      if (value !== false) continue;
      while (++at < watching.length) watching[kept++] = watching[at]!;
      watching.length = kept;
      return clause;
    }
    watching.length = kept;
    return undefined;
  }

  #rewatch(clause: Clause): boolean {
    for (let at = 2; at < clause.length; at++) {
      const signal = clause[at]!;
      if (this.valueOf(signal) === false) continue;
      [clause[1], clause[at]] = [signal, clause[1]!];
      this.#watchOne(signal, clause);
      return true;
    }
    return false;
  }
}
