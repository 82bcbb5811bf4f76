import {
  type EvaluationError,
  type ExpressionTrace,
  type TypedAst,
  traceExpression,
  type Unknown,
  type Value,
} from '@tollgate/cel';
import type { PhaseEnvironments, Policy } from '@tollgate/policy';
import type { Decision } from '../decision/decision.ts';
import type { RunAction } from '../effects/model/effect.ts';
import { type Preparation, type PreparedPhase, preparePhase } from '../preparation/prepare-policy.ts';
import type { TrafficState } from '../state/traffic-state.ts';
import { activationBuilder } from '../values/build-activation.ts';
import { type CompileExpression, readExpression } from '../values/compile-expression.ts';

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

/** A policy prepared for traces. */
export interface PreparedTraces {
  readonly phases: readonly PreparedPhase[];
  readonly traceRule: TraceRule;
  /** Returns the expressions that actions have evaluated since the last call. */
  readonly takeFilled: () => readonly (readonly FilledExpression[])[];
}

/** Traces the expressions of one rule in the state in which it was reached. */
type TraceRule = (
  phase: PreparedPhase,
  index: number,
  state: TrafficState,
) => readonly (TracedExpression | undefined)[];

/** Prepares a policy for traces: decisions are the same, and the results of expressions are recorded. */
export function prepareTraces(policy: Policy | undefined, { profile, environments }: Preparation): PreparedTraces {
  const recorder = new Recorder();
  const compile = recordingCompiler(recorder);
  const phases = profile.phases.map((phase): PreparedPhase => {
    const prepared = preparePhase(policy, phase, { profile, environments, compile });
    const rules = prepared.rules.map(rule => ({ ...rule, actions: rule.actions.map(run => recorder.watch(run)) }));
    return { ...prepared, rules };
  });
  const endpoint = policy?.endpoint ?? profile.endpoints[0]!;
  const tracers = new Map(
    phases.map(phase => {
      const whole = { ...phase, build: activationBuilder(profile, { endpoint, phase: phase.phase }) };
      return [phase, ruleTracer(whole, environments)];
    }),
  );
  return {
    phases,
    traceRule: (phase, index, state) => tracers.get(phase)!(index, state),
    takeFilled: () => recorder.take(),
  };
}

/** Uses complete activations, because a map may show members that no expression reads. */
function ruleTracer({ phase, rules, build }: PreparedPhase, environments: PhaseEnvironments) {
  const traced = rules.map(rule =>
    rule.expressions.map(typed => ({ typed, trace: traceExpression(typed, environments[phase]) })),
  );
  return (index: number, state: TrafficState): readonly (TracedExpression | undefined)[] => {
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

/** Records the results of expressions in configurations. */
class Recorder {
  #actions: FilledExpression[][] = [];

  watch(run: RunAction): RunAction {
    return (state, moment) => {
      this.#actions.push([]);
      return run(state, moment);
    };
  }

  note(filled: FilledExpression): void {
    this.#actions.at(-1)?.push(filled);
  }

  take(): readonly (readonly FilledExpression[])[] {
    const taken = this.#actions;
    this.#actions = [];
    return taken;
  }
}

function recordingCompiler(recorder: Recorder): CompileExpression {
  return (source, context, as) => {
    const { typed, offset } = readExpression(source, context, as);
    const build = activationBuilder(context.profile, context.place);
    const trace = traceExpression(typed, context.environment);
    return {
      type: typed.resultType,
      evaluate: state => {
        const found = trace(build(state));
        recorder.note({ ...found, typed, source, offset });
        return found.result as Value | EvaluationError | Unknown;
      },
    };
  };
}
