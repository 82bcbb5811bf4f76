import type { EvaluationContext, Profile } from '@tollgate/catalog';
import type { Environment, TypedAst } from '@tollgate/cel';
import { activationBuilder } from '../values/build-activation.ts';
import { compileRules } from './compile-rules.ts';
import type { PreparedShares } from './condition-column.ts';
import { ruleShares } from './rule-shares.ts';

/** Where rules stand. */
interface SharesContext {
  readonly profile: Profile;
  readonly environment: Environment;
  readonly place: EvaluationContext;
}

/** Makes the shares of rules ready to run; undefined where a condition may give something else each time. */
export function prepareShares(
  rules: readonly (readonly TypedAst[])[],
  { profile, environment, place }: SharesContext,
): readonly PreparedShares[] | undefined {
  const added = new Set(profile.functions.flatMap(fact => (fact.implementation ? fact.overloadId : [])));
  if (rules.flat().some(typed => calls(typed, added))) return undefined;
  return ruleShares(rules).map(({ shares }) => ready(shares, { profile, environment, place }));
}

function ready(shares: Shares, context: SharesContext): PreparedShares {
  const expressions = [...shares.values()];
  return {
    rules: [...shares.keys()],
    conditions: compileRules(expressions, context.environment),
    build: activationBuilder(context.profile, context.place, expressions.flat()),
    shares,
    joinedWith: others => ready(joined([shares, ...others]), context),
  };
}

type Shares = PreparedShares['shares'];

function joined(all: readonly Shares[]): Shares {
  const found = new Map<number, TypedAst[]>();
  for (const [rule, share] of all.flatMap(shares => [...shares]))
    found.set(rule, [...(found.get(rule) ?? []), ...share]);
  return found;
}

function calls({ references }: TypedAst, overloads: ReadonlySet<string>): boolean {
  return references.some(one => one?.kind === 'function' && one.overloads.some(({ id }) => overloads.has(id)));
}
