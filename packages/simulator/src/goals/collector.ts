/** Collects which goals decisions reach. It observes a decision as a trace does, but evaluates the atoms of conditions only. */
import type { Phase } from '@tollgate/catalog';
import { EvaluationError, type NonValue, Unknown } from '@tollgate/cel';
import { inlineBodies, unrollLists } from '@tollgate/cel/tooling';
import type { Policy, Rule } from '@tollgate/policy';
import type { RunAction } from '../actions/effect.ts';
import { compileRules, type Preparation, type PreparedPhase } from '../conditions/prepare-policy.ts';
import type { TrafficState } from '../exchange-state/traffic-state.ts';
import type { Decision, RuleResult } from '../simulation/decision.ts';
import type { DecisionWatch } from '../simulation/tracing.ts';
import { activationBuilder } from '../variables/activation.ts';
import { compileExpression } from '../variables/expression.ts';
import { shownByAll, type Truth } from './boolean-tree.ts';
import { goalsOf, interpolationsOf, type PolicyGoals, type RuleGoals } from './goals.ts';

/** The goals of a policy, and the function that says which of them a decision reaches. */
export interface Coverage extends PolicyGoals {
  /** Returns a watch for one decision. */
  readonly watch: () => CoverageWatch;
}

/** Watches one decision. */
interface CoverageWatch extends DecisionWatch {
  /** Returns the positions of the goals that the decision reaches. What depends on something unknown is not reached. */
  readonly reached: (decision: Decision) => readonly number[];
}

/** Prepares to collect coverage. Random numbers are unknown to it, except for what follows from the decision. */
export function prepareCoverage(policy: Policy, preparation: Preparation): Coverage {
  const goals = goalsOf(policy, preparation.profile);
  const atoms = prepareAtoms(policy, goals, preparation);
  const conditions = goals.rules.map(rule => conditionGoals(rule));
  const fillings = goals.rules.map(({ rule }) => prepareFillings(rule, policy, preparation));
  return { ...goals, watch: () => new Collector({ goals, atoms, conditions, fillings }) };
}

interface Prepared {
  readonly goals: PolicyGoals;
  readonly atoms: AtomsOf;
  /** By rule. */
  readonly conditions: readonly ConditionGoals[];
  readonly fillings: readonly Fillings[];
}

class Collector implements CoverageWatch {
  readonly #prepared: Prepared;
  /** By rule: the values of its atoms, if the rule is reached. */
  readonly #values: (readonly (Truth | undefined)[] | undefined)[] = [];
  /** By rule and action: the state in which the action ran. */
  readonly #ran = new Map<number, TrafficState[]>();

  constructor(prepared: Prepared) {
    this.#prepared = prepared;
  }

  evaluate(_phase: PreparedPhase, _state: TrafficState, evaluate: () => readonly (boolean | NonValue)[]) {
    return evaluate();
  }

  reach({ phase }: PreparedPhase, index: number, state: TrafficState | undefined): void {
    this.#values.push(state && this.#prepared.atoms(phase, index, state));
  }

  watched(actions: readonly RunAction[]): readonly RunAction[] {
    const rule = this.#values.length - 1;
    if (this.#prepared.fillings[rule]!.every(one => one.length === 0)) return actions;
    const states: TrafficState[] = [];
    this.#ran.set(rule, states);
    return actions.map(
      (run): RunAction =>
        (state, moment) => {
          states.push(state);
          return run(state, moment);
        },
    );
  }

  reached(decision: Decision): readonly number[] {
    const { rules, passing } = this.#prepared.goals;
    const found: number[] = [];
    let isCertain = true;
    for (const [at, result] of decision.rules.entries()) {
      if (result.status === 'not-reached') continue;
      const values = this.#values[at];
      if (isCertain && values !== undefined) {
        found.push(...this.#prepared.conditions[at]!(values, result.status));
        found.push(...this.#actionsReached(at, result));
      }
      if (mayEnd(result, rules[at]!.decision.failuresCount)) isCertain = false;
    }
    const isOver = decision.rules.some(result => 'actions' in result && result.actions.some(one => one.ending));
    const [outcome] = decision.outcomes;
    if (passing !== undefined && isCertain && !isOver && outcome?.kind !== 'failed') found.push(passing);
    return found;
  }

  #actionsReached(rule: number, result: RuleResult): readonly number[] {
    if (result.status !== 'matched') return NO_GOALS;
    const { goals, fillings } = this.#prepared;
    const found: number[] = [];
    for (const [at, trace] of result.actions.entries()) {
      const { runs, ends, letsPass, ending, isVerdict, expressions } = goals.rules[rule]!.actions[at]!;
      if (trace.needs.length > 0) return found;
      const isActive = trace.result === 'fired' || trace.ending !== undefined;
      if (isActive || isVerdict) found.push(runs);
      const state = isActive ? this.#ran.get(rule)?.[at] : undefined;
      for (const [index, { fills, fails }] of state === undefined ? [] : expressions.entries()) {
        const value = fillings[rule]![at]![index]!(state!);
        if (value !== undefined) found.push(value === 'fails' ? fails : fills);
      }
      if (trace.ending === undefined) {
        if (letsPass !== undefined) found.push(letsPass);
        continue;
      }
      if (ends !== undefined) found.push(ends);
      if (ending !== undefined) found.push(ending);
    }
    return found;
  }
}

/** By action and expression in its configuration: whether the expression fails in a state; undefined if that is not known. */
type Fillings = readonly (readonly ((state: TrafficState) => 'fills' | 'fails' | undefined)[])[];

function prepareFillings({ phase, actions }: Rule, policy: Policy, { profile, environments }: Preparation): Fillings {
  const context = { profile, environment: environments[phase], place: { endpoint: policy.endpoint, phase } };
  return actions.map(action =>
    interpolationsOf(action, profile).map(({ source }) => {
      const { evaluate } = compileExpression(source, context);
      return state => {
        const value = evaluate(state);
        return value instanceof Unknown ? undefined : value instanceof EvaluationError ? 'fails' : 'fills';
      };
    }),
  );
}

const NO_GOALS: readonly number[] = [];

/** What follows a rule that may have ended the evaluation is only possible. */
function mayEnd(result: RuleResult, failuresEnd: boolean): boolean {
  if (result.status === 'undetermined') return failuresEnd || result.actions.some(one => one.ending !== undefined);
  return result.status === 'matched' && result.actions.some(one => one.ending !== undefined && one.needs.length > 0);
}

/** Returns the values of the atoms of a rule in a state; undefined for unknown ones. */
type AtomsOf = (phase: Phase, index: number, state: TrafficState) => readonly (Truth | undefined)[];

/** The atoms of a phase are evaluated once in each state. */
function prepareAtoms(policy: Policy, { rules }: PolicyGoals, { profile, environments }: Preparation): AtomsOf {
  const phases = new Map(
    profile.phases.map(phase => {
      const environment = environments[phase];
      const own = rules.filter(({ rule }) => rule.phase === phase);
      const atoms = own.map(one => one.atoms.map(({ typed }) => unrollLists(inlineBodies(typed, environment))));
      const all = atoms.flat();
      let first = 0;
      const starts = atoms.map(one => {
        first += one.length;
        return first - one.length;
      });
      const build = activationBuilder(profile, { endpoint: policy.endpoint, phase }, all);
      const conditions = compileRules(
        all.map(one => [one]),
        environment,
      );
      let last: TrafficState | undefined;
      const results: (boolean | NonValue)[] = [];
      const evaluate = (state: TrafficState) => {
        if (state !== last) conditions.evaluateAll(build(state), results);
        last = state;
        return results;
      };
      return [phase, { starts, counts: atoms.map(one => one.length), evaluate }] as const;
    }),
  );
  return (phase, index, state) => {
    const { starts, counts, evaluate } = phases.get(phase)!;
    const results = counts[index] === 0 ? [] : evaluate(state);
    const start = starts[index]!;
    return results.slice(start, start + counts[index]!).map(truthIn);
  };
}

function truthIn(result: boolean | NonValue): Truth | undefined {
  if (typeof result === 'boolean') return result ? 'true' : 'false';
  return result instanceof Unknown ? undefined : 'fails';
}

/** Returns the goals of a rule that values of its atoms show. */
type ConditionGoals = (values: readonly (Truth | undefined)[], status: RuleResult['status']) => readonly number[];

/** What the condition of a rule may be that has a status. */
const RESULTS: Readonly<Partial<Record<RuleResult['status'], readonly Truth[]>>> = {
  matched: ['true'],
  'not-matched': ['false'],
  failed: ['fails'],
};

/** Few patterns of values occur: each is analysed once. */
function conditionGoals(rule: RuleGoals): ConditionGoals {
  const known = new Map<string, readonly number[]>();
  return (values, status) => {
    const key = `${values.join()} ${status}`;
    let found = known.get(key);
    if (found === undefined) {
      found = goalsShown(rule, values, status);
      known.set(key, found);
    }
    return found;
  };
}

function goalsShown(
  rule: RuleGoals,
  given: readonly (Truth | undefined)[],
  status: RuleResult['status'],
): readonly number[] {
  const { matches, doesNotMatch, fails, decides, decision } = rule;
  // What a test with a seed draws at random shows in whether the rule matches.
  const { result, failing, deciding, values } = shownByAll(decision, given, RESULTS[status]);
  return [
    ...(result === 'true' ? [matches] : []),
    ...(result === 'false' && doesNotMatch !== undefined ? [doesNotMatch] : []),
    ...(failing === undefined ? [] : [fails[failing]!]),
    ...deciding.flatMap(atom => {
      const goals = decides[atom];
      return goals === undefined ? [] : [values[atom] === 'true' ? goals.true : goals.false];
    }),
  ];
}
