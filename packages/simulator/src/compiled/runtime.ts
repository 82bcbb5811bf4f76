/** What a policy that was compiled ahead of time runs on: the simulator without parser, checker and code generation. */
import type { Phase, ProfileSwitches } from '@tollgate/catalog';
import type { Implementation } from '@tollgate/cel';
import { InternalError } from '@tollgate/diagnostics';
import type { FindMatches } from '@tollgate/policy';
import { type ActionConfig, type ActionContext, type PrepareAction, type RunAction, SIDES } from '../actions/effect.ts';
import { LimitSession } from '../actions/limit-counters.ts';
import { conjunctionOfGroups } from '../conditions/condition-columns.ts';
import type { RunnablePhase } from '../conditions/prepare-policy.ts';
import { type ConditionValue, isUnclear } from '../conditions/unclear-conditions.ts';
import type { Dialect } from '../exchange-state/dialect.ts';
import { prepareDecisions, prepareStart, type SimulationRun } from '../simulation/simulation.ts';
import type { randomDraws } from '../simulation/tracing.ts';
import type { BuildActivation } from '../variables/activation.ts';
import type { StateExpression } from '../variables/expression.ts';

/** A compiled policy. */
export interface CompiledPolicy {
  readonly switches: ActionContext['switches'] & Pick<ProfileSwitches, 'evaluationError'>;
  readonly dialect: Dialect;
  readonly isEnabled: boolean;
  /** Makes random functions; undefined if the policy calls none. */
  readonly draws: typeof randomDraws | undefined;
  /** Returns all phases of the profile. */
  readonly phases: (scope: PolicyScope) => readonly RunnablePhase[];
}

/** What the phases of a policy share. */
interface PolicyScope extends Pick<ActionContext, 'dialect' | 'switches'> {
  /** Random functions, by overload id. */
  readonly draws: Readonly<Record<string, Implementation>> | undefined;
}

/** Begins a run of a compiled policy, whose counters start at zero. */
export function beginCompiled(policy: CompiledPolicy, seed: number): Pick<SimulationRun, 'start'> {
  const { switches, dialect, isEnabled } = policy;
  const randomness = policy.draws?.(seed);
  const phases = policy.phases({ switches, dialect, draws: randomness?.implementations });
  const decideRequest = prepareDecisions(phases, isEnabled, { profile: { switches } });
  const started = { dialect, assumptions: {} };
  return { start: prepareStart(decideRequest, { session: new LimitSession(), randomness, started }) };
}

type Evaluate = (activation: object, results: ConditionValue[]) => void;

/** The generated code of a phase. */
interface PhaseCode {
  readonly phase: Phase;
  readonly build: BuildActivation;
  /** Finds a rule; undefined if the order of evaluations counts. */
  readonly search?: (activation: object, results: ConditionValue[], from: number) => number;
  readonly evaluateAll?: Evaluate;
  readonly rules: readonly RuleCode[];
}

interface RuleCode {
  readonly actions: readonly RunAction[];
  /** The conjuncts of its condition that read the same inputs; undefined if they all do. */
  readonly groups?: readonly { readonly build: BuildActivation; readonly evaluateAll: Evaluate }[];
}

/** Returns a phase that runs generated code. */
export function compiledPhase({ phase, build, search, evaluateAll, rules }: PhaseCode): RunnablePhase {
  const settled = (rule: number, state: Parameters<BuildActivation>[0], result: ConditionValue): ConditionValue => {
    if (!isUnclear(result)) return result;
    const groups = rules[rule]!.groups ?? [{ build, evaluateAll: ofRule(rule) }];
    return conjunctionOfGroups(
      groups.map(group => ({ build: group.build, conditions: group })),
      state,
    );
  };
  const ofRule =
    (rule: number): Evaluate =>
    (activation, results) => {
      const found: ConditionValue[] = [];
      if (search !== undefined) results[0] = search(activation, found, rule) === rule && found[0]!;
      else {
        evaluateAll!(activation, found);
        results[0] = found[rule]!;
      }
    };
  return {
    phase,
    rules,
    conditions: {
      evaluateAll: (state, results) => {
        if (evaluateAll === undefined) throw new InternalError('conditions are searched');
        evaluateAll(build(state), results);
        for (let rule = 0; rule < results.length; rule++) results[rule] = settled(rule, state, results[rule]!);
      },
      ...(search && {
        next: (state, results, from) => {
          const activation = build(state);
          for (let at = from; ; at++) {
            at = search(activation, results, at);
            if (at < 0) return -1;
            results[0] = settled(at, state, results[0]!);
            if (results[0] !== false) return at;
          }
        },
      }),
    },
  };
}

/** What the catalog says about a type of action, as far as effects need it. */
type ActionKind = Pick<ActionContext, 'fact' | 'results'>;

/** The generated code of an action. */
interface ActionCode {
  readonly config: ActionConfig;
  /** The expressions that it compiles while it is prepared, in order. */
  readonly expressions?: readonly ExpressionCode[];
  /** What finds matches of the patterns that it prepares, in order. */
  readonly finders?: readonly FindMatches[];
  /** The same for patterns that are known only while it runs. */
  readonly findAny?: ActionContext['find'];
}

interface ExpressionCode {
  /** Only its kind is of interest. */
  readonly type: StateExpression['type'];
  readonly build: BuildActivation;
  readonly evaluate: (activation: object) => ReturnType<StateExpression['evaluate']>;
}

/** Prepares an action to run on generated code. */
export function compiledAction(
  prepare: PrepareAction,
  { fact, results }: ActionKind,
  { config, expressions = [], finders: found = [], findAny }: ActionCode,
  place: ActionContext['place'],
  { dialect, switches }: PolicyScope,
): RunAction {
  const [ready, finders] = [expressions.map(expressionOf).values(), found.values()];
  const compile = () => next(ready);
  return prepare(config, {
    ...{ fact, place, side: SIDES[place.phase], switches, dialect, results },
    compile,
    compileUntraced: compile,
    find: () => next(finders),
    findAny: () => findAny ?? next([].values()),
  });
}

/** Preparing an action asks for the same things as when it was compiled. */
function next<T>(values: Iterator<T>): T {
  const { done, value } = values.next();
  if (done === true) throw new InternalError('an action asks for what was not compiled');
  return value;
}

function expressionOf({ type, build, evaluate }: ExpressionCode): StateExpression {
  return { type, evaluate: state => evaluate(build(state)) };
}
