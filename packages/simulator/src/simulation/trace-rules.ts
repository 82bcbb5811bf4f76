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

/** What a policy does to an exchange, with the value of every sub-expression. */
export interface DecisionTrace extends Decision {
  /**
   * For each rule, in the order of the policy: how each of its expressions came to its result. Undefined for those that were not
   * evaluated: of a rule that was not reached, and behind one that is false.
   */
  readonly expressions: readonly (readonly (TracedExpression | undefined)[])[];
  /** For each rule, for each of its actions that ran: the expressions of its configuration, in the order in which they were evaluated. */
  readonly filled: readonly (readonly (readonly FilledExpression[])[])[];
}

/** How an expression came to its result. */
export interface TracedExpression extends ExpressionTrace {
  /** The tree whose nodes it tells of: that of the policy, with calls of functions with a body replaced by the body. */
  readonly typed: TypedAst;
}

/** An expression that an action evaluated. */
export interface FilledExpression extends TracedExpression {
  /** As it was written in the configuration; or one that the action itself asks. */
  readonly source: string;
  /** Where that begins in the source of the tree, which may be converted to text as a whole. */
  readonly offset: number;
}

/** A policy made ready to be traced. */
export interface PreparedTraces {
  readonly phases: readonly PreparedPhase[];
  readonly traceRule: TraceRule;
  /** What the actions of the rule that ran last have evaluated; begins anew. */
  readonly takeFilled: () => readonly (readonly FilledExpression[])[];
}

/** Traces the expressions of one rule in the state in which it was reached. */
export type TraceRule = (
  phase: PreparedPhase,
  index: number,
  state: TrafficState,
) => readonly (TracedExpression | undefined)[];

/** Makes a policy ready to be traced: it does the same as without, and notes what its expressions give. */
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

/** On objects that have all members: those that no expression reads may be seen, in a map. */
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

/** Keeps what expressions of configurations give. */
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
