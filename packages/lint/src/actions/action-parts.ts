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
  type ScalarNode,
} from '@tollgate/policy';

/** Something written in a configuration: a text with its place. */
export interface WrittenText {
  readonly value: string;
  readonly node: ScalarNode;
  /** Without quotes. */
  readonly place: Range;
}

/** What an action's configuration has in a role, whatever its key; undefined when it is not written, or is null. */
export function entryOfRole(action: Action, role: ConfigRole): MapEntryNode | undefined {
  for (const field of action.fact?.config ?? []) {
    const entry = field.role === role ? entryNamed(action, field.name) : undefined;
    if (entry) return entry;
  }
  return undefined;
}

/** Whether the action can be given something in this role. */
export function takesRole(action: Action, role: ConfigRole): boolean {
  return action.fact?.config.some(field => field.role === role) ?? false;
}

/** The text in a role, if it is one. */
export function textOfRole(action: Action, role: ConfigRole): WrittenText | undefined {
  const value = entryOfRole(action, role)?.value;
  return value && textOf(value);
}

/** The text at a key of the configuration, if it is one. */
export function textNamed(action: Action, name: string): WrittenText | undefined {
  const value = entryNamed(action, name)?.value;
  return value && textOf(value);
}

/** The status that an action answers with: as written, or by default. Undefined when it does not answer, or it is no number. */
export function statusOf(action: Action): number | undefined {
  const field = action.fact?.config.find(one => one.role === 'status');
  const written = entryOfRole(action, 'status')?.value;
  const value = written?.kind === 'scalar' ? written.value : field?.default;
  return typeof value === 'number' ? value : undefined;
}

/** The map of headers that an action sets. */
export function headersOf(action: Action): MapNode | undefined {
  const node = nodeOfType(action, type => type.kind === 'map' && type.key === 'header-name');
  return node?.kind === 'map' ? node : undefined;
}

/** The list of headers that an action removes. */
export function removedHeadersOf(action: Action): ListNode | undefined {
  const node = nodeOfType(action, type => type.kind === 'list' && type.of.kind === 'header-name');
  return node?.kind === 'list' ? node : undefined;
}

/** The entry of a header, in whatever case it is written. */
export function headerOf(headers: MapNode | undefined, name: string): MapEntryNode | undefined {
  return headers?.entries.find(entry => entry.key.toLowerCase() === name);
}

/** Whether the traffic ends here with a refusal: closed, or answered with an error. */
export function isRefusal(action: Action): boolean {
  if (terminationOf(action) !== 'always') return false;
  const status = statusOf(action);
  return status === undefined ? !takesRole(action, 'body') && isClosing(action) : status >= 400;
}

/** It ends the traffic without handing it to anybody. */
function isClosing({ fact }: Action): boolean {
  return fact?.config.every(field => field.role === 'status') ?? false;
}

/** An answer with a body. */
export function isAnswer(action: Action): boolean {
  return takesRole(action, 'body');
}

/** A redirect of the client: it replaces in the URL, and answers with a status. */
export function isRedirect(action: Action): boolean {
  return takesRole(action, 'url-replacement') && takesRole(action, 'status');
}

/** The texts of a list. */
export function textsIn(node: DocumentNode | undefined): readonly WrittenText[] {
  return node?.kind === 'list' ? node.items.flatMap(item => textOf(item) ?? []) : [];
}

/** The node as a text. */
export function textOf(node: DocumentNode): WrittenText | undefined {
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
