import type { Action, DocumentNode, MapEntryNode, ScalarNode } from '@tollgate/policy';
import type { ActionPlace } from '../rule/visitor.ts';
import type { Dispatch } from './dispatch.ts';

interface Walk {
  readonly action: Action;
  readonly place: ActionPlace;
  readonly dispatch: Dispatch;
}

/** Shows the texts of an action's configuration, in the order of the document. */
export function walkConfig(action: Action, place: ActionPlace, dispatch: Dispatch): void {
  if (dispatch.configText.length === 0 || !action.configNode) return;
  for (const entry of action.configNode.entries)
    walkValue(entry.value, entry, [entry.key], { action, place, dispatch });
}

function walkValue(node: DocumentNode, entry: MapEntryNode, path: readonly string[], walk: Walk): void {
  if (node.kind === 'scalar') {
    if (isText(node)) showText(node, entry, path, walk);
  } else if (node.kind === 'list') {
    for (const item of node.items) walkValue(item, entry, path, walk);
  } else if (node.kind === 'map') {
    for (const inner of node.entries) walkValue(inner.value, inner, [...path, inner.key], walk);
  }
}

function isText(node: ScalarNode): node is ScalarNode & { readonly value: string } {
  return typeof node.value === 'string';
}

function showText(
  node: ScalarNode & { readonly value: string },
  entry: MapEntryNode,
  path: readonly string[],
  { action, place, dispatch }: Walk,
): void {
  const text = { node, action, place, path, entry };
  for (const { call, run } of dispatch.configText) call(text, run);
}
