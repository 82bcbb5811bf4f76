import { covering, isTautology, isUnsatisfiable } from '../decision/questions.ts';
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
  return phase.flatMap((covered, index) => {
    const { condition } = covered;
    if (condition === undefined || isUnsatisfiable(condition)) return [];
    const ending = endingBefore(phase, index);
    const needed = ending.length === 0 ? undefined : covering(ending.map(conditionOf), condition);
    if (needed === undefined) return [];
    const by = needed.map(at => ending[at]!);
    return [{ kind: kindOf(covered, by), covered, by }];
  });
}

function conditionOf({ condition }: RuleLogic) {
  return condition!;
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
  return a.text !== undefined && a.text === b.text && a.effect.text === b.effect.text;
}

/** The rules before a position that end the evaluation if they match, and would still match there: nothing in between changes what they read. */
export function endingBefore(phase: PhaseLogic, index: number): readonly RuleLogic[] {
  return stillValidAt(phase, index).filter(({ effect }) => effect.ends);
}

/** The rules before a position whose conditions are there what they were: nothing in between changes what they read. */
export function stillValidAt(phase: PhaseLogic, index: number): readonly RuleLogic[] {
  const found: RuleLogic[] = [];
  const changed: string[] = [];
  for (let at = index - 1; at >= 0; at--) {
    const { condition, effect, reads } = phase[at]!;
    const isStill = !reads.some(read => changed.some(path => overlap(read, path)));
    // What the rule's own actions change, they change only where it matched, and an ending rule changes nothing.
    if (isStill && condition !== undefined) found.unshift(phase[at]!);
    if (effect.changes === undefined) break;
    changed.push(...effect.changes);
  }
  return found;
}

/** Whether one path leads into what the other one leads to. */
function overlap(a: string, b: string): boolean {
  return `${a}.`.startsWith(`${b}.`) || `${b}.`.startsWith(`${a}.`);
}
