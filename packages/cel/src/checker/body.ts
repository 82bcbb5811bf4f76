import type { Overload } from '../library/declaration.ts';
import type { Expr } from '../syntax/ast.ts';
import { parse } from '../syntax/parse.ts';
import { isAssignable } from '../types/assignable.ts';
import { formatType } from '../types/format.ts';
import { check } from './check.ts';
import type { CheckingEnvironment } from './checking.ts';
import { childrenOf } from './map-children.ts';
import type { TypedAst } from './typed-ast.ts';

/** The body of an overload, checked with its parameters as local names of scope 0. */
export interface CheckedBody {
  readonly overload: Overload;
  readonly paramNames: readonly string[];
  readonly typed: TypedAst;
  /** Names that the body itself gives to iteration variables and the like. */
  readonly localNames: ReadonlySet<string>;
}

/**
 * Checks the bodies of those overloads that have one. Throws a `TypeError` for a body that does not check, is of another type than
 * declared, or calls itself.
 */
export function checkBodies(
  overloads: readonly Overload[],
  env: CheckingEnvironment,
): ReadonlyMap<string, CheckedBody> {
  const bodies = new Map<string, CheckedBody>();
  for (const overload of overloads) {
    if (overload.body !== undefined) bodies.set(overload.id, checkBody(overload, overload.body, env));
  }
  for (const id of bodies.keys()) rejectRecursion(id, bodies, []);
  return bodies;
}

function checkBody(overload: Overload, body: NonNullable<Overload['body']>, env: CheckingEnvironment): CheckedBody {
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
    throw new TypeError(`the body of \`${overload.id}\` gives ${types}`);
  }
  return { overload, paramNames, typed, localNames: new Set(localNamesOf(ast.root)) };
}

function localNamesOf(expr: Expr): string[] {
  const own = expr.kind === 'comprehension' ? [expr.iterVar, expr.iterVar2 ?? expr.iterVar, expr.accuVar] : [];
  return [...own, ...childrenOf(expr).flatMap(localNamesOf)];
}

function rejectRecursion(id: string, bodies: ReadonlyMap<string, CheckedBody>, callers: readonly string[]): void {
  if (callers.includes(id)) throw new TypeError(`the body of \`${id}\` calls itself: ${[...callers, id].join(' → ')}`);
  for (const reference of bodies.get(id)?.typed.references ?? []) {
    if (reference?.kind !== 'function') continue;
    for (const { id: called } of reference.overloads) {
      if (bodies.has(called)) rejectRecursion(called, bodies, [...callers, id]);
    }
  }
}
