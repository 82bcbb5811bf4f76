import type { NonValue } from '@tollgate/cel';
import type { Decision } from '../decision/decision.ts';
import type { PreparedPhase } from '../preparation/prepare-policy.ts';
import type { TrafficState } from '../state/traffic-state.ts';
import type { Randomness } from './randomness.ts';
import type { DecisionTrace, PreparedTraces, TracedExpression } from './trace-rules.ts';

type Conditions = readonly (boolean | NonValue)[];

/** Watches a decision as it is made, and traces the expressions of rules in the states in which these are reached. */
export class Tracing {
  readonly #traces: PreparedTraces;
  readonly #randomness: Randomness | undefined;
  readonly #expressions: (readonly (TracedExpression | undefined)[])[] = [];
  readonly #filled: DecisionTrace['filled'][number][] = [];
  /** Of all rules of a phase, where chance has a part in them. */
  #drawn: readonly (readonly (TracedExpression | undefined)[])[] = [];

  constructor(traces: PreparedTraces, randomness: Randomness | undefined) {
    this.#traces = traces;
    this.#randomness = randomness;
    traces.takeFilled();
  }

  /**
   * Is asked when the conditions of a phase are evaluated. Those draw by chance in the order of rules: the trace begins where they began, so
   * that it draws the same, and what follows goes on where they ended. (Of rules that are looked up, those that cannot match draw nothing.)
   */
  evaluate(phase: PreparedPhase, state: TrafficState, evaluate: () => Conditions): Conditions {
    const randomness = this.#randomness;
    if (randomness === undefined) return evaluate();
    const begun = randomness.position();
    const conditions = evaluate();
    const ended = randomness.position();
    randomness.moveTo(begun);
    this.#drawn = phase.rules.map((_, index) => this.#traces.traceRule(phase, index, state));
    randomness.moveTo(ended);
    return conditions;
  }

  /** Is told of every rule, in order, and of the state in which it is reached, if it is. */
  reach(phase: PreparedPhase, index: number, state: TrafficState | undefined): void {
    // What ran since the rule before was its actions.
    if (this.#expressions.length > 0) this.#filled.push(this.#traces.takeFilled());
    this.#expressions.push(this.#traceOf(phase, index, state));
  }

  #traceOf(phase: PreparedPhase, index: number, state: TrafficState | undefined) {
    if (state === undefined) return phase.rules[index]!.expressions.map(() => undefined);
    return this.#randomness === undefined ? this.#traces.traceRule(phase, index, state) : this.#drawn[index]!;
  }

  finish(decision: Decision): DecisionTrace {
    if (this.#expressions.length > 0) this.#filled.push(this.#traces.takeFilled());
    return { ...decision, expressions: this.#expressions, filled: this.#filled };
  }
}
