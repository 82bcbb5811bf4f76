import type { TypedAst } from '../checker/typed-ast.ts';
import type { Environment } from '../environment.ts';
import { type PreparedAst, prepare } from '../preparation/prepare.ts';
import { BUILT_IN_IMPLEMENTATIONS } from '../runtime/built-in-implementations.ts';
import { CodeBuffer } from './code-buffer.ts';
import { nodeCondition } from './condition-code.ts';
import { declareSteps } from './context-code.ts';
import { emit, type Generation, staticType } from './generation.ts';
import { hoistPaths } from './hoisting.ts';
import type { ModuleScope } from './module-scope.ts';
import { ACTIVATION } from './path-code.ts';
import { tagged } from './representation-code.ts';
import { RUNTIME } from './runtime-names.ts';
import { nodeValue } from './value-code.ts';
import { wholeValue } from './whole-code.ts';

/** Starts the generation of a function; `typed` is its first expression. */
export function startFunction(scope: ModuleScope, typed: PreparedAst, env: Environment): Generation {
  return {
    scope,
    env,
    implementationOf: id => env.implementations.get(id) ?? BUILT_IN_IMPLEMENTATIONS.get(id),
    runtime: RUNTIME,
    typed,
    code: new CodeBuffer(),
    names: 0,
    counted: false,
    depth: 0,
    locals: new Map(),
    places: new Map(),
    localPlaces: new Map(),
    pathsOfNodes: [],
    value: nodeValue,
    condition: nodeCondition,
  };
}

/** The source of a function from an activation to the tagged value of the expression, or what it gives instead. */
export function functionCode(scope: ModuleScope, typed: TypedAst, env: Environment): string {
  const prepared = prepare(typed, env);
  const g = startFunction(scope, prepared, env);
  const { root } = prepared.ast;
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
