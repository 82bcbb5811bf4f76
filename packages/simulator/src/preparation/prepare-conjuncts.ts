import type { EvaluationContext, Profile } from '@tollgate/catalog';
import type { Environment, TypedAst } from '@tollgate/cel';
import { activationBuilder } from '../values/build-activation.ts';
import { compileRules } from './compile-rules.ts';
import type { PreparedConjuncts } from './condition-column.ts';
import { conjunctsByInput } from './conjuncts-by-input.ts';

/** Where the rules are. */
interface ConjunctsContext {
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
