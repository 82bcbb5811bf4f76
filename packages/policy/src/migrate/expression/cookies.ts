import type { CallExpr, Expr } from '@tollgate/cel';
import { ownValue } from '@tollgate/diagnostics';
import { COOKIE_FIELDS } from './counterparts.ts';
import { giveUp, pathOf, type Rewriting, replace, textOf, warn } from './expression-rewriter.ts';

/** Macros whose result does not depend on the order of cookies. */
const ORDERLESS: ReadonlySet<string> = new Set(['exists', 'exists_one', 'all']);

type Side = 'request' | 'response';

/** Rewrites a list of cookies as an expression over the new profile's map. */
export function rewriteCookies(rewriting: Rewriting, expr: Expr, path: string): void {
  warn(rewriting, expr, 'migrate/cookie-order', 'cookies were in the order of the header and are now grouped by name');
  replaceByList(rewriting, expr, path);
}

/**
 * Rewrites a macro over cookies. `req.Cookies.exists(c, c.Name == 'id')` becomes `hasReqCookie('id')`, and the result is true. Otherwise
 * rewrites only the list, and the body still has to be visited.
 */
export function rewriteCookieLoop(
  rewriting: Rewriting,
  macro: CallExpr,
  { id, path }: { readonly id: number; readonly path: string },
): boolean {
  const name =
    macro.function === 'exists' && macro.args.length === 2 ? comparedName(macro.args[1]!, macro.args[0]!) : undefined;
  if (name) {
    const { source } = rewriting.ast;
    const written = source.slice(name.range.start, name.range.end);
    const whole = { start: macro.target!.range.start, end: macro.range.end };
    replace(rewriting, whole, `${path.startsWith('req') ? 'hasReqCookie' : 'hasResCookie'}(${written})`);
    return true;
  }
  rewriting.cookieLoops.set(id, path.startsWith('req') ? 'request' : 'response');
  if (ORDERLESS.has(macro.function)) replaceByList(rewriting, macro.target!, path);
  else rewriteCookies(rewriting, macro.target!, path);
  return false;
}

/** Rewrites a list of cookies whose order does not matter. */
export function replaceByList(rewriting: Rewriting, expr: Expr, path: string): void {
  const { to } = rewriting.counterparts.variables[path]!;
  replace(rewriting, expr.range, `${to}.map(name, ${to}[name]).flatten()`);
}

/** Returns the literal in `c.Name == 'id'`, where `c` is the macro's variable. */
function comparedName(body: Expr, variable: Expr): Expr | undefined {
  if (body.kind !== 'call' || body.function !== '_==_' || variable.kind !== 'ident') return undefined;
  const [left, right] = body.args as [Expr, Expr];
  const isName = (one: Expr) =>
    one.kind === 'select' && one.field === 'Name' && one.operand.kind === 'ident' && one.operand.name === variable.name;
  if (isName(left) && textOf(right) !== undefined) return right;
  return isName(right) && textOf(left) !== undefined ? left : undefined;
}

/** Renames a field of a cookie. Returns false if the expression is not one; its operand still has to be visited. */
export function rewriteCookieField(rewriting: Rewriting, expr: Extract<Expr, { kind: 'select' }>): boolean {
  const type = rewriting.typed.types[expr.operand.id];
  if (type?.kind !== 'object' || type.name !== 'cookie') return false;
  const known = ownValue(COOKIE_FIELDS, expr.field);
  if (expr.field === 'MaxAge') rewriteMaxAge(rewriting, expr);
  else if (!known || (sideOf(rewriting, expr.operand) === 'request' && !known.isOfRequests)) {
    giveUp(rewriting, expr.fieldRange, 'migrate/no-counterpart', `\`${expr.field}\` of this cookie has no counterpart`);
  } else replace(rewriting, expr.fieldRange, known.to);
  return true;
}

/** The number of seconds is now a duration, absent for a cookie without a maximum age, which had 0. */
function rewriteMaxAge(rewriting: Rewriting, expr: Extract<Expr, { kind: 'select' }>): void {
  warn(
    rewriting,
    { range: expr.fieldRange },
    'migrate/cookie-max-age',
    '`MaxAge` was 0 if not set and -1 for a deleted cookie; `max_age` is a duration, or absent',
  );
  replace(rewriting, expr.fieldRange, 'max_age.getSeconds()');
}

/** Returns whether a value is a cookie of the request or of the response, if the expression shows it. */
function sideOf(rewriting: Rewriting, expr: Expr): Side | undefined {
  const macro = rewriting.ast.macroCalls.get(expr.id);
  if (macro?.target) return sideOf(rewriting, macro.target);
  if (expr.kind === 'ident') {
    const reference = rewriting.typed.references[expr.id];
    return reference?.kind === 'local' ? rewriting.cookieLoops.get(reference.scope) : undefined;
  }
  if (expr.kind === 'select') return pathOf(rewriting, expr)?.startsWith('res') ? 'response' : 'request';
  if (expr.kind !== 'call') return undefined;
  if (expr.function === 'getReqCookie') return 'request';
  if (expr.function === 'getResCookie') return 'response';
  const from = expr.target ?? expr.args[0];
  return from && sideOf(rewriting, from);
}
