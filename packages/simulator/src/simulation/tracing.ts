/** Traces the expressions of a decision with the value of each part, and makes its random numbers repeatable. */
import {
  type Environment,
  EvaluationError,
  type ExpressionTrace,
  extendEnvironment,
  type Implementation,
  type NonValue,
  type TypedAst,
  traceExpression,
} from '@tollgate/cel';
import type { PhaseEnvironments, Policy } from '@tollgate/policy';
import type { Exchange } from '@tollgate/traffic';
import type { RunAction } from '../actions/effect.ts';
import type { Preparation, PreparedPhase, RunnablePhase } from '../conditions/prepare-policy.ts';
import type { TrafficState } from '../exchange-state/traffic-state.ts';
import { activationBuilder } from '../variables/activation.ts';
import { type CompileExpression, compileExpression, readExpression } from '../variables/expression.ts';
import type { Decision } from './decision.ts';

type Conditions = readonly (boolean | NonValue)[];

/** Observes a decision in progress. It must not change it. */
export interface DecisionWatch<Phase extends RunnablePhase = PreparedPhase> {
  /** Called when the conditions of a phase are evaluated; returns what `evaluate` returns. */
  readonly evaluate: (phase: Phase, state: TrafficState, evaluate: () => Conditions) => Conditions;
  /** Called for every rule, in order, with the state in which it is reached, if it is. */
  readonly reach: (phase: Phase, index: number, state: TrafficState | undefined) => void;
  /** Returns the actions of the rule that was reached last, which may be observed. */
  readonly watched: (actions: readonly RunAction[]) => readonly RunAction[];
}

/** Observes a decision in progress, and traces expressions in the states in which they are evaluated. The decision does not use the traces. */
export class Tracing implements DecisionWatch {
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

/** A decision with the value of every subexpression. */
export interface DecisionTrace extends Decision {
  /**
   * By rule, in the order of the policy: how each of its expressions was evaluated. Undefined for expressions that were not: those of a rule
   * that was not reached, and those after one that is false.
   */
  readonly expressions: readonly (readonly (TracedExpression | undefined)[])[];
  /** By rule, then by action that ran: the expressions of its configuration, in order of evaluation. */
  readonly filled: readonly (readonly (readonly FilledExpression[])[])[];
}

/** How an expression was evaluated. */
export interface TracedExpression extends ExpressionTrace {
  /** The tree of the traced nodes, with inlined function bodies. */
  readonly typed: TypedAst;
}

/** An expression that an action evaluated. */
export interface FilledExpression extends TracedExpression {
  /** As written in the configuration; or an expression of the action itself. */
  readonly source: string;
  /** Its offset in the source of the tree, which may wrap it in a conversion. */
  readonly offset: number;
}

/** Returns how the expressions of a rule are evaluated in the state in which it is reached. */
export type TraceRule = (
  phase: PreparedPhase,
  index: number,
  state: TrafficState,
) => readonly (TracedExpression | undefined)[];

/** Prepares traces of rules. Activations are complete, because a map may show members that no expression reads. */
export function prepareTraces(
  policy: Policy | undefined,
  phases: readonly PreparedPhase[],
  { profile, environments }: Preparation,
): TraceRule {
  const endpoint = policy?.endpoint ?? profile.endpoints[0]!;
  const prepared = new Map(
    phases.map(one => {
      const traced = one.rules.map(rule =>
        rule.expressions.map(typed => ({ typed, trace: traceExpression(typed, environments[one.phase]) })),
      );
      return [one, { traced, build: activationBuilder(profile, { endpoint, phase: one.phase }) }];
    }),
  );
  return (phase, index, state) => {
    const { traced, build } = prepared.get(phase)!;
    const activation = build(state);
    let isFalse = false;
    return traced[index]!.map(({ typed, trace }) => {
      if (isFalse) return undefined;
      const found = { ...trace(activation), typed };
      isFalse = found.result === false;
      return found;
    });
  };
}

/** Called when an action evaluates an expression of its configuration: returns the result of `evaluate`, which it calls once. */
type ObserveExpression = <T>(evaluate: () => T, trace: () => FilledExpression) => T;

/** Compiles expressions in configurations so that an observer can be set who is told of each evaluation. */
export class ObservedExpressions {
  observe: ObserveExpression | undefined;

  readonly compile: CompileExpression = (source, context, as) => {
    const { type, evaluate } = compileExpression(source, context, as);
    let trace: ((state: TrafficState) => FilledExpression) | undefined;
    const prepare = () => {
      const { typed, offset } = readExpression(source, context, as);
      const build = activationBuilder(context.profile, context.place);
      const run = traceExpression(typed, context.environment);
      return (state: TrafficState): FilledExpression => ({ ...run(build(state)), typed, source, offset });
    };
    const traced = (state: TrafficState) => {
      trace ??= prepare();
      return trace(state);
    };
    return {
      type,
      evaluate: state =>
        this.observe === undefined
          ? evaluate(state)
          : this.observe(
              () => evaluate(state),
              () => traced(state),
            ),
    };
  };
}

/** Numbers for `rand.double()` and `rand.int()`: always the same ones for an exchange, whatever came before it. */
export interface Randomness {
  readonly begin: (exchange: Exchange) => void;
  /** Returns the position in the sequence. */
  readonly position: () => number;
  /** Moves to a position in the sequence. */
  readonly moveTo: (position: number) => void;
  /** Environments whose random functions draw these numbers. */
  readonly environments: PhaseEnvironments;
}

/** @param seed selects the numbers */
export function seededRandomness(environments: PhaseEnvironments, seed: number): Randomness {
  const { implementations, ...draws } = randomDraws(seed);
  const seeded = (environment: Environment) => extendEnvironment(environment, { implementations });
  return {
    ...draws,
    environments: {
      inbound: seeded(environments.inbound),
      outbound: seeded(environments.outbound),
      on_tcp_connect: seeded(environments.on_tcp_connect),
      on_http_request: seeded(environments.on_http_request),
      on_http_response: seeded(environments.on_http_response),
      on_event_stream_message: seeded(environments.on_event_stream_message),
    },
  };
}

/** Returns random functions that draw the same numbers for an exchange, whatever came before it. */
export function randomDraws(seed: number): RandomDraws {
  let state = 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    return unitOf(state);
  };
  return {
    begin: ({ place }) => {
      state = hashOf(`${seed} ${place.file} ${place.number}`);
    },
    position: () => state,
    moveTo: position => {
      state = position;
    },
    implementations: drawing(next),
  };
}

interface RandomDraws extends Omit<Randomness, 'environments'> {
  /** By overload id. */
  readonly implementations: Readonly<Record<string, Implementation>>;
}

const EMPTY_RANGE = new EvaluationError('eval/empty-range', 'the range to draw from is empty');

function drawing(next: () => number): Readonly<Record<string, Implementation>> {
  const within = (min: number, max: number) => min + next() * (max - min);
  return {
    rand_double: { call: next, total: true },
    rand_double_double_double: {
      call: (min: number, max: number) => (min <= max ? within(min, max) : EMPTY_RANGE),
      total: false,
    },
    rand_int: { call: () => Math.floor(within(0, 2)), total: true },
    rand_int_int_int: {
      call: (min: number | bigint, max: number | bigint) =>
        min <= max ? Math.min(Math.floor(within(Number(min), Number(max) + 1)), Number(max)) : EMPTY_RANGE,
      total: false,
    },
  };
}

/** Mixes 32 bits into a number from 0 to less than 1 (the finalizer of MurmurHash3). */
function unitOf(state: number): number {
  let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash | 0;
}
