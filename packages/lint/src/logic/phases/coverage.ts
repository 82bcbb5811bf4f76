import type { Action } from '@tollgate/policy';
import { leavesUncoveredInput } from '../../approximation/rule-approximation.ts';
import type { Work } from '../../primitives/work.ts';
import type { Condition } from '../../solver/formula/condition.ts';
import { TRUE_ALWAYS } from '../../solver/formula/condition.ts';
import { covering, isTautology } from '../../solver/search/queries.ts';
import { type EarlierRules, type PhaseIndex, RULES_A_STEP } from './phase-index.ts';
import type { PhaseLogic, RuleLogic } from './rule-logic.ts';

/** Rules that end the evaluation wherever a later one would match. */
export interface Coverage {
  /**
   * `catch-all`: by one rule that matches everything. `duplicate`: by one that is the same. `different`: the later one would have ended
   * the evaluation in another way. `unreachable`: all else.
   */
  readonly kind: 'catch-all' | 'duplicate' | 'different' | 'unreachable';
  readonly covered: RuleLogic;
  /** In order, none that is not needed. */
  readonly by: readonly RuleLogic[];
}

/** The rules of a phase that are never reached by what they match, though there is something that they match. */
export function coveredRules(index: PhaseIndex): readonly Coverage[] {
  const { phase } = index;
  const everything = endsOfEverything(phase);
  const end = everything === undefined ? phase.length : phase.indexOf(everything.at(-1)!);
  return phase.flatMap((covered, position) => {
    if (covered.approximation === undefined || position === 0 || covered.isImpossible()) return [];
    const by = coveringRule(covered, index.endingBefore(position)) ?? (end < position ? everything : undefined);
    return by === undefined ? [] : [{ kind: kindOf(covered, by), covered, by }];
  });
}

/** Most rules are seen not to be covered without a look at what conditions mean. */
function coveringRule(covered: RuleLogic, earlier: EarlierRules): readonly RuleLogic[] | undefined {
  if (covered.approximation!.hasUncoveredInput(earlier)) return undefined;
  return coveringRules(earlier.related(), covered.condition!, covered.work);
}

/** Of rules that end the evaluation, those that leave nothing that fulfils the condition. */
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

/** Rules that leave no traffic at all, whatever a rule behind them asks. */
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

function kindOf(covered: RuleLogic, by: readonly RuleLogic[]): Coverage['kind'] {
  const [first] = by;
  if (by.length === 1 && areSame(first!, covered)) return 'duplicate';
  if (by.length === 1 && isTautology(first!.condition!, first!.work)) return 'catch-all';
  const end = covered.effect.endText();
  return end !== undefined && by.some(one => one.effect.endText() !== end) ? 'different' : 'unreachable';
}

/** Whether two rules have the same conditions, in whatever order, and the same actions. */
export function areSame(a: RuleLogic, b: RuleLogic): boolean {
  if (!haveSameEffect(a, b)) return false;
  const text = a.text();
  return text !== undefined && text === b.text();
}

/** Whether two rules have the same actions. */
export function haveSameEffect(a: RuleLogic, b: RuleLogic): boolean {
  // Writing out configurations takes long, and most rules differ in more than that.
  if (a.rule.actions.length !== b.rule.actions.length) return false;
  const [first, other] = [a.rule.actions[0], b.rule.actions[0]];
  if (first?.type.value !== other?.type.value || (first && other && differPlainly(first, other))) return false;
  return a.effect.text() === b.effect.text();
}

/** In a text or a number that stands directly in the configuration. */
function differPlainly(a: Action, b: Action): boolean {
  return Object.entries(a.config).some(([key, value]) => {
    const isPlain = typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));
    return isPlain && b.config[key] !== value;
  });
}

/** The rules of a phase that end the evaluation if they match, and would still match at its end: nothing changes what they read. */
export function endingAtEnd(phase: PhaseLogic): readonly RuleLogic[] {
  phase[0]?.work.spend(phase.length / RULES_A_STEP);
  return phase.filter(one => one.effect.ends && one.validUntil >= phase.length && one.approximation !== undefined);
}
