import { TRUE_ALWAYS } from '../decision/outcomes.ts';
import { type Condition, covering, isTautology, isUnsatisfiable } from '../decision/questions.ts';
import { actionText } from './rule-effect.ts';
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
export function coveredRules(phase: PhaseLogic): readonly Coverage[] {
  const everything = endsOfEverything(phase);
  return phase.flatMap((covered, index) => {
    const { condition } = covered;
    if (condition === undefined || index === 0) return [];
    const isBehind = everything !== undefined && phase.indexOf(everything.at(-1)!) < index;
    const by = coveringRules(endingBefore(phase, index), condition) ?? (isBehind ? everything : undefined);
    return by === undefined || isUnsatisfiable(condition) ? [] : [{ kind: kindOf(covered, by), covered, by }];
  });
}

/** Of rules that end the evaluation, those that leave nothing that fulfils the condition. */
export function coveringRules(ending: readonly RuleLogic[], condition: Condition): readonly RuleLogic[] | undefined {
  if (ending.length === 0) return undefined;
  const needed = covering(
    ending.map(one => one.condition!),
    condition,
  );
  return needed?.map(at => ending[at]!);
}

/** Rules that leave no traffic at all, whatever a rule behind them asks. */
function endsOfEverything(phase: PhaseLogic): readonly RuleLogic[] | undefined {
  return coveringRules(endingBefore(phase, phase.length), TRUE_ALWAYS);
}

function kindOf(covered: RuleLogic, by: readonly RuleLogic[]): Coverage['kind'] {
  const [first] = by;
  if (by.length === 1 && areSame(first!, covered)) return 'duplicate';
  if (by.length === 1 && isTautology(first!.condition!)) return 'catch-all';
  const end = covered.effect.end && actionText(covered.effect.end);
  return end !== undefined && by.some(one => actionText(one.effect.end!) !== end) ? 'different' : 'unreachable';
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
  if (a.rule.actions.length !== b.rule.actions.length || firstAction(a) !== firstAction(b)) return false;
  return a.effect.text() === b.effect.text();
}

function firstAction({ rule }: RuleLogic): string | undefined {
  return rule.actions[0]?.type.value;
}

/** The rules before a position that end the evaluation if they match, and would still match there: nothing in between changes what they read. */
export function endingBefore(phase: PhaseLogic, index: number): readonly RuleLogic[] {
  return stillValidAt(phase, index).filter(({ effect }) => effect.ends);
}

/** The rules before a position whose conditions are there what they were. */
export function stillValidAt(phase: PhaseLogic, index: number): readonly RuleLogic[] {
  return phase.slice(0, index).filter(({ condition, validUntil }) => condition !== undefined && validUntil >= index);
}
