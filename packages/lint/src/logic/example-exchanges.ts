// Requests that show what a rule does to the traffic of another one.

import { type Phase, type Profile, terminationOf } from '@tollgate/catalog';
import type { Action, PhaseEnvironments, Policy, Rule } from '@tollgate/policy';
import { createSimulation, type RuleResult } from '@tollgate/simulator';
import { exchangeText } from '@tollgate/solver/conditions';
import type { Exchange } from '@tollgate/traffic';
import { nameOfRule } from '../readers/actions.ts';
import type { Work } from '../rule-api/lint-context.ts';
import { type PhaseLogic, type RuleLogic, typedOf } from './rule-logic.ts';

/** A policy and what it is written for. */
interface ExampleContext {
  readonly policy: Policy;
  readonly profile: Profile;
  readonly environments: PhaseEnvironments;
  readonly work: Work;
}

/** Steps for compiling a rule, and for running a group of rules on an exchange. */
const COMPILING_STEPS = 1000;
const RUNNING_STEPS = 500;

/** Rules that are compiled together: most questions are about rules near to others that were asked about. */
const GROUP = 32;

/** Returns the status of each rule of a group for an exchange. */
type Statuses = (exchange: Exchange) => ReadonlyMap<number, RuleResult['status']>;

/** Looks for exchanges that show what a message says. */
export class ExampleExchanges {
  readonly #context: ExampleContext;
  /** By phase and number of the group. */
  readonly #groups = new Map<string, Statuses>();

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
    const [all, none] = [holding, failing].map(rules => rules.map(one => one.condition!));
    const exchange = first.questions.exchangesWhere(all!, none!).find(one => {
      const matches = (rules: readonly RuleLogic[]) => rules.map(({ rule }) => this.#status(rule, one));
      return (
        isRequest(one) &&
        matches(holding).every(status => status === 'matched') &&
        matches(failing).every(status => status === 'not-matched' || status === 'failed')
      );
    });
    return exchange && exchangeText(exchange);
  }

  /**
   * Returns what the simulator reports for a rule. Changes by earlier rules take effect, but earlier rules do not end the evaluation.
   */
  #status({ phase, index }: Rule, exchange: Exchange): RuleResult['status'] {
    const group = Math.floor(index / GROUP);
    const key = `${phase} ${group}`;
    let statuses = this.#groups.get(key);
    if (statuses === undefined) {
      statuses = this.#compile(phase, group * GROUP);
      this.#groups.set(key, statuses);
    }
    this.#context.work.spend(RUNNING_STEPS);
    return statuses(exchange).get(index)!;
  }

  /** Compiles the rules of a group, and the changes of all rules before them. */
  #compile(phase: Phase, start: number): Statuses {
    const { policy, profile, environments, work } = this.#context;
    const compiled = policy.rules[phase].slice(0, start + GROUP).flatMap((rule): readonly Rule[] => {
      const actions = alwaysEnds(rule) ? [] : rule.actions.filter(mayChange);
      return (rule.index >= start || actions.length > 0) && typedOf(rule) ? [{ ...rule, actions }] : [];
    });
    work.spend(COMPILING_STEPS * compiled.length);
    const rules: Record<Phase, readonly Rule[]> = { ...policy.rules };
    for (const one of profile.phases) rules[one] = [];
    rules[phase] = compiled.map((rule, index) => ({ ...rule, index }));
    const simulation = createSimulation({ ...policy, enabled: true, rules }, { profile, environments });
    return exchange => {
      const decided = simulation.decide(exchange).rules;
      return new Map(compiled.map((rule, at) => [rule.index, decided[at]!.status]));
    };
  }
}

/** Returns true if later expressions may read something the action changes. */
function mayChange(action: Action): boolean {
  return terminationOf(action) === 'never' && action.fact?.changes?.length !== 0;
}

/** Returns false for traffic that no client can send, such as a request without a method. */
function isRequest({ method, url }: Exchange): boolean {
  return method !== '' && url !== undefined && URL.canParse(url);
}

function alwaysEnds({ actions }: Rule): boolean {
  return actions.some(action => terminationOf(action) === 'always');
}

/** Returns what a rule does to the traffic of another one, with a request if one is known. */
export function endsEvaluation(rule: Rule, exchange: Exchange | undefined): string {
  const example = exchange === undefined ? '' : `, for example of ${exchangeText(exchange)}`;
  return `${nameOfRule(rule)} ends evaluation${example}`;
}
