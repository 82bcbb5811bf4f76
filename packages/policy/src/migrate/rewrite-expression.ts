import type { Profile } from '@tollgate/catalog';
import {
  type Ast,
  type CallExpr,
  type Environment,
  type Expr,
  parse,
  type Type,
  type TypedAst,
  unparse,
} from '@tollgate/cel';
import { childrenOf, inputPathOf, literalString } from '@tollgate/cel/tooling';
import { ownValue, type Range, type TextEdit } from '@tollgate/diagnostics';
import { canonicalHeaderName } from '../expressions/explain-errors.ts';

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

/** A change of meaning, or a part without a counterpart. Ranges are of the rewritten source. */
export interface Loss {
  /** `migrate/…`. */
  readonly code: string;
  /** `error` means that a person must complete the migration. */
  readonly severity: 'warning' | 'error';
  readonly message: string;
  readonly range: Range;
  readonly args: Readonly<Record<string, string>>;
}

/** The state of rewriting an expression: its trees, and the edits and losses so far. */
interface Rewriting {
  /** The parsed tree, without conversions of open values. */
  readonly ast: Ast;
  readonly typed: TypedAst;
  readonly counterparts: Counterparts;
  readonly edits: TextEdit[];
  readonly losses: Loss[];
  /** By the id of a macro over cookies, whose cookies they are. */
  readonly cookieLoops: Map<number, 'request' | 'response'>;
}

/** Adds an edit unless it changes nothing. */
function replace({ ast, edits }: Rewriting, range: Range, newText: string): void {
  if (ast.source.slice(range.start, range.end) !== newText) edits.push({ range, newText });
}

/** Adds a warning. */
function warn(rewriting: Rewriting, expr: { range: Range }, code: string, message: string): void {
  const { source } = rewriting.ast;
  const written = source.slice(expr.range.start, expr.range.end);
  rewriting.losses.push({ code, severity: 'warning', message, range: expr.range, args: { written } });
}

/** Adds an error: the range is left unchanged. */
function giveUp(rewriting: Rewriting, range: Range, code: string, message: string): void {
  const written = rewriting.ast.source.slice(range.start, range.end);
  rewriting.losses.push({ code, severity: 'error', message, range, args: { written } });
}

/** Returns the path of selections from a declared variable, without a leading dot: `req.Headers`. */
function pathOf({ typed }: Rewriting, expr: Expr): string | undefined {
  return inputPathOf(typed, expr, { isField: () => true });
}

/** Replaces a string literal, keeping its quotes if possible. */
function replaceString(rewriting: Rewriting, expr: Expr, value: string): void {
  const { source } = rewriting.ast;
  const old = literalString(expr) ?? '';
  const written = source.slice(expr.range.start, expr.range.end);
  const isVerbatim = old !== '' && written.split(old).length === 2 && !/[\\'"\n]/.test(value);
  const literal = { type: 'string', value } as const;
  const root = { kind: 'literal', id: 1, range: expr.range, literal } as const;
  const printed = unparse({ source: '', root, nextId: 2, macroCalls: new Map() });
  replace(rewriting, expr.range, isVerbatim ? written.replace(old, () => value) : printed);
}

/** Rewrites a call with a certain variable as operand; the other operands may still have to be visited. */
type RewriteOperand = (rewriting: Rewriting, call: CallExpr, operand: Expr) => 'rewritten' | 'untouched';

/** The counterpart of a variable in the new profile. */
interface Counterpart {
  /** A path of the new profile. */
  readonly to: string;
  /** CEL source of the old value for the case that the new variable is absent. */
  readonly otherwise?: string;
  /** The code and reason of a loss. */
  readonly loss?: { readonly code: string; readonly why: string };
}

const SERVER_SIDE = {
  code: 'migrate/server-tls',
  why: 'it describes the connection to the upstream, its counterpart the one from the client',
} as const;

const TERMINATED = {
  code: 'migrate/terminate-tls',
  why: 'it requires an earlier `terminate-tls` action',
} as const;

/** The counterparts of a profile's variables. */
export interface Counterparts {
  readonly variables: Readonly<Record<string, Counterpart>>;
  /** Whether all other variables stay the same. */
  readonly keepsOthers: boolean;
}

/** Counterparts of `edge-v2` variables in `modern`. */
const EDGE_V2_TO_MODERN: Readonly<Record<string, Counterpart>> = {
  'conn.ClientIP': { to: 'conn.client_ip' },
  'conn.Geo.CountryCode': { to: 'conn.geo.country_code' },
  'conn.Geo.Latitude': { to: 'conn.geo.latitude' },
  'conn.Geo.Longitude': { to: 'conn.geo.longitude' },
  'conn.Geo.LatLongRadiusKm': { to: 'conn.geo.radius' },
  'conn.TLS.CertCN': {
    to: 'actions.ngrok.terminate_tls.client.subject.common_name',
    otherwise: '""',
    loss: TERMINATED,
  },
  'conn.TLS.CipherSuite': { to: 'actions.ngrok.terminate_tls.cipher_suite', loss: TERMINATED },
  'conn.TLS.SNI': { to: 'actions.ngrok.terminate_tls.sni', loss: TERMINATED },
  'conn.TLS.Version': { to: 'actions.ngrok.terminate_tls.version', loss: TERMINATED },
  'req.ClientTLS.CertCN': { to: 'conn.tls.client.subject.common_name', otherwise: '""' },
  'req.ClientTLS.CipherSuite': { to: 'conn.tls.cipher_suite' },
  'req.ClientTLS.SNI': { to: 'conn.tls.sni' },
  'req.ClientTLS.Version': { to: 'conn.tls.version' },
  'req.Method': { to: 'req.method' },
  'req.URL': { to: 'req.url' },
  'req.Path': { to: 'req.url.path' },
  'req.Params': { to: 'req.url.query_params' },
  'req.Protocol': { to: 'req.version' },
  'req.Host': { to: 'req.host' },
  'req.Location': { to: 'req.location' },
  'req.Headers': { to: 'req.headers' },
  'req.Trailers': { to: 'req.trailers' },
  'req.Cookies': { to: 'req.cookies' },
  'req.ContentLength': { to: 'req.content_length', otherwise: '-1' },
  'res.StatusCode': { to: 'res.status_code' },
  'res.Headers': { to: 'res.headers' },
  'res.Trailers': { to: 'res.trailers' },
  'res.Cookies': { to: 'res.cookies' },
  'res.ContentLength': { to: 'res.content_length', otherwise: '-1' },
  'res.Location': { to: 'res.location' },
  'res.ServerTLS.CertCN': { to: 'conn.tls.server.subject.common_name', otherwise: '""', loss: SERVER_SIDE },
  'res.ServerTLS.CipherSuite': { to: 'conn.tls.cipher_suite', loss: SERVER_SIDE },
  'res.ServerTLS.SNI': { to: 'conn.tls.sni', loss: SERVER_SIDE },
  'res.ServerTLS.Version': { to: 'conn.tls.version', loss: SERVER_SIDE },
};

/** Renamed variables of `edge-v2-snake` in `modern`. */
const SNAKE_TO_MODERN: Readonly<Record<string, Counterpart>> = { 'conn.start_ts': { to: 'conn.ts.start' } };

/** Returns the counterparts of a profile's variables in `modern`. */
export function counterpartsOf({ name }: Profile): Counterparts {
  if (name === 'edge-v2') return { variables: EDGE_V2_TO_MODERN, keepsOthers: false };
  return { variables: SNAKE_TO_MODERN, keepsOthers: true };
}

/** Renamed fields of cookies. Those like `Secure` exist only in response cookies. */
const COOKIE_FIELDS: Readonly<Record<string, { readonly to: string; readonly isOfRequests?: true }>> = {
  Name: { to: 'name', isOfRequests: true },
  Value: { to: 'value', isOfRequests: true },
  Path: { to: 'path' },
  Domain: { to: 'domain' },
  Expires: { to: 'expires' },
  Secure: { to: 'secure' },
  HttpOnly: { to: 'http_only' },
};

/** Maps whose keys are canonical in the old profile and lowercase in the new one. */
export const HEADER_MAPS: ReadonlySet<string> = new Set(['req.Headers', 'req.Trailers', 'res.Headers', 'res.Trailers']);

/** Functions that take a header name: canonical in the old profile, in any case in the new one. */
const HEADER_FUNCTIONS: ReadonlySet<string> = new Set([
  ...['hasReqHeader', 'getReqHeader', 'hasResHeader', 'getResHeader'],
]);

/** Lists in the old profile, maps of lists in the new one. */
export const COOKIE_LISTS: ReadonlySet<string> = new Set(['req.Cookies', 'res.Cookies']);

/** `TLS 1.3` in the old profile, `1.3` in the new one. */
export const TLS_VERSIONS: ReadonlySet<string> = new Set([
  ...['req.ClientTLS.Version', 'conn.TLS.Version', 'res.ServerTLS.Version'],
]);

/** A string of three digits in the old profile, a number in the new one. */
export const STATUS = 'res.StatusCode';

/** Rewrites a key of a map of headers. Returns false if it is not a literal and still has to be visited. */
function rewriteHeaderKey(rewriting: Rewriting, key: Expr): boolean {
  rewriteHeaderName(rewriting, key);
  const name = literalString(key);
  if (name !== undefined) {
    replaceString(rewriting, key, name.toLowerCase());
    return true;
  }
  const isSafe =
    key.kind === 'ident' || key.kind === 'select' || (key.kind === 'call' && /^[a-z]|^_\[/i.test(key.function));
  const { start, end } = key.range;
  if (!isSafe) rewriting.edits.push({ range: { start, end: start }, newText: '(' });
  rewriting.edits.push({ range: { start: end, end }, newText: `${isSafe ? '' : ')'}.lowerAscii()` });
  return false;
}

/** Warns about a header name that did not match before and now does. */
function rewriteHeaderName(rewriting: Rewriting, key: Expr): void {
  const name = literalString(key);
  if (name === undefined) {
    warn(rewriting, key, 'migrate/header-case', 'header names had to be in canonical form and now match in any case');
  } else if (canonicalHeaderName(name) !== name) {
    const message = `before, headers were named \`${canonicalHeaderName(name)}\`, so this rule never ran. It does now`;
    warn(rewriting, key, 'migrate/header-case', message);
  }
}

/** Warns about an expression that reads the keys of a map of headers. */
function warnOfKeys(rewriting: Rewriting, map: Expr): void {
  warn(rewriting, map, 'migrate/header-keys', 'its keys were in canonical form and are now in lowercase');
}

/** Macros whose result does not depend on the order of cookies. */
const ORDERLESS: ReadonlySet<string> = new Set(['exists', 'exists_one', 'all']);

type Side = 'request' | 'response';

/** Rewrites a list of cookies as an expression over the new profile's map. */
function rewriteCookies(rewriting: Rewriting, expr: Expr, path: string): void {
  warn(rewriting, expr, 'migrate/cookie-order', 'cookies were in the order of the header and are now grouped by name');
  replaceByList(rewriting, expr, path);
}

/**
 * Rewrites a macro over cookies. `req.Cookies.exists(c, c.Name == 'id')` becomes `hasReqCookie('id')`, and the result is true. Otherwise
 * rewrites only the list, and the body still has to be visited.
 */
function rewriteCookieLoop(
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
function replaceByList(rewriting: Rewriting, expr: Expr, path: string): void {
  const { to } = rewriting.counterparts.variables[path]!;
  replace(rewriting, expr.range, `${to}.map(name, ${to}[name]).flatten()`);
}

/** Returns the literal in `c.Name == 'id'`, where `c` is the macro's variable. */
function comparedName(body: Expr, variable: Expr): Expr | undefined {
  if (body.kind !== 'call' || body.function !== '_==_' || variable.kind !== 'ident') return undefined;
  const [left, right] = body.args as [Expr, Expr];
  const isName = (one: Expr) =>
    one.kind === 'select' && one.field === 'Name' && one.operand.kind === 'ident' && one.operand.name === variable.name;
  if (isName(left) && literalString(right) !== undefined) return right;
  return isName(right) && literalString(left) !== undefined ? left : undefined;
}

/** Renames a field of a cookie. Returns false if the expression is not one; its operand still has to be visited. */
function rewriteCookieField(rewriting: Rewriting, expr: Extract<Expr, { kind: 'select' }>): boolean {
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

const COMPARISONS: ReadonlySet<string> = new Set(['_==_', '_!=_', '_<_', '_<=_', '_>_', '_>=_', '@in']);
const CONVERSIONS: ReadonlySet<string> = new Set(['int', 'uint', 'double', 'string']);
const ARITHMETIC: ReadonlySet<string> = new Set(['_+_', '_-_', '_*_', '_/_', '_%_']);
const NEW_NAME = 'res.status_code';

/**
 * The status was a string of three digits and is now a number: literals compared with it lose their quotes, numbers stay.
 * Anywhere else it is converted back to a string.
 */
const rewriteStatus: RewriteOperand = (rewriting, call, operand) => {
  const other = call.args.find(arg => arg !== operand);
  if (call.function === 'int' && call.args.length === 1) {
    replace(rewriting, call.range, NEW_NAME);
    return 'rewritten';
  }
  const isConverted = call.args.length === 1 && CONVERSIONS.has(call.function) && call.target === undefined;
  const isNumeric = other !== undefined && isNumber(rewriting.typed.types[other.id]);
  if (isConverted || (isNumeric && (COMPARISONS.has(call.function) || ARITHMETIC.has(call.function)))) {
    replace(rewriting, operand.range, NEW_NAME);
    return 'rewritten';
  }
  if (!COMPARISONS.has(call.function) || !other || !unquote(rewriting, other)) return 'untouched';
  replace(rewriting, operand.range, NEW_NAME);
  return 'rewritten';
};

/** Removes the quotes of a status, or of all statuses in a list; does nothing if one is not a status. */
function unquote(rewriting: Rewriting, other: Expr): boolean {
  const literals = other.kind === 'list' && other.optionalIndices.length === 0 ? other.elements : [other];
  const isStatus = literals.length > 0 && literals.every(one => /^[1-9]\d\d$/.test(literalString(one) ?? ''));
  if (isStatus) for (const one of literals) replace(rewriting, one.range, literalString(one)!);
  return isStatus;
}

function isNumber(type: Type | undefined): boolean {
  if (type?.kind === 'list') return isNumber(type.element);
  return type?.kind === 'int' || type?.kind === 'uint' || type?.kind === 'double';
}

/** Both formats have the same order. */
const ORDER_COMPARISONS: ReadonlySet<string> = new Set(['_==_', '_!=_', '_<_', '_<=_', '_>_', '_>=_']);

/** `TLS 1.3` is now `1.3`: shortens literals in the old format; matching only the number stays unchanged. */
const rewriteTlsVersion: RewriteOperand = (rewriting, call, operand) => {
  const counterpart = rewriting.counterparts.variables[pathOf(rewriting, operand)!];
  const other = call.args.find(arg => arg !== operand);
  const text = literalString(other);
  if (!counterpart || counterpart.loss || !other || text === undefined) return 'untouched';
  const number = /^TLS (1\.\d)$/.exec(text)?.[1];
  const isCompared = ORDER_COMPARISONS.has(call.function) && number !== undefined;
  const isSearched =
    call.target === operand && ['contains', 'endsWith'].includes(call.function) && /^[\d.]+$/.test(text);
  if (!isCompared && !isSearched) return 'untouched';
  if (isCompared) replaceString(rewriting, other, number);
  replace(rewriting, operand.range, counterpart.to);
  return 'rewritten';
};
