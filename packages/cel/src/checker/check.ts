// The checker: gives each node of a tree its type and each call its overloads, and reports every error. Also checks bodies of functions.

import { type Diagnostic, unreachable } from '@tollgate/diagnostics';
import { type Ast, childrenOf, type Expr, type Overload, type TypedAst, type VariableDecl } from '../ast/ast.ts';
import {
  createBindings,
  DYN,
  ERROR_TYPE,
  formatType,
  isAssignable,
  resolveFinally,
  STRING,
  type Type,
} from '../ast/types.ts';
import { parse } from '../syntax/parse.ts';
import { readDualValues } from './constants.ts';
import {
  inferComprehension,
  inferIdent,
  inferList,
  inferLiteral,
  inferMap,
  inferSelect,
  inferStruct,
} from './infer.ts';
import { inferCall } from './infer-call.ts';
import { type CheckContext, type CheckEnvironment, declareLocal, finish } from './report.ts';

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
  if (c.diagnostics.length === 0) return { typed, diagnostics: NO_DIAGNOSTICS };
  return { typed, diagnostics: finish(c.diagnostics, env.limits.maxDiagnostics, ast.root.range) };
}

const NO_DIAGNOSTICS: readonly Diagnostic[] = [];
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

/** The body of an overload, checked with its parameters as local names of scope 0. */
export interface CheckedBody {
  readonly overload: Overload;
  readonly paramNames: readonly string[];
  readonly typed: TypedAst;
  /** Names of the body's own iteration variables and bindings. */
  readonly localNames: ReadonlySet<string>;
}

/** Returns the checked body of an overload, by its id; undefined if it has none. */
export type BodyOf = (id: string) => CheckedBody | undefined;

/**
 * Returns a function that looks up the bodies of overloads and checks each on first use. It throws a `TypeError` for a body that does not
 * check or whose type differs from the declared one.
 */
export function bodiesOf(overloads: readonly Overload[], env: CheckEnvironment, inherited: BodyOf): BodyOf {
  const declared = new Map(overloads.flatMap(overload => (overload.body ? [[overload.id, overload] as const] : [])));
  if (declared.size === 0) return inherited;
  const checked = new Map<string, CheckedBody>();
  return id => {
    const overload = declared.get(id);
    if (overload?.body === undefined) return inherited(id);
    const known = checked.get(id) ?? checkBody(overload, overload.body, env);
    checked.set(id, known);
    return known;
  };
}

/** Throws a `TypeError` for the first of the overloads whose body does not check or calls itself. */
export function proveBodies(overloads: readonly Overload[], bodyOf: BodyOf): void {
  const withBody = overloads.filter(overload => overload.body !== undefined);
  for (const { id } of withBody) bodyOf(id);
  for (const { id } of withBody) rejectRecursion(id, bodyOf, []);
}

function checkBody(overload: Overload, body: NonNullable<Overload['body']>, env: CheckEnvironment): CheckedBody {
  const { paramNames, source } = body;
  if (paramNames.length !== overload.params.length) {
    throw new TypeError(
      `the body of \`${overload.id}\` has ${paramNames.length} parameters, not ${overload.params.length}`,
    );
  }
  const locals = paramNames.map((name, i) => ({ name, type: overload.params[i]! }));
  const { ast, diagnostics } = parse(source, env);
  const { typed, diagnostics: found } = check(ast, env, locals);
  const error = [...diagnostics, ...found].find(({ severity }) => severity === 'error');
  if (error !== undefined) throw new TypeError(`the body of \`${overload.id}\` does not check: ${error.message}`);
  if (!isAssignable(overload.result, typed.resultType)) {
    const types = `${formatType(typed.resultType)}, not ${formatType(overload.result)}`;
    throw new TypeError(`the body of \`${overload.id}\` returns ${types}`);
  }
  return { overload, paramNames, typed, localNames: new Set(localNamesOf(ast.root)) };
}

function localNamesOf(expr: Expr): string[] {
  const own = expr.kind === 'comprehension' ? [expr.iterVar, expr.iterVar2 ?? expr.iterVar, expr.accuVar] : [];
  return [...own, ...childrenOf(expr).flatMap(localNamesOf)];
}

function rejectRecursion(id: string, bodyOf: BodyOf, callers: readonly string[]): void {
  if (callers.includes(id)) throw new TypeError(`the body of \`${id}\` calls itself: ${[...callers, id].join(' → ')}`);
  for (const reference of bodyOf(id)?.typed.references ?? []) {
    if (reference?.kind !== 'function') continue;
    for (const { id: called } of reference.overloads) rejectRecursion(called, bodyOf, [...callers, id]);
  }
}
