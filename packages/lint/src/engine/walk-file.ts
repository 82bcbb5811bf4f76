// The walk over a file, its expressions and configurations, that calls the visitors of all rules.

import type { Ast, Expr } from '@tollgate/cel';
import { childrenOf } from '@tollgate/cel/tooling';
import type { Diagnostic } from '@tollgate/diagnostics';
import type { Action, DocumentNode, MapEntryNode, Policy, Rule, ScalarNode } from '@tollgate/policy';
import { analyzeExpression } from '../readers/expression-analysis.ts';
import { asWritten } from '../readers/source-nodes.ts';
import type {
  ActionLocation,
  ConfigString,
  LintedFile,
  LintedTests,
  SuppressionReport,
} from '../rule-api/lint-context.ts';
import type { LintedExpression } from '../rule-api/linted-expression.ts';
import type { Dispatch } from './rule-runner.ts';

/** Visits a file for lint rules in one walk and returns their findings in order. */
export function walkFile(file: LintedFile, dispatch: Dispatch): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const run of dispatch.runs) run.start({ file, found });
  for (const { call, run } of dispatch.file) run.show(call, file);
  for (const policy of file.policies) walkPolicy(policy, file, dispatch);
  return found;
}

/** Visits a file of policy tests. */
export function walkTests(tests: LintedTests, file: LintedFile, dispatch: Dispatch): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const run of dispatch.runs) run.start({ file, found });
  for (const { call, run } of dispatch.tests) run.show(call, tests);
  return found;
}

/** Visits the suppressions of a file after it was linted. */
export function walkSuppressions(
  file: LintedFile,
  report: SuppressionReport,
  dispatch: Dispatch,
): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const run of dispatch.runs) run.start({ file, found });
  for (const { call, run } of dispatch.suppressions) run.show(call, report);
  return found;
}

function walkPolicy(policy: Policy, file: LintedFile, dispatch: Dispatch): void {
  for (const { call, run } of dispatch.policy) run.show(call, policy);
  for (const phase of file.profile.phases) {
    for (const rule of policy.rules[phase]) walkRule(rule, policy, { file, dispatch });
  }
}

function walkRule(
  rule: Rule,
  policy: Policy,
  { file, dispatch }: { readonly file: LintedFile; readonly dispatch: Dispatch },
): void {
  for (const { call, run } of dispatch.rule) run.showAt(call, rule, policy);
  const document = file.source.text;
  for (const { typed, text } of rule.expressions) {
    if (!typed) continue;
    const ancestors: Expr[] = [];
    const where = { policy, rule, action: undefined, config: undefined, text, offset: 0, document, ancestors };
    walkExpression(
      { role: 'condition', typed, analysis: analyzeExpression(typed, file.roles), ...where },
      ancestors,
      dispatch,
    );
  }
  rule.actions.forEach((action, index) => {
    const place = { policy, rule, index };
    for (const { call, run } of dispatch.action) run.showAt(call, action, place);
    walkConfig({ action, place, file, dispatch });
  });
}

/** An action, and the functions to call for it. */
interface ConfigWalk {
  readonly action: Action;
  readonly place: ActionLocation;
  readonly file: LintedFile;
  readonly dispatch: Dispatch;
}

/** Visits the strings in an action's configuration in document order, each before its expressions. */
function walkConfig(walk: ConfigWalk): void {
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

/** Visits an expression and its nodes as written in the source. */
function walkExpression(at: LintedExpression, ancestors: Expr[], dispatch: Dispatch): void {
  for (const { call, run } of dispatch.expression) run.show(call, at);
  walkNode(at.typed.ast.root, { at, ast: at.typed.ast, ancestors, dispatch });
}

interface Walk {
  readonly at: LintedExpression;
  readonly ast: Ast;
  /** The list that the expression exposes. */
  readonly ancestors: Expr[];
  readonly dispatch: Dispatch;
}

function walkNode(expanded: Expr, walk: Walk): void {
  const { at, ast, ancestors, dispatch } = walk;
  const node = asWritten(ast, expanded);
  const listeners = dispatch.nodes.get(node.kind);
  if (listeners) for (const { call, run } of listeners) run.showAt(call, node, at);
  const callers = node.kind === 'call' ? dispatch.calls.get(node.function) : undefined;
  if (callers && node.kind === 'call') for (const { call, run } of callers) run.showAt(call, node, at);
  ancestors.push(node);
  for (const child of childrenOf(node)) walkNode(child, walk);
  ancestors.pop();
}
