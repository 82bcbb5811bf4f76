import type { OtherRules } from '../../approximation/rule-approximation.ts';
import { RuleIndex } from '../../approximation/rule-index.ts';
import type { PhaseLogic, RuleLogic } from './rule-logic.ts';

/** The rules of a phase, found by what they need: most have nothing to do with each other. */
export class PhaseIndex {
  readonly phase: PhaseLogic;
  #index: RuleIndex | undefined;

  constructor(phase: PhaseLogic) {
    this.phase = phase;
  }

  /** The rules before a position that end the evaluation if they match, and would still match there: nothing in between changes what they read. */
  endingBefore(position: number): EarlierRules {
    return new EarlierRules(this, position);
  }

  /** The rules from one position on, up to another, that may match something that the one at a position does; in order. */
  *overlapping(position: number, from: number, to: number): Generator<RuleLogic> {
    const { work } = this.phase[position]!;
    for (const at of this.index.overlapping(position, from, to)) {
      work.spend(1 / RULES_A_STEP);
      if (work.isSpent) return work.leaveOpen();
      yield this.phase[at]!;
    }
  }

  get index(): RuleIndex {
    this.#index ??= new RuleIndex(this.phase.map(one => one.approximation));
    return this.#index;
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
    const { phase, index } = this.#index;
    const found = [...index.mayHoldIn(world)].toSorted((a, b) => a - b);
    phase[0]!.work.spend(found.length / RULES_A_STEP);
    return found.flatMap(at => (at < this.#position && this.#has(phase[at]!) ? [phase[at]!.approximation!] : []));
  }

  /** Those that may match something that the rule at the position does, in order. */
  related(): readonly RuleLogic[] {
    return [...this.overlapping()];
  }

  /** The same, one after the other. */
  *overlapping(): Generator<RuleLogic> {
    for (const rule of this.#index.overlapping(this.#position, 0, this.#position)) if (this.#has(rule)) yield rule;
  }

  #has({ effect, validUntil, approximation }: RuleLogic): boolean {
    return effect.ends && validUntil >= this.#position && approximation !== undefined;
  }
}

/** Looking at a rule is quicker than anything that is asked of it. */
export const RULES_A_STEP = 8;
