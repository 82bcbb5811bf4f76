import type { Ast, Expr } from '@tollgate/cel';
import { childrenOf } from '@tollgate/cel/tooling';
import { asWritten } from '../expressions/source-nodes.ts';
import type { LintedExpression } from '../rule-api/linted-expression.ts';
import type { Dispatch } from './dispatch.ts';

/** Visits an expression and its nodes as written in the source. */
export function walkExpression(at: LintedExpression, ancestors: Expr[], dispatch: Dispatch): void {
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
