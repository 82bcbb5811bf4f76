import type { TypedAst } from '../ast/typed-ast.ts';
import type { Environment } from '../environment/environment.ts';
import type { Program } from '../environment/program.ts';
import { functionCode } from './function-code.ts';
import { instantiate } from './instantiate.ts';
import { createModuleScope } from './scope/module-scope.ts';

/**
 * Compiles a checked expression to a JavaScript function that runs at the speed of hand-written code. Uses `new Function`; where a
 * content-security policy forbids that, use `compileClosures` or `emitModule`.
 */
export function compileToJavaScript(typed: TypedAst, env: Environment): Program {
  const scope = createModuleScope();
  const code = functionCode(scope, typed, env);
  return { evaluate: instantiate(scope, code) as Program['evaluate'] };
}
