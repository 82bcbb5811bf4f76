import type { Action } from '@tollgate/policy';
import { TRUE_ALWAYS } from '../decision/outcomes.ts';
import { type Condition, covering, isTautology } from '../decision/questions.ts';
import type { Work } from '../decision/work.ts';
import { isMoreThan, type RuleSketch } from '../sketch/rule-sketch.ts';
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
    if (covered.sketch === undefined || index === 0) return [];
    const isBehind = everything !== undefined && phase.indexOf(everything.at(-1)!) < index;
    if (covered.isImpossible()) return [];
    const by = coveringRule(covered, endingBefore(phase, index)) ?? (isBehind ? everything : undefined);
    return by === undefined ? [] : [{ kind: kindOf(covered, by), covered, by }];
  });
}

/** Most rules are seen not to be covered without a look at what conditions mean. */
function coveringRule(covered: RuleLogic, ending: readonly RuleLogic[]): readonly RuleLogic[] | undefined {
  if (ending.length === 0 || covered.sketch!.escapes(sketchesOf(ending))) return undefined;
  return coveringRules(ending, covered.condition!, covered.work);
}

/** Of rules whose conditions are known. */
export function sketchesOf(rules: readonly RuleLogic[]): readonly RuleSketch[] {
  return rules.map(one => one.sketch!);
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
  const ending = endingBefore(phase, phase.length);
  if (ending.length === 0 || isMoreThan(sketchesOf(ending), ending[0]!.work)) return undefined;
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

/** The rules before a position that end the evaluation if they match, and would still match there: nothing in between changes what they read. */
export function endingBefore(phase: PhaseLogic, index: number): readonly RuleLogic[] {
  return stillValidAt(phase, index).filter(({ effect }) => effect.ends);
}

/** The rules before a position whose conditions are there what they were. */
export function stillValidAt(phase: PhaseLogic, index: number): readonly RuleLogic[] {
  const work = phase[0]?.work;
  work?.spend(index / RULES_A_STEP);
  if (work?.isSpent) {
    work.leaveOpen();
    return [];
  }
  const found: RuleLogic[] = [];
  for (let at = 0; at < index; at += 1) {
    const rule = phase[at]!;
    if (rule.validUntil >= index && rule.sketch !== undefined) found.push(rule);
  }
  return found;
}

/** Looking at a rule is quicker than anything that is asked of it. */
const RULES_A_STEP = 8;
