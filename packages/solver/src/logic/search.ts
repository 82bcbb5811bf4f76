// The search for literals that justify goals: conflict-driven clause learning that decides only what the goals need, and asks a theory
// about atoms.

import { type Budget, OUT_OF_BUDGET } from './budget.ts';
import { FALSE, type Graph, type Signal, TRUE } from './formula.ts';

/** What a theory says about literals. */
export type TheoryAnswer =
  | { readonly kind: 'consistent' }
  /** No values satisfy these literals, a subset of those that were asked about. */
  | { readonly kind: 'conflict'; readonly core: readonly Signal[] }
  | { readonly kind: 'unknown'; readonly reason: string };

/** The meaning of atoms. */
export interface Theory {
  readonly check: (literals: readonly Signal[], budget: Budget) => TheoryAnswer;
  /** Clauses over atoms that hold for all values and were found before. */
  readonly lemmasAbout: (atoms: ReadonlySet<Signal>) => readonly (readonly Signal[])[];
}

/** The result of a search. */
type SearchResult =
  /** Literals that imply all goals and that the theory found consistent. */
  | { readonly kind: 'found'; readonly literals: readonly Signal[] }
  /** These goals contradict each other. */
  | { readonly kind: 'impossible'; readonly needed: readonly Signal[] }
  | { readonly kind: 'unknown'; readonly reason: string };

/** Looks for values under which all goals hold. */
export function search(graph: Graph, goals: readonly Signal[], theory: Theory, budget: Budget): SearchResult {
  const wanted = goals.filter(goal => goal !== TRUE);
  if (wanted.includes(FALSE)) return { kind: 'impossible', needed: [FALSE] };
  return new Search(graph, wanted, theory, budget).run();
}

/**
 * Conflict-driven clause learning. Decides only signals that justify the goals, so that the theory sees the literals that matter and not a
 * value for every atom. Goals are the first decisions, so that a contradiction names those that it needs.
 */
class Search {
  readonly #graph: Graph;
  readonly #goals: readonly Signal[];
  readonly #theory: Theory;
  readonly #budget: Budget;
  readonly #assignment = new Assignment();
  /** Raised for the signals of recent conflicts. */
  readonly #activity = new Map<number, number>();
  #increment = 1;
  #reason: string | undefined;
  /** A clause that became false. */
  #conflict: Clause | undefined;

  constructor(graph: Graph, goals: readonly Signal[], theory: Theory, budget: Budget) {
    this.#graph = graph;
    this.#goals = goals;
    this.#theory = theory;
    this.#budget = budget;
    for (const lemma of theory.lemmasAbout(this.#addGates())) this.#add([...lemma]);
  }

  /** Adds the clauses of all gates that the goals depend on; returns their atoms. */
  #addGates(): ReadonlySet<Signal> {
    const atoms = new Set<Signal>();
    const seen = new Set<number>();
    const open = this.#goals.map(Math.abs);
    for (let gate = open.pop(); gate !== undefined; gate = open.pop()) {
      if (seen.has(gate)) continue;
      seen.add(gate);
      const found = this.#graph.gateOf(gate);
      if (found.kind === 'atom') atoms.add(gate);
      if (found.kind !== 'and') continue;
      for (const input of found.inputs) {
        this.#assignment.watch([-gate, input]);
        open.push(Math.abs(input));
      }
      this.#assignment.watch([gate, ...found.inputs.map(input => -input)]);
    }
    return atoms;
  }

  run(): SearchResult {
    while (true) {
      if (this.#budget.isSpent) return { kind: 'unknown', reason: OUT_OF_BUDGET };
      const conflict = this.#conflict ?? this.#assignment.propagate();
      this.#conflict = undefined;
      if (conflict !== undefined) {
        if (!this.#learn(conflict)) return this.#impossible([]);
        continue;
      }
      const goal = this.#goals[this.#assignment.level];
      if (goal !== undefined) {
        const value = this.#assignment.valueOf(goal);
        if (value === false) return this.#impossible(this.#goalsBehind(goal));
        if (value === undefined) this.#assignment.decide(goal);
        else this.#assignment.skip();
        continue;
      }
      const literals = this.#justify();
      if (literals === undefined) continue;
      if (this.#isConsistent(literals)) return { kind: 'found', literals };
      if (this.#isRefuted) return this.#impossible([]);
    }
  }

  #isRefuted = false;

  #impossible(needed: readonly Signal[]): SearchResult {
    // What the theory could not decide was excluded without proof.
    if (this.#reason !== undefined) return { kind: 'unknown', reason: this.#reason };
    return { kind: 'impossible', needed };
  }

  #isConsistent(literals: readonly Signal[]): boolean {
    const answer = this.#theory.check(literals, this.#budget);
    if (answer.kind === 'consistent') return true;
    if (answer.kind === 'unknown') this.#reason ??= answer.reason;
    const core = answer.kind === 'conflict' ? answer.core : literals;
    const clause = core.map(literal => -literal);
    const top = clause.reduce((highest, literal) => Math.max(highest, this.#assignment.levelOf(literal)), 0);
    this.#assignment.backtrack(top);
    if (!this.#learn(clause)) this.#isRefuted = true;
    return false;
  }

  /**
   * Decides open signals whose values help to justify the goals, and returns the literals that justify them. What was justified stays so
   * until a conflict: then the result is undefined.
   */
  #justify(): readonly Signal[] | undefined {
    const literals = new Set<Signal>();
    const seen = new Set<Signal>();
    const open = [...this.#goals];
    for (let signal = open.pop(); signal !== undefined; signal = open.pop()) {
      if (seen.has(signal)) continue;
      seen.add(signal);
      const gate = this.#graph.gateOf(signal);
      if (gate.kind === 'atom') literals.add(signal);
      if (gate.kind !== 'and') continue;
      if (signal > 0) {
        for (const input of gate.inputs) open.push(input);
        continue;
      }
      const failing = this.#failingInput(gate.inputs, seen);
      if (this.#assignment.valueOf(failing) === undefined) {
        this.#assignment.decide(failing);
        this.#conflict = this.#assignment.propagate();
        if (this.#conflict !== undefined) return undefined;
      }
      open.push(failing);
    }
    return [...literals];
  }

  /** Returns the negation of an input that is false, or else of the most active open one. */
  #failingInput(inputs: readonly Signal[], seen: ReadonlySet<Signal>): Signal {
    let best: Signal | undefined;
    let bestRank = -1;
    for (const input of inputs) {
      const value = this.#assignment.valueOf(input);
      if (value === true) continue;
      const negation = -input;
      if (value === false && seen.has(negation)) return negation;
      const isAtom = this.#graph.gateOf(input).kind === 'atom';
      const rank =
        value === false ? 1e300 * (isAtom ? 2 : 1) : (this.#activity.get(Math.abs(input)) ?? 0) + (isAtom ? 0.5 : 0);
      if (rank > bestRank) [best, bestRank] = [negation, rank];
    }
    return best!;
  }

  /** Adds a clause that excludes the conflict and returns to where it forces a value; false if no decision is left to revise. */
  #learn(conflict: Clause): boolean {
    this.#budget.spend(1);
    const assignment = this.#assignment;
    const top = conflict.reduce((highest, signal) => Math.max(highest, assignment.levelOf(signal)), 0);
    if (top === 0) return false;
    assignment.backtrack(top);
    const { forced, others } = this.#analyze(conflict);
    const clause = [forced, ...others.sort((a, b) => assignment.levelOf(b) - assignment.levelOf(a))];
    assignment.backtrack(clause.length > 1 ? assignment.levelOf(clause[1]!) : 0);
    if (clause.length > 1) assignment.watch(clause);
    assignment.force(forced, clause);
    this.#age();
    return true;
  }

  /** Makes later conflicts count more. */
  #age(): void {
    this.#increment *= 1.05;
    if (this.#increment < 1e100) return;
    for (const [gate, activity] of this.#activity) this.#activity.set(gate, activity * 1e-100);
    this.#increment *= 1e-100;
  }

  /** Resolves the conflict until only one signal of the current level is left. */
  #analyze(conflict: Clause): { readonly forced: Signal; readonly others: Signal[] } {
    const assignment = this.#assignment;
    const seen = new Set<number>();
    const others: Signal[] = [];
    let clause: readonly Signal[] = conflict;
    let pending = 0;
    let at = assignment.trail.length - 1;
    while (true) {
      for (const signal of clause) {
        const gate = Math.abs(signal);
        if (seen.has(gate) || assignment.levelOf(signal) === 0) continue;
        seen.add(gate);
        this.#activity.set(gate, (this.#activity.get(gate) ?? 0) + this.#increment);
        if (assignment.levelOf(signal) === assignment.level) pending++;
        else others.push(signal);
      }
      while (!seen.has(Math.abs(assignment.trail[at]!))) at--;
      const signal = assignment.trail[at--]!;
      pending--;
      const reason = assignment.reasonOf(signal);
      if (pending === 0 || reason === undefined) return { forced: -signal, others };
      clause = reason.filter(other => other !== signal);
    }
  }

  /** Returns the goals that make a goal false, and the goal itself. */
  #goalsBehind(goal: Signal): readonly Signal[] {
    const assignment = this.#assignment;
    const needed = new Set<Signal>([goal]);
    const seen = new Set<number>();
    const open: Signal[] = [goal];
    for (let signal = open.pop(); signal !== undefined; signal = open.pop()) {
      const gate = Math.abs(signal);
      if (seen.has(gate) || assignment.levelOf(signal) === 0) continue;
      seen.add(gate);
      const reason = assignment.reasonOf(signal);
      if (reason === undefined) needed.add(assignment.valueOf(gate) ? gate : -gate);
      else open.push(...reason);
    }
    return [...needed];
  }

  #add(clause: Clause): void {
    if (clause.length > 1) this.#assignment.watch(clause);
    else if (this.#assignment.valueOf(clause[0]!) === undefined) this.#assignment.force(clause[0]!, clause);
  }
}

/** A disjunction of signals. The first two are watched. */
type Clause = Signal[];

/** The assignment of a search: values, and the decisions and clauses that led to them. */
class Assignment {
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
