import { type ExpressionTrace, type TypedAst, traceExpression } from '@tollgate/cel';
import type { Policy } from '@tollgate/policy';
import type { Decision } from '../decision/decision.ts';
import type { Preparation, PreparedPhase } from '../preparation/prepare-policy.ts';
import type { TrafficState } from '../state/traffic-state.ts';
import { activationBuilder } from '../values/build-activation.ts';
import { type CompileExpression, compileExpression, readExpression } from '../values/compile-expression.ts';

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
export type ObserveExpression = <T>(evaluate: () => T, trace: () => FilledExpression) => T;

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
