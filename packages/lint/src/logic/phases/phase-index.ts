import type { OtherRules } from '../../approximation/rule-approximation.ts';
import { RuleIndex } from '../../approximation/rule-index.ts';
import type { PhaseLogic, RuleLogic } from './rule-logic.ts';

/** Finds the rules of a phase by what they need; most rules are unrelated. */
export class PhaseIndex {
  readonly phase: PhaseLogic;
  #index: RuleIndex | undefined;
  #endingIndex: RuleIndex | undefined;

  constructor(phase: PhaseLogic) {
    this.phase = phase;
  }

  /**
   * Returns the rules before a position that end the evaluation if they match, and would still match at the position, because nothing in
   * between changes what they read.
   */
  endingBefore(position: number): EarlierRules {
    return new EarlierRules(this, position);
  }

  /** Yields the rules in a range of positions that may overlap with the rule at `position`, in order. */
  *overlapping(position: number, from: number, to: number): Generator<RuleLogic> {
    const { work } = this.phase[position]!;
    if (work.isSpent) return work.leaveOpen();
    work.spend(this.index.readsBefore(position) / RULES_PER_STEP);
    for (const at of this.index.overlapping(position, from, to)) {
      work.spend(1 / RULES_PER_STEP);
      if (work.isSpent) return work.leaveOpen();
      yield this.phase[at]!;
    }
  }

  get index(): RuleIndex {
    this.#index ??= new RuleIndex(this.phase.map(one => one.approximation));
    return this.#index;
  }

  /** Contains only rules that end the evaluation, which are often few. */
  get endingIndex(): RuleIndex {
    this.#endingIndex ??= new RuleIndex(
      this.phase.map(({ approximation, effect }) => (effect.ends ? approximation : undefined)),
    );
    return this.#endingIndex;
  }
}

/** Rules that end the evaluation before a position. */
export class EarlierRules implements OtherRules {
  readonly #index: PhaseIndex;
  readonly #position: number;

  constructor(index: PhaseIndex, position: number) {
    this.#index = index;
    this.#position = position;
  }

  mayHoldIn(world: Parameters<OtherRules['mayHoldIn']>[0]): ReturnType<OtherRules['mayHoldIn']> {
    const { phase, endingIndex } = this.#index;
    const found = [...endingIndex.mayHoldIn(world)].toSorted((a, b) => a - b);
    phase[0]!.work.spend(found.length / RULES_PER_STEP);
    return found.flatMap(at => (at < this.#position && this.#has(phase[at]!) ? [phase[at]!.approximation!] : []));
  }

  /** Returns those that may overlap with the rule at the position, in order. */
  related(): readonly RuleLogic[] {
    return [...this.overlapping()];
  }

  /** Yields the same rules one by one. */
  *overlapping(): Generator<RuleLogic> {
    for (const rule of this.#index.overlapping(this.#position, 0, this.#position)) if (this.#has(rule)) yield rule;
  }

  #has({ effect, validUntil, approximation }: RuleLogic): boolean {
    return effect.ends && validUntil >= this.#position && approximation !== undefined;
  }
}

/** Looking at a rule is cheaper than any query about it. */
export const RULES_PER_STEP = 8;
