import type { NonValue } from '@tollgate/cel';
import type { Decision } from '../decision/decision.ts';
import type { RunAction } from '../effects/model/effect.ts';
import type { PreparedPhase } from '../preparation/prepare-policy.ts';
import type { TrafficState } from '../state/traffic-state.ts';
import type { Randomness } from './randomness.ts';
import type { DecisionTrace, FilledExpression, ObserveExpression, TracedExpression, TraceRule } from './trace-rules.ts';

type Conditions = readonly (boolean | NonValue)[];

/** Observes a decision in progress, and traces expressions in the states in which they are evaluated. The decision does not use the traces. */
export class Tracing {
  readonly #traceRule: TraceRule;
  readonly #randomness: Randomness | undefined;
  readonly #expressions: (readonly (TracedExpression | undefined)[])[] = [];
  /** By rule, then by action that ran. */
  readonly #filled: FilledExpression[][][] = [];
  /** The traces of a phase's rules if they are random. */
  #drawn: readonly (readonly (TracedExpression | undefined)[])[] = [];

  constructor(traceRule: TraceRule, randomness: Randomness | undefined) {
    this.#traceRule = traceRule;
    this.#randomness = randomness;
  }

  /**
   * Called when the conditions of a phase are evaluated, which draw random numbers in the order of rules. (Of rules in an index, those that
   * cannot match draw nothing.)
   */
  evaluate(phase: PreparedPhase, state: TrafficState, evaluate: () => Conditions): Conditions {
    if (this.#randomness === undefined) return evaluate();
    return this.#withTrace(evaluate, () => {
      this.#drawn = phase.rules.map((_, index) => this.#traceRule(phase, index, state));
    });
  }

  /** Called for every rule, in order, with the state in which it is reached, if it is. */
  reach(phase: PreparedPhase, index: number, state: TrafficState | undefined): void {
    this.#expressions.push(this.#traceOf(phase, index, state));
    this.#filled.push([]);
  }

  #traceOf(phase: PreparedPhase, index: number, state: TrafficState | undefined) {
    if (state === undefined) return phase.rules[index]!.expressions.map(() => undefined);
    return this.#randomness === undefined ? this.#traceRule(phase, index, state) : this.#drawn[index]!;
  }

  /** Returns the actions of the rule that was reached last; what they evaluate is listed for each. */
  watched(actions: readonly RunAction[]): readonly RunAction[] {
    const ran = this.#filled.at(-1)!;
    return actions.map(
      (run): RunAction =>
        (state, moment) => {
          ran.push([]);
          return run(state, moment);
        },
    );
  }

  readonly observe: ObserveExpression = (evaluate, trace) =>
    this.#withTrace(evaluate, () => this.#filled.at(-1)?.at(-1)?.push(trace()));

  finish(decision: Decision): DecisionTrace {
    return { ...decision, expressions: this.#expressions, filled: this.#filled };
  }

  /** The trace draws the same random numbers as the evaluation. */
  #withTrace<T>(evaluate: () => T, trace: () => void): T {
    const begun = this.#randomness?.position();
    const result = evaluate();
    const ended = this.#randomness?.position();
    if (begun !== undefined) this.#randomness?.moveTo(begun);
    trace();
    if (ended !== undefined) this.#randomness?.moveTo(ended);
    return result;
  }
}
