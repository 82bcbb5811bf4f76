import { EvaluationError, type ExpressionTrace, type NonValue, traceExpression, Unknown } from '@tollgate/cel';
import type { PhaseEnvironments } from '@tollgate/policy';
import type { Decision } from './decision.ts';
import type { PreparedPhase } from './prepare-policy.ts';
import type { TrafficState } from './traffic-state.ts';

/** What a policy does to an exchange, with the value of every sub-expression. */
export interface DecisionTrace extends Decision {
  /**
   * For each rule, in the order of the policy: how each of its expressions came to its result. Undefined for those that were not
   * evaluated: of a rule that was not reached, and behind one that is false.
   */
  readonly expressions: readonly (readonly (ExpressionTrace | undefined)[])[];
}

/** Traces the expressions of one rule in the state in which it was reached. */
export type TraceRule = (index: number, state: TrafficState) => readonly (ExpressionTrace | undefined)[];

/** Makes the rules of a phase ready to be traced. */
export function prepareTraces({ phase, rules, build }: PreparedPhase, environments: PhaseEnvironments): TraceRule {
  const traced = rules.map(rule => rule.expressions.map(typed => traceExpression(typed, environments[phase])));
  return (index, state) => {
    const activation = build(state);
    let isFalse = false;
    return traced[index]!.map(trace => {
      if (isFalse) return undefined;
      const found = trace(activation);
      isFalse = found.result === false;
      return found;
    });
  };
}

/** What the expressions of a rule give together. */
export function conjunction(traces: readonly (ExpressionTrace | undefined)[]): boolean | NonValue {
  const results = traces.flatMap(trace => (trace ? [trace.result] : []));
  if (results.includes(false)) return false;
  const unknown = results.flatMap(result => (result instanceof Unknown ? result.attributes : []));
  if (unknown.length > 0) return new Unknown([...new Set(unknown)].sort());
  return results.find(result => result instanceof EvaluationError) ?? true;
}
