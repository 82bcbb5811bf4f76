import type { Expr } from '@tollgate/cel';
import type { Action, DocumentNode, MapEntryNode, ScalarNode } from '@tollgate/policy';
import { analyzeExpression } from '../expressions/expression-analysis.ts';
import type { ActionLocation, ConfigString } from '../rule-api/config-string.ts';
import type { LintedFile } from '../rule-api/lint-context.ts';
import type { Dispatch } from './dispatch.ts';
import { walkExpression } from './walk-expression.ts';

/** An action, and the functions to call for it. */
interface ConfigWalk {
  readonly action: Action;
  readonly place: ActionLocation;
  readonly file: LintedFile;
  readonly dispatch: Dispatch;
}

/** Visits the strings in an action's configuration in document order, each before its expressions. */
export function walkConfig(walk: ConfigWalk): void {
  const { configNode, expressions } = walk.action;
  if (!configNode || (walk.dispatch.configString.length === 0 && expressions.length === 0)) return;
  for (const entry of configNode.entries) walkValue(entry.value, entry, [entry.key], walk);
}

function walkValue(node: DocumentNode, entry: MapEntryNode, path: readonly string[], walk: ConfigWalk): void {
  if (node.kind === 'scalar') {
    if (isText(node)) showText({ node, action: walk.action, place: walk.place, path, entry }, walk);
  } else if (node.kind === 'list') {
    for (const item of node.items) walkValue(item, entry, path, walk);
  } else if (node.kind === 'map') {
    for (const inner of node.entries) walkValue(inner.value, inner, [...path, inner.key], walk);
  }
}

function isText(node: ScalarNode): node is ScalarNode & { readonly value: string } {
  return typeof node.value === 'string';
}

function showText(config: ConfigString, { action, place, file, dispatch }: ConfigWalk): void {
  for (const { call, run } of dispatch.configString) run.show(call, config);
  for (const { kind, text, offset, typed } of action.expressions) {
    if (text !== config.node.text || !typed) continue;
    const ancestors: Expr[] = [];
    const { policy, rule } = place;
    const role = kind === 'whole' ? 'config' : kind;
    const where = { policy, rule, action, config, text, offset, document: file.source.text, ancestors };
    walkExpression({ role, typed, analysis: analyzeExpression(typed, file.roles), ...where }, ancestors, dispatch);
  }
}
