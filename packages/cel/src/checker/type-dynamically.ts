import { unreachable } from '@tollgate/diagnostics';
import type { Ast, CallExpr, ComprehensionExpr, Expr, SelectExpr, TypedAst } from '../ast/ast.ts';
import {
  BOOL,
  createBindings,
  DYN,
  listOf,
  mapOf,
  objectType,
  resolveFinally,
  type Type,
  typesEqual,
} from '../ast/types.ts';
import type { Candidate } from '../library/library.ts';
import { declareIterationVariables, inferLiteral, inferSlots, qualifiedNameOf, resolveName, slotsOf } from './infer.ts';
import { type CheckContext, type CheckEnvironment, declareLocal, findLocal } from './report.ts';

/**
 * Types a tree without checking it: only what is certain has a type, all else is dyn. Calls keep every overload with the same name and
 * number of arguments, so the values decide. Undeclared names have no reference and fail when they are evaluated.
 */
export function typeDynamically(ast: Ast, env: CheckEnvironment): TypedAst {
  const c: CheckContext = {
    env,
    source: ast.source,
    types: new Array<Type | undefined>(ast.nextId),
    references: new Array(ast.nextId),
    bindings: createBindings(),
    diagnostics: [],
    openVariables: undefined,
    infer,
    inferWhole: infer,
    stringIds: undefined,
    scope: undefined,
  };
  return { ast, resultType: infer(c, ast.root), types: c.types, references: c.references };
}

function infer(c: CheckContext, expr: Expr): Type {
  const type = inferKind(c, expr);
  c.types[expr.id] = type;
  return type;
}

function inferKind(c: CheckContext, expr: Expr): Type {
  switch (expr.kind) {
    case 'literal':
      return inferLiteral(expr);
    case 'ident':
      return inferName(c, expr, expr.name) ?? DYN;
    case 'select':
      return inferSelect(c, expr);
    case 'call':
      return inferCall(c, expr);
    case 'list':
      for (const element of expr.elements) infer(c, element);
      return listOf(DYN);
    case 'map':
      for (const entry of expr.entries) {
        infer(c, entry.key);
        infer(c, entry.value);
      }
      return mapOf(DYN, DYN);
    case 'struct': {
      for (const field of expr.fields) infer(c, field.value);
      const object = resolveName(c.env, expr.typeName, c.env.objects);
      return object === undefined ? DYN : objectType(object.name);
    }
    case 'comprehension':
      return inferComprehension(c, expr);
    case 'error':
      return DYN;
    default:
      return unreachable(expr);
  }
}

function inferName(c: CheckContext, expr: Expr, name: string): Type | undefined {
  const local = expr.kind === 'ident' ? findLocal(c, name) : undefined;
  const found = local ?? resolveName(c.env, name, c.env.index.variables);
  if (found !== undefined) c.references[expr.id] = found.reference;
  return found && resolveFinally(c.bindings, found.type);
}

function inferSelect(c: CheckContext, expr: SelectExpr): Type {
  const name = expr.testOnly ? undefined : qualifiedNameOf(c, expr);
  const qualified = name === undefined ? undefined : inferName(c, expr, name);
  if (qualified !== undefined) return qualified;
  const operand = infer(c, expr.operand);
  if (expr.testOnly) return BOOL;
  const object = operand.kind === 'object' ? c.env.objects.get(operand.name) : undefined;
  return object?.fields.get(expr.field)?.type ?? DYN;
}

function inferCall(c: CheckContext, call: CallExpr): Type {
  const outer = c.scope;
  const slots = slotsOf(call);
  if (slots !== undefined) inferSlots(c, slots, call.id);
  for (const arg of call.args) if (arg !== slots) infer(c, arg);
  c.scope = outer;
  return resolveCall(c, call);
}

function resolveCall(c: CheckContext, call: CallExpr): Type {
  const { target, args } = call;
  if (target !== undefined) {
    const namespace = qualifiedNameOf(c, target);
    const name = `${namespace}.${call.function}`;
    const qualified = namespace === undefined ? undefined : resolveName(c.env, name, c.env.index.callables);
    if (qualified !== undefined) return refer(c, call, qualified.global[args.length]?.all);
    infer(c, target);
  }
  const callable = resolveName(c.env, call.function, c.env.index.callables);
  return refer(c, call, (target === undefined ? callable?.global : callable?.member)?.[args.length]?.all);
}

/** Uses the result type of the overloads if they agree on it. */
function refer(c: CheckContext, call: CallExpr, candidates: readonly Candidate[] | undefined): Type {
  const first = candidates?.[0];
  if (candidates === undefined || first === undefined) return DYN;
  c.references[call.id] =
    candidates.length === 1
      ? first.reference
      : { ...first.reference, overloads: candidates.map(candidate => candidate.overload) };
  const results = candidates.map(candidate => resolveFinally(c.bindings, candidate.result));
  return results.every(type => typesEqual(type, results[0]!)) ? results[0]! : DYN;
}

function inferComprehension(c: CheckContext, expr: ComprehensionExpr): Type {
  const range = infer(c, expr.iterRange);
  const accu = infer(c, expr.accuInit);
  const outer = c.scope;
  declareLocal(c, expr.accuVar, accu, expr.id);
  const withAccu = c.scope;
  declareIterationVariables(c, expr, range);
  infer(c, expr.loopCondition);
  infer(c, expr.loopStep);
  c.scope = withAccu;
  const result = infer(c, expr.result);
  c.scope = outer;
  return result;
}
