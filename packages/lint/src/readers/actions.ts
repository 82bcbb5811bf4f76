// Actions and rules of a policy: the parts of a configuration by role, headers, names.

import { type ConfigField, type ConfigRole, type ConfigType, terminationOf } from '@tollgate/catalog';
import type { Range } from '@tollgate/diagnostics';
import {
  type Action,
  contentRange,
  type DocumentNode,
  entryOf,
  type ListNode,
  type MapEntryNode,
  type MapNode,
  type Policy,
  type Rule,
  type ScalarNode,
} from '@tollgate/policy';

/** A string in a configuration. */
export interface StringNode {
  readonly value: string;
  readonly node: ScalarNode;
  /** Range of the content, without quotes. */
  readonly place: Range;
}

/** Returns the configuration entry with a role, whatever its key; undefined if it is absent or null. */
export function entryOfRole(action: Action, role: ConfigRole): MapEntryNode | undefined {
  for (const field of action.fact?.config ?? []) {
    const entry = field.role === role ? entryNamed(action, field.name) : undefined;
    if (entry) return entry;
  }
  return undefined;
}

/** Returns true if the action accepts an entry with this role. */
export function takesRole(action: Action, role: ConfigRole): boolean {
  return action.fact?.config.some(field => field.role === role) ?? false;
}

/** Returns the string with a role; undefined if it is absent or not a string. */
export function stringOfRole(action: Action, role: ConfigRole): StringNode | undefined {
  const value = entryOfRole(action, role)?.value;
  return value && stringOf(value);
}

/** Returns the string under a key of the configuration; undefined if it is absent or not a string. */
export function stringNamed(action: Action, name: string): StringNode | undefined {
  const value = entryNamed(action, name)?.value;
  return value && stringOf(value);
}

/**
 * Returns the status code that an action responds with, configured or by default; undefined if it does not respond or the status is not a
 * number.
 */
export function statusOf(action: Action): number | undefined {
  const field = action.fact?.config.find(one => one.role === 'status');
  const written = entryOfRole(action, 'status')?.value;
  const value = written?.kind === 'scalar' ? written.value : field?.default;
  return typeof value === 'number' ? value : undefined;
}

/** Returns the map of headers that an action sets. */
export function headersOf(action: Action): MapNode | undefined {
  const node = nodeOfType(action, type => type.kind === 'map' && type.key === 'header-name');
  return node?.kind === 'map' ? node : undefined;
}

/** Returns the list of headers that an action removes. */
export function removedHeadersOf(action: Action): ListNode | undefined {
  const node = nodeOfType(action, type => type.kind === 'list' && type.of.kind === 'header-name');
  return node?.kind === 'list' ? node : undefined;
}

/** Returns the entry of a header, ignoring case; `name` is lower case. */
export function headerOf(headers: MapNode | undefined, name: string): MapEntryNode | undefined {
  return headers?.entries.find(entry => entry.key.toLowerCase() === name);
}

/** Returns true if the action ends the traffic with a refusal: it closes the connection or responds with an error. */
export function isRefusal(action: Action): boolean {
  if (terminationOf(action) !== 'always') return false;
  const status = statusOf(action);
  return status === undefined ? !takesRole(action, 'body') && isClosing(action) : status >= 400;
}

/** Returns true if the action ends the traffic without forwarding it. */
function isClosing({ fact }: Action): boolean {
  return fact?.config.every(field => field.role === 'status') ?? false;
}

/** Returns true if the action responds with a body. */
export function isAnswer(action: Action): boolean {
  return takesRole(action, 'body');
}

/** Returns true for a redirect: the action replaces in the URL and responds with a status. */
export function isRedirect(action: Action): boolean {
  return takesRole(action, 'url-replacement') && takesRole(action, 'status');
}

/** Returns the strings of a list. */
export function stringsIn(node: DocumentNode | undefined): readonly StringNode[] {
  return node?.kind === 'list' ? node.items.flatMap(item => stringOf(item) ?? []) : [];
}

/** Returns the node as a string; undefined if it is not one. */
export function stringOf(node: DocumentNode): StringNode | undefined {
  if (node.kind !== 'scalar' || typeof node.value !== 'string') return undefined;
  return { value: node.value, node, place: node.text ? contentRange(node.text) : node.range };
}

function nodeOfType(action: Action, isMeant: (type: ConfigType) => boolean): DocumentNode | undefined {
  const field: ConfigField | undefined = action.fact?.config.find(one => isMeant(one.type));
  return field && entryNamed(action, field.name)?.value;
}

function entryNamed({ configNode }: Action, name: string): MapEntryNode | undefined {
  const entry = configNode && entryOf(configNode, name);
  return entry?.value.kind === 'scalar' && entry.value.value === null ? undefined : entry;
}

/** A header that an action sets or removes, with the range of its name. */
export interface NamedHeader {
  readonly name: string;
  readonly range: Range;
  readonly verb: 'set' | 'remove';
}

/** Returns the headers that an action names in its configuration. */
export function namedHeaders(action: Action): readonly NamedHeader[] {
  const set = (headersOf(action)?.entries ?? []).map(
    ({ key, keyRange }) => ({ name: key, range: keyRange, verb: 'set' }) as const,
  );
  const removed = stringsIn(removedHeadersOf(action)).map(
    ({ value, place }) => ({ name: value, range: place, verb: 'remove' }) as const,
  );
  return [...set, ...removed];
}

/** Returns the map of the document that a rule was read from. */
export function ruleNode(rule: Rule, policy: Policy): MapNode | undefined {
  return mapAt(itemsOf(entryOf(policy.node, rule.phase)?.value), rule.range.start);
}

/** Returns the map of the document that an action was read from. */
export function actionNode(
  action: Action,
  { rule, policy }: { readonly rule: Rule; readonly policy: Policy },
): MapNode | undefined {
  const map = ruleNode(rule, policy);
  return mapAt(itemsOf(map && entryOf(map, 'actions')?.value), action.range.start);
}

/** Returns the items of a list; none of any other value. */
export function itemsOf(node: DocumentNode | undefined): readonly DocumentNode[] {
  return node?.kind === 'list' ? node.items : [];
}

function mapAt(items: readonly DocumentNode[], start: number): MapNode | undefined {
  return items.find((item): item is MapNode => item.kind === 'map' && item.range.start === start);
}

/** Returns the node at a path of keys in an action's configuration; undefined if it is absent. */
export function configNodeAt({ configNode }: Action, ...keys: readonly string[]): DocumentNode | undefined {
  let node: DocumentNode | undefined = configNode;
  for (const key of keys) node = node?.kind === 'map' ? entryOf(node, key)?.value : undefined;
  return node;
}

/** Returns the range that stands for a rule: its name, or its first key if it has none. */
export function rangeOfRule({ name, range }: Rule, document: string): Range {
  if (name !== undefined && name.value.trim() !== '') return name.range;
  const [before, key] = FIRST_KEY.exec(document.slice(range.start, range.end)) ?? ['', ''];
  const end = range.start + before.length;
  return { start: end - key!.length, end };
}

const FIRST_KEY = /^[{\s]*["']?([\w-]+)/;

/** Returns the name of a rule for messages: its position in the phase, counted from 1, and its name. */
export function nameOfRule({ name, index }: Rule): string {
  return name === undefined || name.value.trim() === '' ? `rule ${index + 1}` : `rule ${index + 1} \`${name.value}\``;
}

/** Returns the names of several rules, such as `rule 1 and rule 3`; those of other phases than `phase` with theirs. */
export function namesOfRules(rules: readonly Rule[], phase?: Rule['phase']): string {
  const names = rules.map(rule =>
    phase === undefined || rule.phase === phase ? nameOfRule(rule) : `${nameOfRule(rule)} of \`${rule.phase}\``,
  );
  if (names.length === 1) return names[0]!;
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
