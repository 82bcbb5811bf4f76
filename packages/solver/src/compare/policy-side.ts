import type { Phase } from '@tollgate/catalog';
import type { Policy, Rule } from '@tollgate/policy';
import { createSimulation, type Decision, type Simulation } from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import type { PolicyContext } from '../policy/session.ts';

/** How one policy decides an exchange. */
export interface Decided {
  readonly decision: Decision;
  /** The rules that matched, in order. */
  readonly rules: readonly Rule[];
}

/** An exchange that two policies decide differently, confirmed by the simulator. */
export interface PolicyDifference {
  readonly exchange: Exchange;
  readonly before: Decided;
  readonly after: Decided;
}

/** One of two policies that are compared, ready to decide. */
export class PolicySide {
  readonly policy: Policy;
  readonly #rules: readonly Rule[];
  readonly #simulation: Simulation;

  constructor(policy: Policy, { profile, environments }: PolicyContext) {
    this.policy = policy;
    this.#rules = profile.phases.flatMap(phase => policy.rules[phase]);
    this.#simulation = createSimulation(policy, { profile, environments });
  }

  /** Returns the rules of a phase that can run. */
  rulesOf(phase: Phase): readonly Rule[] {
    return this.policy.enabled ? this.policy.rules[phase] : [];
  }

  decide(exchange: Exchange): Decided {
    const decision = this.#simulation.decide(exchange);
    return { decision, rules: this.#rules.filter((_, at) => decision.rules[at]!.status === 'matched') };
  }

  /** Returns what happened to a rule. */
  statusOf(rule: Rule, { rules }: Decision): Decision['rules'][number]['status'] {
    return rules[this.#rules.indexOf(rule)]!.status;
  }
}
