import type { TypedAst } from '@tollgate/cel';
import type { Action, Rule } from '@tollgate/policy';
import type { PolicyQuestions } from '@tollgate/solver/conditions';
import type { Exchange } from '@tollgate/traffic';
import type { PhaseLogic, RuleLogic } from './rule-logic.ts';

/** A rule that never runs, because earlier rules end the evaluation wherever it would match. */
export interface CoveredRule {
  /**
   * `catch-all`: one rule that matches everything covers it; `duplicate`: an equal rule does; `different`: it would have ended the
   * evaluation differently; `unset`: no rule of its phase has set the variables that it reads; otherwise `unreachable`.
   */
  readonly kind: 'catch-all' | 'duplicate' | 'different' | 'unset' | 'unreachable';
  readonly covered: RuleLogic;
  /** A minimal list of covering rules, in order. They may be of an earlier phase. */
  readonly by: readonly RuleLogic[];
  /** Exchanges that covering rules take from it, by rule. */
  readonly taken: ReadonlyMap<Rule, Exchange>;
}

/** Questions about which rules take traffic from others. */
export interface ReachQuestions {
  readonly questions: PolicyQuestions;
  /**
   * Returns exchanges that earlier rules take from a rule, or from the part of its traffic on which an expression holds. None if the policy
   * cannot be simulated.
   */
  readonly takenFrom: (rule: Rule, typed?: TypedAst) => ReadonlyMap<Rule, Exchange>;
}

/** Returns the rules of a phase that are covered although their conditions can hold. `phases` are those that have rules. */
export function coveredRules(
  phase: PhaseLogic,
  phases: readonly PhaseLogic[],
  { questions, takenFrom }: ReachQuestions,
): readonly CoveredRule[] {
  const twins = new Twins();
  const [first] = phase;
  let hasEnd = first !== undefined && questions.hasEarlierEnd(first.rule);
  return phase.flatMap((covered, position): readonly CoveredRule[] => {
    const wasReached = !hasEnd && !readsVariables(covered.rule);
    hasEnd ||= covered.effect.ends;
    if (wasReached || !covered.isComplete) {
      if (covered.isComplete) twins.add(covered, undefined);
      return [];
    }
    const twin = twins.coveringTwin(covered, position);
    const proof = twin === undefined ? questions.cannotMatch(covered.rule) : undefined;
    const by = twin ?? proof?.because.map(rule => phases.flat().find(one => one.rule === rule)!);
    twins.add(covered, by?.length === 0 ? undefined : by);
    if (by === undefined || covered.isImpossible()) return [];
    if (by.length === 0) return readsVariables(covered.rule) ? [{ kind: 'unset', covered, by, taken: new Map() }] : [];
    const isElsewhere = by.some(({ rule }) => rule.phase !== covered.rule.phase);
    const kind = isElsewhere ? 'unreachable' : kindOf(covered, by);
    return [{ kind, covered, by, taken: takenFrom(covered.rule) }];
  });
}

function readsVariables({ expressions }: Rule): boolean {
  return expressions.some(({ source }) => /\bvars\b/.test(source));
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

function kindOf(covered: RuleLogic, by: readonly RuleLogic[]): CoveredRule['kind'] {
  const [first] = by;
  if (by.length === 1 && areSame(first!, covered)) return 'duplicate';
  if (by.length === 1 && first!.questions.isTautology(first!.condition!)) return 'catch-all';
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
 * Returns the rules of a phase that end the evaluation if they match and would still match at a position, because nothing in between changes
 * what they read.
 */
export function endingBefore(phase: PhaseLogic, position: number): readonly RuleLogic[] {
  return phase.slice(0, position).filter(one => one.effect.ends && one.validUntil >= position && one.isComplete);
}
