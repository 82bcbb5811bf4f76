import type { TypedAst } from '../ast/typed-ast.ts';
import type { Environment } from '../environment/environment.ts';
import { type LoweredAst, lower } from '../lowering/lower.ts';
import { nodeCondition } from './conditions/condition-code.ts';
import { hoistPaths } from './paths/hoisting.ts';
import { ACTIVATION } from './paths/path-code.ts';
import { CodeBuffer } from './scope/code-buffer.ts';
import { declareSteps } from './scope/context-code.ts';
import { emit, type Generation, staticType } from './scope/generation.ts';
import type { ModuleScope } from './scope/module-scope.ts';
import { tagged } from './scope/representation-code.ts';
import { RUNTIME } from './scope/runtime-names.ts';
import { wholeValue } from './scope/whole-code.ts';
import { nodeValue } from './value-code.ts';

/** Starts generating a function; `typed` is its first expression. */
export function startFunction(scope: ModuleScope, typed: LoweredAst, env: Environment): Generation {
  return {
    scope,
    env,
    implementationOf: id => env.implementations.get(id) ?? env.libraryImplementations.get(id),
    runtime: RUNTIME,
    typed,
    code: new CodeBuffer(),
    names: 0,
    counted: false,
    depth: 0,
    locals: new Map(),
    pathTrie: new Map(),
    localPathTrie: new Map(),
    pathsOfNodes: [],
    value: nodeValue,
    condition: nodeCondition,
  };
}

/** Returns the source of a function from an activation to the tagged value of the expression, an error or an unknown. */
export function functionCode(scope: ModuleScope, typed: TypedAst, env: Environment): string {
  const lowered = lower(typed, env);
  const g = startFunction(scope, lowered, env);
  const { root } = lowered.ast;
  const fail = (nonValue: string) => `return ${nonValue};`;
  hoistPaths(g, visit => visit(root));
  if (staticType(g, root).kind === 'bool') {
    g.condition(g, root, { whenTrue: 'return true;', whenFalse: 'return false;', fail }, root.id);
  } else {
    const value = wholeValue(g, root, fail);
    emit(g, `return ${tagged(g, value, staticType(g, root))};`);
  }
  return `function evaluate(${ACTIVATION}){\n${declareSteps(g)}${g.code}}`;
}
