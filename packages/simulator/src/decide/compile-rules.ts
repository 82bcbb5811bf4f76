import { type Conditions, compileConditions, type Environment, indexConditions, type TypedAst } from '@tollgate/cel';

/** From so many rules on, looking up those that may match takes less time than evaluating all. */
export const MANY_RULES = 64;

/** Compiles the conditions of a phase's rules in the way that suits their number. */
export function compileRules(rules: readonly (readonly TypedAst[])[], environment: Environment): Conditions {
  if (rules.length < MANY_RULES) return compileConditions(rules, environment);
  const indexed = indexConditions(rules, environment);
  return {
    evaluateAll: (activation, results) => {
      results.length = 0;
      for (let rule = 0; rule < rules.length; rule++) results.push(false);
      indexed.evaluate(activation, (rule, result) => {
        results[rule] = result;
        return true;
      });
    },
  };
}
