import { type CallExpr, type Environment, type Expr, parse, type TypedAst } from '@tollgate/cel';
import { childrenOf } from '@tollgate/cel/tooling';
import type { TextEdit } from '@tollgate/diagnostics';
import { replaceByList, rewriteCookieField, rewriteCookieLoop, rewriteCookies } from './cookies.ts';
import {
  COOKIE_LISTS,
  type Counterparts,
  HEADER_FUNCTIONS,
  HEADER_MAPS,
  STATUS,
  TLS_VERSIONS,
} from './counterparts.ts';
import {
  giveUp,
  type Loss,
  pathOf,
  type RewriteOperand,
  type Rewriting,
  replace,
  warn,
} from './expression-rewriter.ts';
import { rewriteHeaderKey, rewriteHeaderName, warnOfKeys } from './header-keys.ts';
import { rewriteStatus } from './status.ts';
import { rewriteTlsVersion } from './tls-version.ts';

/** The edits that migrate an expression, and its losses. Ranges are relative to the expression. */
export interface RewrittenExpression {
  readonly edits: readonly TextEdit[];
  readonly losses: readonly Loss[];
}

/** Migrates an expression that was checked in `environment`. Takes linear time. */
export function rewriteExpression(
  typed: TypedAst,
  environment: Environment,
  counterparts: Counterparts,
): RewrittenExpression {
  // The checked tree includes conversions of open values; ids are the same.
  const { ast } = parse(typed.ast.source, environment);
  const rewriting: Rewriting = { ast, typed, counterparts, edits: [], losses: [], cookieLoops: new Map() };
  visit(rewriting, ast.root);
  return rewriting;
}

function visit(rewriting: Rewriting, expr: Expr): void {
  const macro = rewriting.ast.macroCalls.get(expr.id);
  if (macro) visitMacro(rewriting, macro, expr.id);
  else if (!visitPath(rewriting, expr) && !visitSelect(rewriting, expr) && !visitCall(rewriting, expr)) {
    visitAll(rewriting, childrenOf(expr));
  }
}

function visitAll(rewriting: Rewriting, exprs: readonly (Expr | undefined)[]): void {
  for (const expr of exprs) if (expr) visit(rewriting, expr);
}

/** Skips the variables of a macro: they are not references. */
function visitMacro(rewriting: Rewriting, macro: CallExpr, id: number): void {
  if (visitPresence(rewriting, macro)) return;
  const target = macro.target && pathOf(rewriting, macro.target);
  const body = macro.args.filter(arg => arg.kind !== 'ident' || pathOf(rewriting, arg) !== undefined);
  if (target !== undefined && COOKIE_LISTS.has(target)) {
    if (rewriteCookieLoop(rewriting, macro, { id, path: target })) return;
  } else if (target !== undefined && HEADER_MAPS.has(target)) {
    warnOfKeys(rewriting, macro.target!);
    rename(rewriting, macro.target!, target);
  } else visitAll(rewriting, [macro.target]);
  visitAll(rewriting, body);
}

/** `has(req.Location)`: a presence test takes only a path. */
function visitPresence(rewriting: Rewriting, { function: name, target, args }: CallExpr): boolean {
  const path = name === 'has' && target === undefined && args[0] ? pathOf(rewriting, args[0]) : undefined;
  const counterpart = path === undefined ? undefined : rewriting.counterparts.variables[path];
  if (!counterpart) return false;
  if (counterpart.otherwise !== undefined) {
    warn(
      rewriting,
      args[0]!,
      'migrate/may-be-absent',
      `\`${path}\` always existed, \`${counterpart.to}\` may be absent; check it with \`has()\``,
    );
  }
  replace(rewriting, args[0]!.range, counterpart.to);
  return true;
}

/** Rewrites a path that names a variable of the old profile. */
function visitPath(rewriting: Rewriting, expr: Expr): boolean {
  const path = pathOf(rewriting, expr);
  if (path === undefined) return false;
  if (COOKIE_LISTS.has(path)) rewriteCookies(rewriting, expr, path);
  else if (TLS_VERSIONS.has(path)) {
    warn(rewriting, expr, 'migrate/tls-version', `\`${path}\` has the format \`TLS 1.3\`, its counterpart \`1.3\``);
    rename(rewriting, expr, path);
  } else if (path === STATUS) replace(rewriting, expr.range, 'string(res.status_code)');
  else if (rewriting.counterparts.variables[path]) {
    if (HEADER_MAPS.has(path)) warnOfKeys(rewriting, expr);
    rename(rewriting, expr, path);
  } else return isObject(rewriting, expr, path);
  return true;
}

/** Objects as a whole have other fields in the new profile. */
function isObject(rewriting: Rewriting, expr: Expr, path: string): boolean {
  if (rewriting.counterparts.keepsOthers) return false;
  if (!Object.keys(rewriting.counterparts.variables).some(known => known.startsWith(`${path}.`))) return false;
  giveUp(rewriting, expr.range, 'migrate/no-counterpart', `\`${path}\` as a whole has no counterpart`);
  return true;
}

/** Renames a variable; if the new one may be absent, falls back to the old one's value. */
function rename(rewriting: Rewriting, expr: Expr, path: string): void {
  const counterpart = rewriting.counterparts.variables[path];
  if (!counterpart) return;
  const { to, otherwise, loss } = counterpart;
  if (loss) warn(rewriting, expr, loss.code, `\`${path}\` becomes \`${to}\`, but ${loss.why}`);
  replace(rewriting, expr.range, otherwise === undefined ? to : `(has(${to}) ? ${to} : ${otherwise})`);
}

function visitSelect(rewriting: Rewriting, expr: Expr): boolean {
  if (expr.kind !== 'select') return false;
  const owner = pathOf(rewriting, expr.operand);
  if (owner !== undefined && HEADER_MAPS.has(owner)) {
    rename(rewriting, expr.operand, owner);
    replace(rewriting, expr.fieldRange, expr.field.toLowerCase());
    return true;
  }
  if (!rewriteCookieField(rewriting, expr)) return false;
  visit(rewriting, expr.operand);
  return true;
}

function visitCall(rewriting: Rewriting, expr: Expr): boolean {
  if (expr.kind !== 'call') return false;
  return (
    visitHeaderKey(rewriting, expr) ||
    visitHeaderFunction(rewriting, expr) ||
    visitSize(rewriting, expr) ||
    visitOperands(rewriting, expr, STATUS, rewriteStatus) ||
    [...TLS_VERSIONS].some(path => visitOperands(rewriting, expr, path, rewriteTlsVersion))
  );
}

/** `req.Headers[key]` and `key in req.Headers`. */
function visitHeaderKey(rewriting: Rewriting, { function: name, args }: CallExpr): boolean {
  const [map, key] = name === '@in' ? [args[1], args[0]] : [args[0], args[1]];
  if (!['_[_]', '_[?_]', '@in'].includes(name) || !map || !key) return false;
  const path = pathOf(rewriting, map);
  if (path === undefined || !HEADER_MAPS.has(path)) return false;
  rename(rewriting, map, path);
  if (!rewriteHeaderKey(rewriting, key)) visit(rewriting, key);
  return true;
}

function visitHeaderFunction(rewriting: Rewriting, { function: name, target, args }: CallExpr): boolean {
  if (target !== undefined || !HEADER_FUNCTIONS.has(name) || !args[0]) return false;
  rewriteHeaderName(rewriting, args[0]);
  visitAll(rewriting, args);
  return true;
}

/** The size does not depend on the spelling or order of keys. */
function visitSize(rewriting: Rewriting, { function: name, target, args }: CallExpr): boolean {
  const counted = target ?? args[0];
  const path = name === 'size' && counted ? pathOf(rewriting, counted) : undefined;
  if (path === undefined) return false;
  if (HEADER_MAPS.has(path)) rename(rewriting, counted!, path);
  else if (COOKIE_LISTS.has(path)) replaceByList(rewriting, counted!, path);
  else return false;
  return true;
}

function visitOperands(rewriting: Rewriting, call: CallExpr, path: string, rewrite: RewriteOperand): boolean {
  const operands = [call.target, ...call.args].filter(one => one !== undefined);
  const [operand] = operands.filter(one => pathOf(rewriting, one) === path);
  if (!operand || rewrite(rewriting, call, operand) === 'untouched') return false;
  // In a comparison with itself, the other side remains.
  visitAll(
    rewriting,
    operands.filter(one => one !== operand),
  );
  return true;
}
