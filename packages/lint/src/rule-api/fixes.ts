// Edits of expressions, rules, configurations and comments, which fixes consist of.

import type { Expr } from '@tollgate/cel';
import { type Fix, lineStart, type TextEdit } from '@tollgate/diagnostics';
import {
  type Action,
  type DocumentNode,
  type Expression,
  entryOf,
  type ListNode,
  type MapNode,
  type Policy,
  type Rule,
  removeItems,
  replaceScalar,
} from '@tollgate/policy';
import { headersOf, itemsOf } from '../readers/actions.ts';
import { spelledHeader } from '../readers/profile-roles.ts';
import type { LintContext, Suppression } from './lint-context.ts';
import { editsOf, type LintedExpression, sourceOf } from './linted-expression.ts';

/** Returns a fix that replaces a node by a string literal, in the same quotes if it has some. */
export function literalFix(
  at: LintedExpression,
  node: Expr,
  { value, applicability }: { readonly value: string; readonly applicability: Fix['applicability'] },
): Fix {
  const newText = literalSource(sourceOf(at, node.range), value);
  return { title: `change to \`${value}\``, applicability, edits: editsOf(at, [{ range: node.range, newText }]) };
}

/** Returns a fix that replaces a node by other source. */
export function sourceFix(
  at: LintedExpression,
  node: Expr,
  {
    newText,
    title,
    applicability,
  }: { readonly newText: string; readonly title: string; readonly applicability: Fix['applicability'] },
): Fix {
  return { title, applicability, edits: editsOf(at, [{ range: node.range, newText }]) };
}

/** Returns a string as a CEL literal, in the quotes of another literal. */
export function literalSource(like: string, value: string): string {
  const quote = like.includes('"') ? '"' : "'";
  const escaped = JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"');
  return quote + escaped.replaceAll(quote, `\\${quote}`) + quote;
}

/** Returns the source of a node, in parentheses if it cannot be the operand of a method or an operator as it is. */
export function operandSource(at: LintedExpression, node: Expr): string {
  const source = sourceOf(at, node.range);
  const isOperator = node.kind === 'call' && /^[^a-zA-Z]/.test(node.function) && !CLOSED.has(node.function);
  return isOperator ? `(${source})` : source;
}

/** Operators that end with a delimiter of their own. */
const CLOSED: ReadonlySet<string> = new Set(['_[_]', '_[?_]', '_?._']);

/** The condition that replaces several entries of `expressions`. */
interface Joined {
  readonly title: string;
  readonly entries: readonly Expression[];
  readonly source: string;
}

/** Returns a fix that replaces several entries of a rule by one condition; undefined if that would leave a broken document. */
export function joinConditions(
  rule: Rule,
  { policy, document }: { readonly policy: Policy; readonly document: string },
  { title, entries, source }: Joined,
): Fix | undefined {
  const [first, ...rest] = entries;
  const list = expressionsNode(rule, policy);
  const items = rest.map(({ range }) => list?.items.find(item => item.range.start === range.start));
  if (first === undefined || list === undefined || !items.every(isThere)) return undefined;
  const removed = removeItems(document, list, items);
  if (!removed.every(isThere)) return undefined;
  const edits: readonly TextEdit[] = [...replaceScalar(document, first.text, source), ...removed];
  return { title, applicability: 'suggestion', edits };
}

function expressionsNode(rule: Rule, policy: Policy): ListNode | undefined {
  const rules = entryOf(policy.node, rule.phase)?.value;
  const node = itemsOf(rules).find(item => item.range.start === rule.range.start);
  const expressions = node?.kind === 'map' ? entryOf(node, 'expressions')?.value : undefined;
  return expressions?.kind === 'list' ? expressions : undefined;
}

function isThere<T>(value: T | undefined): value is T {
  return value !== undefined;
}

/** Returns a fix that removes a rule from its policy; undefined if that would leave a broken document. */
export function removeRuleFix(rule: Rule, policy: Policy, document: string): Fix | undefined {
  const list = entryOf(policy.node, rule.phase)?.value;
  if (list?.kind !== 'list' || list.items.length < 2) return undefined;
  const isRule = (one: DocumentNode | undefined) => one?.range.start === rule.range.start;
  const nth = list.items[rule.index];
  const item = isRule(nth) ? nth : list.items.find(isRule);
  const [edit] = item === undefined ? [] : removeItems(document, list, [item]);
  return edit && { title: 'remove the rule', applicability: 'unsafe', edits: [edit] };
}

/**
 * Returns the edits that move an item of a block list next to another one; undefined if the layout does not allow it. Comments on lines of
 * their own stay, other comments move along.
 */
export function moveItem(
  document: string,
  list: ListNode,
  { item, to, where }: { readonly item: DocumentNode; readonly to: DocumentNode; readonly where: 'before' | 'behind' },
): readonly TextEdit[] | undefined {
  if (document[list.range.start] === '[') return undefined;
  const [removal, place] = removeItems(document, list, [item, to]);
  if (!removal || !place) return undefined;
  const text = document.slice(removal.range.start, removal.range.end);
  const at = where === 'before' ? place.range.start : place.range.end;
  const isOpen = where === 'behind' && !document.slice(0, at).endsWith('\n');
  const newText = isOpen ? `\n${text.replace(/\n$/, '')}` : text.endsWith('\n') ? text : `${text}\n`;
  return [
    { range: removal.range, newText: '' },
    { range: { start: at, end: at }, newText },
  ];
}

/** Returns the edit that inserts a first entry into a map; undefined if the layout has no room for it. `value` is JSON. */
export function insertEntry(document: string, map: MapNode, key: string, value: string): TextEdit | undefined {
  const { start } = map.range;
  const isJson = /^\{\s*"/.test(document.slice(start, map.range.end));
  const name = isJson ? JSON.stringify(key) : key;
  if (document[start] === '{')
    return { range: { start: start + 1, end: start + 1 }, newText: inFlow(document, map, `${name}: ${value}`) };
  const first = map.entries[0];
  if (!first) return undefined;
  const at = first.keyRange.start - (/["']/.test(document[first.keyRange.start - 1] ?? '') ? 1 : 0);
  const lineOffset = lineStart(document, at);
  const indent = document.slice(lineOffset, at);
  // The first key of a list item follows its dash.
  if (!/^ *(?:- +)*$/.test(indent)) return undefined;
  return { range: { start: at, end: at }, newText: `${name}: ${value}\n${' '.repeat(indent.length)}` };
}

function inFlow(document: string, { entries, range }: MapNode, entry: string): string {
  if (entries.length === 0) return ` ${entry} `;
  return /\s/.test(document[range.start + 1]!) ? ` ${entry},` : ` ${entry}, `;
}

/** Returns a fix that adds a response header to an action; none if the layout has no room for it. */
export function addHeaderFixes(
  action: Action,
  { name, value }: { readonly name: string; readonly value: string },
  { file }: LintContext,
): readonly Fix[] {
  const { text } = file.source;
  const spelt = spelledHeader(name, file.profile);
  const written = JSON.stringify(value);
  const headers = headersOf(action);
  const edit = headers
    ? insertEntry(text, headers, spelt, written)
    : action.configNode && insertEntry(text, action.configNode, 'headers', `{ "${spelt}": ${written} }`);
  return edit ? [{ title: `add \`${spelt}: ${value}\``, applicability: 'suggestion', edits: [edit] }] : [];
}

/**
 * Returns the edits that remove names from a suppression. If no name is left, they remove the comment, with its line if it contains
 * nothing else; undefined for blocks, whose end is another comment.
 */
export function withoutNames(
  document: string,
  { range, names, kind }: Suppression,
  removed: Suppression['names'],
): readonly TextEdit[] | undefined {
  const left = names.filter(name => !removed.includes(name));
  if (left.length === 0) return kind === 'block' ? undefined : [{ range: wholeComment(document, range), newText: '' }];
  const start = names[0]!.range.start;
  return [{ range: { start, end: names.at(-1)!.range.end }, newText: left.map(({ name }) => name).join(', ') }];
}

function wholeComment(document: string, { start, end }: Suppression['range']): Suppression['range'] {
  const lineOffset = lineStart(document, start);
  const before = document.slice(lineOffset, start);
  if (before.trim() !== '') return { start: lineOffset + before.trimEnd().length, end };
  const lineBreak = /^[ \t]*(?:\r\n|\n|\r|$)/.exec(document.slice(end))?.[0].length ?? 0;
  return { start: lineOffset, end: end + lineBreak };
}
