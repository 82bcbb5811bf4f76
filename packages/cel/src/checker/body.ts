import type { Expr } from '../ast/ast.ts';
import type { Overload } from '../ast/declaration.ts';
import { childrenOf } from '../ast/map-children.ts';
import type { TypedAst } from '../ast/typed-ast.ts';
import { parse } from '../syntax/parse.ts';
import { isAssignable } from '../types/assignable.ts';
import { formatType } from '../types/format.ts';
import { check } from './check.ts';
import type { CheckEnvironment } from './context/check-context.ts';

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
