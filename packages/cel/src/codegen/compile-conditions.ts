import type { TypedAst } from '../ast/typed-ast.ts';
import type { Environment } from '../environment/environment.ts';
import type { Activation } from '../environment/program.ts';
import type { NonValue } from '../values/value.ts';
import { conditionsCode } from './conditions-code.ts';
import { instantiate } from './instantiate.ts';
import { createModuleScope } from './scope/module-scope.ts';

/** The conditions of many rules, compiled together. */
export interface Conditions {
  /** Sets `results[i]` to whether rule `i` matches, or to the error or unknown that leaves it open. Never throws. */
  readonly evaluateAll: (activation: Activation, results: (boolean | NonValue)[]) => void;
}

/**
 * Compiles the conditions of rules, each the conjunction of its expressions (none always holds), to one function in which
 * what several expressions read is read once. An error carries the expression id within the expression that it stems from.
 * Uses `new Function`; see {@link compileToJavaScript}.
 */
export function compileConditions(rules: readonly (readonly TypedAst[])[], env: Environment): Conditions {
  const scope = createModuleScope();
  const code = conditionsCode(scope, rules, env);
  return { evaluateAll: instantiate(scope, code) as Conditions['evaluateAll'] };
}
