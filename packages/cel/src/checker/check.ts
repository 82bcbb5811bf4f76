import type { Diagnostic } from '@tollgate/diagnostics';
import { unreachable } from '@tollgate/diagnostics';
import type { Ast, Expr } from '../ast/ast.ts';
import type { VariableDecl } from '../ast/declaration.ts';
import type { TypedAst } from '../ast/typed-ast.ts';
import { DYN, ERROR_TYPE, STRING, type Type } from '../types/type.ts';
import { createBindings, resolveFinally } from '../types/unification.ts';
import { readDualValues } from './constants/dual-values.ts';
import { type CheckContext, type CheckEnvironment, declareLocal } from './context/check-context.ts';
import { inferCall } from './inference/infer-call.ts';
import { inferComprehension } from './inference/infer-comprehension.ts';
import { inferList, inferLiteral, inferMap } from './inference/infer-literal.ts';
import { inferIdent, inferSelect } from './inference/infer-select.ts';
import { inferStruct } from './inference/infer-struct.ts';
import { finish } from './report/report.ts';

/** A checked tree and its diagnostics. */
export interface CheckResult {
  readonly typed: TypedAst;
  /** In source order. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Assigns a type to every node and a reference to every name and call. Reports all errors in one pass: a node with an error, or one that
 * could not be parsed, has the error type, which suppresses consequential errors.
 *
 * @param locals names that hide those of the environment; their references have scope 0
 */
export function check(ast: Ast, env: CheckEnvironment, locals: readonly VariableDecl[] = NO_LOCALS): CheckResult {
  const c: CheckContext = {
    env,
    source: ast.source,
    types: new Array<Type | undefined>(ast.nextId),
    references: new Array(ast.nextId),
    bindings: createBindings(),
    diagnostics: [],
    openVariables: undefined,
    infer,
    inferWhole,
    stringIds: undefined,
    scope: undefined,
  };
  for (const { name, type } of locals) declareLocal(c, name, type, 0);
  infer(c, ast.root);
  settleTypes(c);
  const checked = { ast, resultType: c.types[ast.root.id] ?? DYN, types: c.types, references: c.references };
  const typed = c.stringIds === undefined ? checked : readDualValues(checked, c.stringIds, env);
  if (c.diagnostics.length === 0) return { typed, diagnostics: NONE };
  return { typed, diagnostics: finish(c.diagnostics, env.limits.maxDiagnostics, ast.root.range) };
}

const NONE: readonly Diagnostic[] = [];
const NO_LOCALS: readonly VariableDecl[] = [];

function infer(c: CheckContext, expr: Expr): Type {
  const type = inferWhole(c, expr);
  if (type.kind !== 'object' || c.env.objects.get(type.name)?.stringKey === undefined) return type;
  c.stringIds ??= new Set();
  c.stringIds.add(expr.id);
  return STRING;
}

function inferWhole(c: CheckContext, expr: Expr): Type {
  const type = inferKind(c, expr);
  c.types[expr.id] = type;
  return type;
}

function inferKind(c: CheckContext, expr: Expr): Type {
  switch (expr.kind) {
    case 'literal':
      return inferLiteral(expr);
    case 'ident':
      return inferIdent(c, expr);
    case 'select':
      return inferSelect(c, expr);
    case 'call':
      return inferCall(c, expr);
    case 'list':
      return inferList(c, expr);
    case 'map':
      return inferMap(c, expr);
    case 'struct':
      return inferStruct(c, expr);
    case 'comprehension':
      return inferComprehension(c, expr);
    case 'error':
      return ERROR_TYPE;
    default:
      return unreachable(expr);
  }
}

/** Replaces type variables by what they were inferred to be, or by dyn. */
function settleTypes(c: CheckContext): void {
  if (c.bindings.types.length === 0) return;
  for (let id = 0; id < c.types.length; id++) {
    const type = c.types[id];
    if (type !== undefined) c.types[id] = resolveFinally(c.bindings, type);
  }
}
