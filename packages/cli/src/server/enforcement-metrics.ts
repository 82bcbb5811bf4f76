// Metrics of `tollgate enforce`, for Prometheus.

import type { DecisionFacts } from '@tollgate/enforce';
import { Counter, collectDefaultMetrics, Registry } from 'prom-client';

/** What is counted while a policy is enforced. */
export interface EnforcementMetrics {
  readonly countDecision: (decision: DecisionFacts) => void;
  /** Counts a request that could not be read. */
  readonly countFault: () => void;
  /** Counts a version of the policy that was read: in use, or rejected. */
  readonly countReload: (isInUse: boolean) => void;
  readonly registry: Registry;
}

/** Creates the metrics, all of them zero. */
export function createEnforcementMetrics(): EnforcementMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const decisions = new Counter({
    name: 'tollgate_decisions_total',
    help: 'Decisions, by mode (enforce or shadow) and outcome. Undetermined requests are answered with 500.',
    labelNames: ['mode', 'outcome'],
    registers,
  });
  const matches = new Counter({
    name: 'tollgate_rule_matches_total',
    help: 'Requests and responses that a rule matched, by rule.',
    labelNames: ['rule'],
    registers,
  });
  const faults = new Counter({
    name: 'tollgate_faults_total',
    help: 'Requests that could not be read, and were answered with 500.',
    registers,
  });
  const reloads = new Counter({
    name: 'tollgate_policy_reloads_total',
    help: 'Versions of the policy that were read after the start, by result.',
    labelNames: ['result'],
    registers,
  });
  return {
    countDecision({ mode, outcome, rules }) {
      decisions.inc({ mode, outcome });
      for (const rule of rules) matches.inc({ rule });
    },
    countFault: () => faults.inc(),
    countReload: isInUse => reloads.inc({ result: isInUse ? 'used' : 'rejected' }),
    registry,
  };
}
