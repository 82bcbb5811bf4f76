import type { TypedAst } from '../ast/typed-ast.ts';
import type { Environment } from '../environment/environment.ts';
import type { Activation } from '../environment/program.ts';
import type { NonValue } from '../values/value.ts';
import { conditionsCode } from './conditions-code.ts';
import { instantiate } from './instantiate.ts';
import { createModuleScope } from './scope/module-scope.ts';

/** The conditions of many rules, compiled together. */
export interface Conditions {
  /** Sets `results[i]` to whether rule `i` matches, or to the error or unknown that leaves it undecided. Never throws. */
  readonly evaluateAll: (activation: Activation, results: (boolean | NonValue)[]) => void;
}

/**
 * Compiles the conditions of rules, each the conjunction of its expressions (true if there are none), to one function that reads shared
 * inputs once. The expression id of an error refers to the expression it comes from. Uses `new Function`; see {@link compileToJavaScript}.
 */
export function compileConditions(rules: readonly (readonly TypedAst[])[], env: Environment): Conditions {
  const scope = createModuleScope();
  const code = conditionsCode(scope, rules, env);
  return { evaluateAll: instantiate(scope, code) as Conditions['evaluateAll'] };
}
