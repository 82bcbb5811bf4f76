import { type Phase, type Profile, terminationOf } from '@tollgate/catalog';
import type { Action, PhaseEnvironments, Policy, Rule } from '@tollgate/policy';
import { createSimulation } from '@tollgate/simulator';
import { exchangeText } from '@tollgate/solver/conditions';
import type { Exchange } from '@tollgate/traffic';
import type { Work } from '../../primitives/work.ts';
import type { PhaseLogic, RuleLogic } from '../phases/rule-logic.ts';

/** A policy and what it is written for. */
interface ExampleContext {
  readonly policy: Policy;
  readonly profile: Profile;
  readonly environments: PhaseEnvironments;
  readonly work: Work;
}

/** Steps for compiling a rule and running it on an exchange. */
const SIMULATION_STEPS = 2000;

/** Looks for exchanges that show what a message says. */
export class ExampleExchanges {
  readonly #context: ExampleContext;

  constructor(context: ExampleContext) {
    this.#context = context;
  }

  /**
   * Returns an exchange, as text, that all rules in `holding` match and none in `failing`, confirmed by the simulator. Undefined if none was
   * found, which proves nothing.
   */
  find(phase: PhaseLogic, holding: readonly RuleLogic[], failing: readonly RuleLogic[]): string | undefined {
    const [first] = phase;
    if (first === undefined) return undefined;
    const { questions, rule } = first;
    const [all, none] = [holding, failing].map(rules => rules.map(one => one.condition!));
    const exchange = questions.exchangesWhere(all!, none!).find(one => {
      const statuses = this.#statusesOf(rule.phase, [...holding, ...failing], one);
      return statuses.every((status, at) =>
        at < holding.length ? status === 'matched' : status === 'not-matched' || status === 'failed',
      );
    });
    return exchange && exchangeText(exchange);
  }

  /**
   * Returns what the simulator reports for each rule when their actions are left out. Changes by earlier rules take effect, but earlier
   * rules do not end the evaluation.
   */
  #statusesOf(phase: Phase, read: readonly RuleLogic[], exchange: Exchange): readonly string[] {
    const { policy, profile, environments, work } = this.#context;
    const examined = new Set(read.map(({ rule }) => rule));
    const last = Math.max(...[...examined].map(rule => rule.index));
    const rulesWithoutEffect = policy.rules[phase].flatMap((rule): readonly Rule[] => {
      if (examined.has(rule)) return [{ ...rule, actions: [] }];
      const actions = rule.index < last ? rule.actions.filter(mayChange) : [];
      return actions.length > 0 ? [{ ...rule, actions }] : [];
    });
    work.spend(SIMULATION_STEPS * rulesWithoutEffect.length);
    const rules: Record<Phase, readonly Rule[]> = { ...policy.rules };
    for (const one of profile.phases) rules[one] = [];
    rules[phase] = rulesWithoutEffect.map((rule, index) => ({ ...rule, index }));
    const alone: Policy = { ...policy, enabled: true, rules };
    const decided = createSimulation(alone, { profile, environments }).decide(exchange).rules;
    return read.map(({ rule }) => decided[rulesWithoutEffect.findIndex(one => one.index === rule.index)]!.status);
  }
}

/** Returns true if later expressions may read something the action changes. */
function mayChange(action: Action): boolean {
  return terminationOf(action) === 'never' && action.fact?.changes?.length !== 0;
}
