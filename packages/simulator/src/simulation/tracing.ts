import type { NonValue } from '@tollgate/cel';
import type { Decision } from '../decision/decision.ts';
import type { PreparedPhase } from '../preparation/prepare-policy.ts';
import type { TrafficState } from '../state/traffic-state.ts';
import type { Randomness } from './randomness.ts';
import type { DecisionTrace, PreparedTraces, TracedExpression } from './trace-rules.ts';

type Conditions = readonly (boolean | NonValue)[];

/** Observes a decision in progress, and traces the expressions of rules in the states in which they are reached. */
export class Tracing {
  readonly #traces: PreparedTraces;
  readonly #randomness: Randomness | undefined;
  readonly #expressions: (readonly (TracedExpression | undefined)[])[] = [];
  readonly #filled: DecisionTrace['filled'][number][] = [];
  /** The traces of a phase's rules if they are random. */
  #drawn: readonly (readonly (TracedExpression | undefined)[])[] = [];

  constructor(traces: PreparedTraces, randomness: Randomness | undefined) {
    this.#traces = traces;
    this.#randomness = randomness;
    traces.takeFilled();
  }

  /**
   * Called when the conditions of a phase are evaluated. They draw random numbers in the order of rules, so the trace starts from the same
   * position and evaluation continues from where they ended. (Of rules in an index, those that cannot match draw nothing.)
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

  /** Called for every rule, in order, with the state in which it is reached, if it is. */
  reach(phase: PreparedPhase, index: number, state: TrafficState | undefined): void {
    // What was evaluated since the previous rule belongs to its actions.
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
