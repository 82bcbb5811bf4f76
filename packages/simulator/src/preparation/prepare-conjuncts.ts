import type { EvaluationContext, Profile } from '@tollgate/catalog';
import type { Environment, TypedAst } from '@tollgate/cel';
import type { TrafficState } from '../state/traffic-state.ts';
import { activationBuilder } from '../values/build-activation.ts';
import { compileRules } from './compile-rules.ts';
import { evaluateConjuncts, type PreparedConjuncts } from './condition-column.ts';
import { conjunctsByInput } from './conjuncts-by-input.ts';
import { type ConditionValue, conjunction } from './unclear-conditions.ts';

/** Where the rules are. */
export interface ConjunctsContext {
  readonly profile: Profile;
  readonly environment: Environment;
  readonly place: EvaluationContext;
}

/** Compiles the conjuncts of rules, grouped by their inputs; undefined if a condition may have another result each time. */
export function prepareConjuncts(
  rules: readonly (readonly TypedAst[])[],
  { profile, environment, place }: ConjunctsContext,
): readonly PreparedConjuncts[] | undefined {
  const added = new Set(profile.functions.flatMap(fact => (fact.implementation ? fact.overloadId : [])));
  if (rules.flat().some(typed => calls(typed, added))) return undefined;
  return conjunctsByInput(rules).map(({ conjuncts }) => ready(conjuncts, { profile, environment, place }));
}

/**
 * Returns the result of a rule's condition that is unknown because of unclear headers: each group of its conjuncts is decided under every meaning
 * of the headers that it reads.
 */
export type SettleRule = (rule: number, state: TrafficState, result: ConditionValue) => ConditionValue;

/** Prepares to decide conditions under the meanings of unclear headers. Rules are compiled when that is needed. */
export function prepareSettling(rules: readonly (readonly TypedAst[])[], context: ConjunctsContext): SettleRule {
  const prepared = new Map<number, readonly PreparedConjuncts[] | undefined>();
  return (rule, state, result) => {
    if (!prepared.has(rule)) prepared.set(rule, prepareConjuncts([rules[rule]!], context));
    const groups = prepared.get(rule);
    if (groups === undefined) return result;
    const results: ConditionValue[] = [];
    return conjunction(
      groups.map(group => {
        evaluateConjuncts(group, state, results);
        return results[0]!;
      }),
    );
  };
}

function ready(conjuncts: RuleConjuncts, context: ConjunctsContext): PreparedConjuncts {
  const expressions = [...conjuncts.values()];
  return {
    rules: [...conjuncts.keys()],
    conditions: compileRules(expressions, context.environment),
    build: activationBuilder(context.profile, context.place, expressions.flat()),
    source: { rules: expressions, environment: context.environment },
  };
}

type RuleConjuncts = ReadonlyMap<number, readonly TypedAst[]>;

function calls({ references }: TypedAst, overloads: ReadonlySet<string>): boolean {
  return references.some(one => one?.kind === 'function' && one.overloads.some(({ id }) => overloads.has(id)));
}
