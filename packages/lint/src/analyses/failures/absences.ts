import type { CallExpr, Expr, TypedAst } from '@tollgate/cel';
import { inputPathOf } from '@tollgate/cel/tooling';
import type { Action } from '@tollgate/policy';
import { configNodeAt } from '../../actions/config-path.ts';
import { headerReadOf } from '../../expressions/header-reads.ts';
import { writtenNodes } from '../../expressions/source-nodes.ts';
import { literalText, variablePath } from '../../expressions/variable-path.ts';
import { literalSource } from '../../fixes/literal-fix.ts';
import type { LintedFile } from '../../rule-api/lint-context.ts';
import { type LintedExpression, sourceOf } from '../../rule-api/linted-expression.ts';
import { mentions } from './failures.ts';

/** A value that some traffic does not have. Reading it is an error then. */
export interface Absence {
  /** In words: `the URL has no port`. */
  readonly when: string;
  /** A condition that holds where it is there. */
  readonly question: string;
}

/** Why a variable may be missing; undefined where it never is, or is something else instead. */
export function absentVariable(
  node: Extract<Expr, { readonly kind: 'select' }>,
  at: LintedExpression,
  { roles }: LintedFile,
): (Absence & { readonly path: string }) | undefined {
  if (node.testOnly) return undefined;
  const path = variablePath(at.typed, node);
  const fact = path === undefined ? undefined : roles.variables.get(path);
  if (!fact?.absent || fact.absent.value !== undefined || fact.setBy !== undefined) return undefined;
  // Of `a.b.c`, `a.b` is seen once, with the whole.
  if (at.ancestors.at(-1)?.kind === 'select' || isAskedFor(fact.path, at)) return undefined;
  return { path: fact.path, when: fact.absent.when, question: `has(${fact.path})` };
}

/** Why a part of a value of no fixed shape may be missing: a claim of a token, a field of decoded JSON, an entry of a map. */
export function absentPart(node: Expr, at: LintedExpression): Absence | undefined {
  const container = node.kind === 'select' && !node.testOnly ? node.operand : indexed(node);
  if (!container || !isOpen(at, container) || isNamedElsewhere(node, at)) return undefined;
  // Of `a.b.c`, the whole is seen.
  const outer = at.ancestors.at(-1);
  if (outer && (outer.kind === 'select' || indexed(outer)?.id === node.id)) return undefined;
  const source = sourceOf(at, container.range);
  const key = node.kind === 'select' ? literalSource("'", node.field) : sourceOf(at, (node as CallExpr).args[1]!.range);
  const question = `${key} in ${source}`;
  const isAsked = [question, `has(${sourceOf(at, node.range)})`].some(one => mentions(one, at) > 0);
  if (isAsked || mentions(sourceOf(at, node.range), at) > 1) return undefined;
  return { when: `${key} is missing`, question };
}

/** Why an element may be missing of a list that may be shorter: `req.Cookies[0]`. What functions look up is for other lint rules. */
export function absentElement(node: CallExpr, at: LintedExpression, { roles }: LintedFile): Absence | undefined {
  const [list, index] = node.args;
  if (node.function !== '_[_]' || !list || index?.kind !== 'literal' || at.typed.types[list.id]?.kind !== 'list')
    return undefined;
  const isOwn = list.kind === 'call' && (list.function === '_[_]' || list.function === 'split' || !list.target);
  const path = variablePath(at.typed, list);
  const fact = path === undefined ? undefined : roles.variables.get(path);
  // What an action found is there; a list that may be missing is seen by itself.
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

/** Why a variable that the policy sets may be missing: no rule without conditions sets it before. */
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
  return isSet || isAsked ? undefined : { when: `no rule has set \`${name}\``, question: `'${name}' in vars` };
}

function setsVariable(action: Action, name: string): boolean {
  const vars = action.fact?.changes?.includes('vars') ? configNodeAt(action, 'vars') : undefined;
  if (vars?.kind !== 'list') return false;
  return vars.items.some(item => item.kind === 'map' && item.entries.some(entry => entry.key === name));
}

/** A cookie that functions give, which fail for one that is not there. */
export function absentCookie(node: CallExpr, at: LintedExpression): Absence | undefined {
  const read = at.analysis.lookupsOf('request-cookies', 'response-cookies').find(one => one.node.id === node.id);
  if (!read || node.target || /^[_@]/.test(node.function)) return undefined;
  const kind = at.typed.types[node.id]?.kind;
  if (kind === 'bool' || kind === 'list') return undefined;
  const question = sourceOf(at, node.range).replace(/^get|^(\w+\.)get/, '$1has');
  const key = sourceOf(at, read.key.range);
  const isAsked = mentions(question, at) > 0 || mentions(`${key} in ${read.path}`, at) > 0;
  return isAsked ? undefined : { when: `there is no cookie ${key}`, question };
}

function indexed(node: Expr): Expr | undefined {
  return node.kind === 'call' && node.function === '_[_]' ? node.args[0] : undefined;
}

/** Of a type that says nothing about what is in it. Variables are declared, and their absence is too. */
function isOpen({ typed }: LintedExpression, container: Expr): boolean {
  const kind = typed.types[container.id]?.kind;
  if (kind !== 'dyn' && kind !== 'map') return false;
  return !variablePath(typed, container)?.startsWith('vars');
}

/** Headers, parameters and cookies that are looked up by a constant name are for lint rules of their own. */
function isNamedElsewhere(node: Expr, at: LintedExpression): boolean {
  if (node.kind === 'call' && headerReadOf(at.typed, node)) return true;
  if (node.kind === 'select' && variablePath(at.typed, node) !== undefined)
    return at.analysis.lookups.every(one => one.node.id !== node.id);
  const index = node.kind === 'call' ? node.args[1] : undefined;
  // An element of a list of values that nothing is known of.
  if (index?.kind === 'literal' && literalText(index) === undefined) return true;
  return node.kind === 'call' && at.analysis.lookups.some(one => one.node.id === node.id);
}

/** Whether some condition of the rule asks for the value, or for a part that it belongs to. Where does not matter: it was thought of. */
function isAskedFor(path: string, { rule, typed }: LintedExpression): boolean {
  const all = [typed, ...rule.expressions.flatMap(one => one.typed ?? [])];
  return all.some(one =>
    writtenNodes(one.ast).some(({ node }) => {
      const asked = askedPath(node, one);
      return asked !== undefined && `${path}.`.startsWith(`${asked}.`);
    }),
  );
}

function askedPath(node: Expr, typed: TypedAst): string | undefined {
  const [asked] = node.kind === 'call' && node.function === 'has' ? node.args : [];
  return asked && inputPathOf(typed, asked);
}
