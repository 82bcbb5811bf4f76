// Generated code for the value of any node.

import type { Expr, IdentExpr, LiteralExpr, SelectExpr } from '../ast/ast.ts';
import { DOUBLE, DYN, type Type, UINT } from '../ast/types.ts';
import type { Constant } from '../lowering/fold-constants.ts';
import { CidrRange, IpAddress, Timestamp } from '../values/value.ts';
import { callValue, listValue, mapValue, selectValue, structValue } from './calls.ts';
import { decisionOf } from './conditions.ts';
import { comprehensionValue } from './loops.ts';
import { pathOf, pathValue } from './paths.ts';
import {
  constant,
  type Decision,
  dataCode,
  doubleCode,
  emit,
  errorConstant,
  type Fail,
  fresh,
  type Generation,
  integerCode,
  type ModuleScope,
  runtimeName,
  stringCode,
  tagged,
} from './scope.ts';

/** Emits a node; see `Generation.value`. */
export function nodeValue(g: Generation, node: Expr, fail: Fail): string {
  const known = g.typed.constants.get(node.id);
  if (known !== undefined) return knownValue(g, known);
  const path = pathOf(g, node);
  if (path !== undefined) return pathValue(g, path, node, fail);
  const decision = decisionOf(g, node);
  if (decision !== undefined) return decidedValue(g, decision, fail);
  switch (node.kind) {
    case 'literal':
      return literalValue(g, node);
    case 'ident':
      return nameValue(g, node) ?? undeclared(g, node, fail);
    case 'select':
      return nameValue(g, node) ?? selectValue(g, node, fail);
    case 'call':
      return callValue(g, node, fail);
    case 'list':
      return listValue(g, node, fail);
    case 'map':
      return mapValue(g, node, fail);
    case 'struct':
      return structValue(g, node, fail);
    case 'comprehension':
      return comprehensionValue(g, node, fail);
    case 'error':
      return failing(
        g,
        errorConstant(g.scope, 'eval/syntax-error', 'this part of the expression has a syntax error', node.id),
        fail,
      );
  }
}

/** Emits an exit with an error, and returns a placeholder for the value. */
function failing(g: Generation, error: string, fail: Fail): string {
  // A block rather than a bare jump, so that the following unreachable code is not reported.
  emit(g, `{${fail(error)}}\n`);
  return 'undefined';
}

/** Returns a variable that holds the result of a decision. */
function decidedValue(g: Generation, decision: Decision, fail: Fail): string {
  const name = fresh(g, 'v');
  const done = fresh(g, 'L');
  emit(g, `let ${name};${done}:{`);
  const leave = (value: string) => `${name}=${value};break ${done};`;
  decision({ whenTrue: leave('true'), whenFalse: leave('false'), fail });
  emit(g, '}\n');
  return name;
}

function literalValue(g: Generation, { literal, id }: LiteralExpr): string {
  const type = g.typed.types[id] ?? DYN;
  switch (literal.type) {
    case 'null':
    case 'bool':
      return String(literal.value);
    case 'int':
      return integerCode(literal.value);
    case 'uint':
      return constantTagged(g, integerCode(literal.value), UINT, type);
    case 'double':
      return constantTagged(g, doubleCode(literal.value), DOUBLE, type);
    case 'string':
      return stringCode(literal.value);
    case 'bytes':
      return constant(g.scope, `new Uint8Array([${literal.value.join(',')}])`);
  }
}

/** A literal of a dynamic type is tagged once. */
function constantTagged(g: Generation, code: string, from: Type, to: Type): string {
  return to.kind === from.kind ? code : constant(g.scope, tagged(g, code, from));
}

/** Returns the value of a name that is not in the activation: a type. */
function nameValue(g: Generation, node: IdentExpr | SelectExpr): string | undefined {
  const reference = g.typed.references[node.id];
  if (reference?.kind !== 'type') return undefined;
  return constant(g.scope, `${runtimeName(g.scope, 'typeValueOf')}(${dataCode(reference.type)})`);
}

function undeclared(g: Generation, node: IdentExpr, fail: Fail): string {
  const message = `\`${node.name}\` is not declared`;
  return failing(g, errorConstant(g.scope, 'eval/undeclared-reference', message, node.id), fail);
}

/** Returns the name of a module constant that holds a value computed before code generation. */
function knownValue({ scope }: Generation, value: Constant): string {
  return constant(scope, making(scope, value));
}

function making(scope: ModuleScope, value: Constant): string {
  if (value instanceof IpAddress) return made(scope, 'IpAddress', `new Uint8Array([${value.bytes.join(',')}])`);
  if (value instanceof CidrRange) return made(scope, 'CidrRange', `${making(scope, value.ip)},${value.prefixLength}`);
  const name = value instanceof Timestamp ? 'Timestamp' : 'Duration';
  return made(scope, name, `${value.seconds},${value.nanos}`);
}

function made(scope: ModuleScope, name: string, args: string): string {
  return `new ${runtimeName(scope, name)}(${args})`;
}
