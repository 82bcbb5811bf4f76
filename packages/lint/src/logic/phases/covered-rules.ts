import type { Action } from '@tollgate/policy';
import { leavesUncoveredInput } from '../../approximation/rule-approximation.ts';
import type { Work } from '../../primitives/work.ts';
import { type Condition, TRUE_ALWAYS } from '../../solver/formula/condition.ts';
import { covering, isTautology } from '../../solver/search/queries.ts';
import { type EarlierRules, type PhaseIndex, RULES_PER_STEP } from './phase-index.ts';
import type { PhaseLogic, RuleLogic } from './rule-logic.ts';

/** A rule that never runs, because earlier rules end the evaluation wherever it would match. */
export interface CoveredRule {
  /**
   * `catch-all`: one rule that matches everything covers it; `duplicate`: an equal rule does; `different`: it would have ended the
   * evaluation differently; otherwise `unreachable`.
   */
  readonly kind: 'catch-all' | 'duplicate' | 'different' | 'unreachable';
  readonly covered: RuleLogic;
  /** A minimal list of covering rules, in order. */
  readonly by: readonly RuleLogic[];
}

/** Returns the rules of a phase that are covered although their conditions can hold. */
export function coveredRules(index: PhaseIndex): readonly CoveredRule[] {
  const { phase } = index;
  const everything = endsOfEverything(phase);
  const end = everything === undefined ? phase.length : phase.indexOf(everything.at(-1)!);
  const twins = new Twins();
  return phase.flatMap((covered, position) => {
    if (covered.approximation === undefined || covered.isImpossible()) return [];
    const findBy = () =>
      position === 0
        ? undefined
        : (coveringRule(covered, index.endingBefore(position)) ?? (end < position ? everything : undefined));
    const by = twins.coveringTwin(covered, position) ?? findBy();
    twins.add(covered, by);
    return by === undefined ? [] : [{ kind: kindOf(covered, by), covered, by }];
  });
}

/**
 * Rules by their conditions. Copies of a rule are covered by what covers the first one, or by the first one itself, without a proof: in a
 * policy of thousands of equal rules, each proof would look at all of them.
 */
class Twins {
  readonly #first = new Map<string, readonly [RuleLogic, by: RuleLogic | undefined]>();

  add(rule: RuleLogic, by: readonly RuleLogic[] | undefined): void {
    const text = rule.text();
    if (text === undefined || this.#first.has(text) || !rule.effect.ends) return;
    this.#first.set(text, [rule, by?.length === 1 ? by[0] : undefined]);
  }

  coveringTwin(rule: RuleLogic, position: number): readonly RuleLogic[] | undefined {
    const text = rule.text();
    const known = text === undefined ? undefined : this.#first.get(text);
    if (known === undefined) return undefined;
    const [twin, by = twin] = known;
    return by.validUntil >= position ? [by] : undefined;
  }
}

/** Approximations show for most rules that they are not covered, without a proof. */
function coveringRule(covered: RuleLogic, earlier: EarlierRules): readonly RuleLogic[] | undefined {
  if (covered.approximation!.hasUncoveredInput(earlier)) return undefined;
  return coveringRules(earlier.related(), covered.condition!, covered.work);
}

/** Returns the rules that together cover the condition, out of rules that end the evaluation. */
export function coveringRules(
  ending: readonly RuleLogic[],
  condition: Condition,
  work: Work,
): readonly RuleLogic[] | undefined {
  if (ending.length === 0) return undefined;
  const needed = covering(
    ending.map(one => one.condition!),
    condition,
    work,
  );
  return needed?.map(at => ending[at]!);
}

/** Returns rules after which no traffic is left, whatever a later rule tests. */
function endsOfEverything(phase: PhaseLogic): readonly RuleLogic[] | undefined {
  const ending = endingAtEnd(phase);
  if (
    ending.length === 0 ||
    leavesUncoveredInput(
      ending.map(one => one.approximation!),
      ending[0]!.work,
    )
  )
    return undefined;
  return coveringRules(ending, TRUE_ALWAYS, ending[0]!.work);
}

function kindOf(covered: RuleLogic, by: readonly RuleLogic[]): CoveredRule['kind'] {
  const [first] = by;
  if (by.length === 1 && areSame(first!, covered)) return 'duplicate';
  if (by.length === 1 && isTautology(first!.condition!, first!.work)) return 'catch-all';
  const end = covered.effect.endText();
  return end !== undefined && by.some(one => one.effect.endText() !== end) ? 'different' : 'unreachable';
}

/** Returns true if two rules have the same conditions, in any order, and the same actions. */
function areSame(a: RuleLogic, b: RuleLogic): boolean {
  if (!haveSameEffect(a, b)) return false;
  const text = a.text();
  return text !== undefined && text === b.text();
}

/** Returns true if two rules have the same actions. */
export function haveSameEffect(a: RuleLogic, b: RuleLogic): boolean {
  // Serializing configurations is expensive, and most rules differ in something simpler.
  if (a.rule.actions.length !== b.rule.actions.length) return false;
  const [first, other] = [a.rule.actions[0], b.rule.actions[0]];
  if (first?.type.value !== other?.type.value || (first && other && differPlainly(first, other))) return false;
  return a.effect.text() === b.effect.text();
}

/** Returns true if a string or a number directly in the configuration differs. */
function differPlainly(a: Action, b: Action): boolean {
  return Object.entries(a.config).some(([key, value]) => {
    const isPlain = typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));
    return isPlain && b.config[key] !== value;
  });
}

/**
 * Returns the rules of a phase that end the evaluation if they match and would still match at its end, because nothing changes what they
 * read.
 */
export function endingAtEnd(phase: PhaseLogic): readonly RuleLogic[] {
  phase[0]?.work.spend(phase.length / RULES_PER_STEP);
  return phase.filter(one => one.effect.ends && one.validUntil >= phase.length && one.approximation !== undefined);
}
