import { covering, isUnsatisfiable } from '../decision/questions.ts';
import type { PhaseLogic, RuleLogic } from './rule-logic.ts';

/** Rules that end the evaluation wherever a later one would match. */
export interface Coverage {
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
    const needed = covering(
      ending.map(one => one.condition!),
      condition,
    );
    return needed === undefined ? [] : [{ covered, by: needed.map(at => ending[at]!) }];
  });
}

/** The rules before a position that end the evaluation if they match, and would match there too: nothing in between changes what they read. */
export function endingBefore(phase: PhaseLogic, index: number): readonly RuleLogic[] {
  const found: RuleLogic[] = [];
  const changed: string[] = [];
  for (let at = index - 1; at >= 0; at--) {
    const { condition, effect, reads } = phase[at]!;
    if (effect.ends && condition !== undefined && !reads.some(read => changed.some(path => overlap(read, path)))) {
      found.unshift(phase[at]!);
    }
    if (effect.changes === undefined) break;
    changed.push(...effect.changes);
  }
  return found;
}

/** Whether one path leads into what the other one leads to. */
function overlap(a: string, b: string): boolean {
  return `${a}.`.startsWith(`${b}.`) || `${b}.`.startsWith(`${a}.`);
}
