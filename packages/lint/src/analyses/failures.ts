// Why evaluating an expression may fail, and what may be missing.

import type { CallExpr, Expr, TypedAst } from '@tollgate/cel';
import { inputPathOf } from '@tollgate/cel/tooling';
import type { Action } from '@tollgate/policy';
import { configNodeAt } from '../readers/actions.ts';
import { headerReadOf } from '../readers/lookups.ts';
import { literalString, sourceNodes, variablePath } from '../readers/source-nodes.ts';
import { literalSource } from '../rule-api/fixes.ts';
import type { LintedFile } from '../rule-api/lint-context.ts';
import { type LintedExpression, sourceOf } from '../rule-api/linted-expression.ts';

/** Why an operation fails for some traffic: `… is 0 for some requests`. */
type FailureReason = string;

/** Returns why a call may fail although its types fit; undefined if it cannot, or if its operand is tested elsewhere. */
export function failureOf(call: CallExpr, at: LintedExpression): FailureReason | undefined {
  switch (call.function) {
    case '_/_':
    case '_%_':
      return divisionFailure(call, at);
    case 'int':
    case 'uint':
    case 'double':
    case 'timestamp':
    case 'duration':
      return conversionFailure(call, at);
    case '_[_]':
      return partFailure(call, at);
    case 'substring':
    case 'charAt':
      return lengthFailure(call, at);
    default:
      return DECODERS.test(nameOf(call)) ? decodingFailure(call, at) : undefined;
  }
}

/** Returns the name with its namespace: `json.decode`. */
function nameOf({ target, function: name }: CallExpr): string {
  return target?.kind === 'ident' ? `${target.name}.${name}` : name;
}

function divisionFailure(call: CallExpr, at: LintedExpression): FailureReason | undefined {
  const [, divisor] = call.args;
  const kind = divisor && at.typed.types[divisor.id]?.kind;
  if (!divisor || divisor.kind === 'literal' || kind === 'double' || isTested(divisor, at)) return undefined;
  return `\`${sourceOf(at, divisor.range)}\` is 0 for some requests`;
}

function conversionFailure(call: CallExpr, at: LintedExpression): FailureReason | undefined {
  const [value] = call.args;
  // The edge produces the results of functions without arguments, and times.
  if (!value || value.kind === 'literal' || at.typed.types[value.id]?.kind !== 'string') return undefined;
  if (isTested(value, at) || variablePath(at.typed, value)?.startsWith('time.')) return undefined;
  return `\`${sourceOf(at, value.range)}\` is not a valid ${call.function} for some requests`;
}

/** Checks `x.split('/')[3]`. */
function partFailure(call: CallExpr, at: LintedExpression): FailureReason | undefined {
  const [list, index] = call.args;
  if (list?.kind !== 'call' || list.function !== 'split' || index?.kind !== 'literal') return undefined;
  if (index.literal.value === 0 || Number(index.literal.value) === 0 || isTested(list, at)) return undefined;
  return `\`${sourceOf(at, list.range)}\` has fewer parts for some requests`;
}

/** Checks `x.substring(7)`. */
function lengthFailure({ target, args }: CallExpr, at: LintedExpression): FailureReason | undefined {
  const [start] = args;
  if (!target || target.kind === 'literal' || isTested(target, at)) return undefined;
  const isFromStart = args.length === 1 && start?.kind === 'literal' && Number(start.literal.value) === 0;
  return isFromStart ? undefined : `\`${sourceOf(at, target.range)}\` is shorter for some requests`;
}

const DECODERS = /^(?:base64\.decode|json\.decode|url\.unescape|decodeBase64|decodeJson|unescapeUrl)$/;

function decodingFailure(call: CallExpr, at: LintedExpression): FailureReason | undefined {
  const value = call.target?.kind === 'ident' && call.args.length > 0 ? call.args[0] : (call.target ?? call.args[0]);
  if (!value || literalString(value) !== undefined || isTested(value, at)) return undefined;
  return `\`${sourceOf(at, value.range)}\` cannot be decoded for some requests`;
}

/** Returns true if the conditions of the rule mention the value elsewhere: then its failure was considered. */
function isTested(node: Expr, at: LintedExpression): boolean {
  const source = sourceOf(at, node.range);
  return mentions(source, at) > 1;
}

/** Counts how often the conditions of the rule contain a piece of source. */
export function mentions(source: string, { rule }: LintedExpression): number {
  return rule.expressions.reduce((sum, one) => sum + one.source.split(source).length - 1, 0);
}

/** A value that some requests do not have, so that reading it fails. */
export interface Absence {
  /** Why it is missing: `the URL has no port`. */
  readonly when: string;
  /** A condition that holds if the value is present. */
  readonly question: string;
}

/** Returns when a variable is missing; undefined if it never is, or has a default. */
export function absentVariable(
  node: Extract<Expr, { readonly kind: 'select' }>,
  at: LintedExpression,
  { roles }: LintedFile,
): (Absence & { readonly path: string }) | undefined {
  if (node.testOnly) return undefined;
  const path = variablePath(at.typed, node);
  const fact = path === undefined ? undefined : roles.variables.get(path);
  if (!fact?.absent || fact.absent.value !== undefined || fact.setBy !== undefined) return undefined;
  // Of `a.b.c`, `a.b` is reported once, with the whole.
  if (at.ancestors.at(-1)?.kind === 'select' || isAskedFor(fact.path, at)) return undefined;
  return { path: fact.path, when: fact.absent.when, question: `has(${fact.path})` };
}

/** Returns when a part of a dynamic value is missing: a claim of a token, a field of decoded JSON, an entry of a map. */
export function absentPart(node: Expr, at: LintedExpression): Absence | undefined {
  const container = node.kind === 'select' && !node.testOnly ? node.operand : indexed(node);
  if (!container || !isOpen(at, container) || isNamedElsewhere(node, at)) return undefined;
  // Of `a.b.c`, only the whole is reported.
  const outer = at.ancestors.at(-1);
  if (outer && (outer.kind === 'select' || indexed(outer)?.id === node.id)) return undefined;
  const source = sourceOf(at, container.range);
  const key = node.kind === 'select' ? literalSource("'", node.field) : sourceOf(at, (node as CallExpr).args[1]!.range);
  const question = `${key} in ${source}`;
  const isAsked = [question, `has(${sourceOf(at, node.range)})`].some(one => mentions(one, at) > 0);
  if (isAsked || mentions(sourceOf(at, node.range), at) > 1) return undefined;
  return { when: `${key} is missing`, question };
}

/** Returns when an element of a list such as `req.Cookies[0]` is missing. Results of functions are for other lint rules. */
export function absentElement(node: CallExpr, at: LintedExpression, { roles }: LintedFile): Absence | undefined {
  const [list, index] = node.args;
  if (node.function !== '_[_]' || !list || index?.kind !== 'literal' || at.typed.types[list.id]?.kind !== 'list')
    return undefined;
  const isOwn = list.kind === 'call' && (list.function === '_[_]' || list.function === 'split' || !list.target);
  const path = variablePath(at.typed, list);
  const fact = path === undefined ? undefined : roles.variables.get(path);
  // Results of actions exist, and lists that may be missing are reported themselves.
  const isResult = fact?.setBy !== undefined || (fact?.absent !== undefined && fact.absent.value === undefined);
  const source = sourceOf(at, list.range);
  if (
    list.kind === 'list' ||
    isOwn ||
    isResult ||
    mentions(`size(${source})`, at) + mentions(`${source}.size()`, at) > 0
  )
    return undefined;
  const count = Number(index.literal.value);
  return { when: `\`${source}\` has no element ${count}`, question: `size(${source}) > ${count}` };
}

/** Returns when a variable that the policy sets is missing: no earlier rule without conditions sets it. */
export function absentSetting(
  node: Extract<Expr, { readonly kind: 'select' }>,
  at: LintedExpression,
): Absence | undefined {
  const path = node.testOnly ? undefined : variablePath(at.typed, node);
  const [root, name, ...rest] = path?.split('.') ?? [];
  if (root !== 'vars' || name === undefined || rest.length > 0) return undefined;
  const before = at.policy.rules[at.rule.phase].slice(0, at.rule.index);
  const isSet = before.some(
    rule => rule.expressions.length === 0 && rule.actions.some(action => setsVariable(action, name)),
  );
  const isAsked = [`has(${path})`, `'${name}' in vars`, `"${name}" in vars`].some(one => mentions(one, at) > 0);
  return isSet || isAsked ? undefined : { when: `no earlier rule has set \`${name}\``, question: `'${name}' in vars` };
}

function setsVariable(action: Action, name: string): boolean {
  const vars = action.fact?.changes?.includes('vars') ? configNodeAt(action, 'vars') : undefined;
  if (vars?.kind !== 'list') return false;
  return vars.items.some(item => item.kind === 'map' && item.entries.some(entry => entry.key === name));
}

/** Returns when a function that returns a cookie fails because there is none. */
export function absentCookie(node: CallExpr, at: LintedExpression): Absence | undefined {
  const read = at.analysis.lookupsOf('request-cookies', 'response-cookies').find(one => one.node.id === node.id);
  if (!read || node.target || /^[_@]/.test(node.function)) return undefined;
  const kind = at.typed.types[node.id]?.kind;
  if (kind === 'bool' || kind === 'list') return undefined;
  const question = sourceOf(at, node.range).replace(/^get|^(\w+\.)get/, '$1has');
  const key = sourceOf(at, read.key.range);
  const isAsked = mentions(question, at) > 0 || mentions(`${key} in ${read.path}`, at) > 0;
  return isAsked ? undefined : { when: `the cookie ${key} is missing`, question };
}

function indexed(node: Expr): Expr | undefined {
  return node.kind === 'call' && node.function === '_[_]' ? node.args[0] : undefined;
}

/** Returns true for values of dynamic types. The catalog declares the variables, and says which ones may be missing. */
function isOpen({ typed }: LintedExpression, container: Expr): boolean {
  const kind = typed.types[container.id]?.kind;
  if (kind !== 'dyn' && kind !== 'map') return false;
  return !variablePath(typed, container)?.startsWith('vars');
}

/** Headers, parameters and cookies with constant names have lint rules of their own. */
function isNamedElsewhere(node: Expr, at: LintedExpression): boolean {
  if (node.kind === 'call' && headerReadOf(at.typed, node)) return true;
  if (node.kind === 'select' && variablePath(at.typed, node) !== undefined)
    return at.analysis.lookups.every(one => one.node.id !== node.id);
  const index = node.kind === 'call' ? node.args[1] : undefined;
  // An element of a list of unknown values.
  if (index?.kind === 'literal' && literalString(index) === undefined) return true;
  return node.kind === 'call' && at.analysis.lookups.some(one => one.node.id === node.id);
}

/**
 * Returns true if some condition of the rule tests for the value or for a value that contains it, anywhere: then its absence was
 * considered.
 */
function isAskedFor(path: string, { rule, typed }: LintedExpression): boolean {
  const all = [typed, ...rule.expressions.flatMap(one => one.typed ?? [])];
  return all.some(one =>
    sourceNodes(one.ast).some(({ node }) => {
      const asked = askedPath(node, one);
      return asked !== undefined && `${path}.`.startsWith(`${asked}.`);
    }),
  );
}

function askedPath(node: Expr, typed: TypedAst): string | undefined {
  const [asked] = node.kind === 'call' && node.function === 'has' ? node.args : [];
  return asked && inputPathOf(typed, asked);
}
