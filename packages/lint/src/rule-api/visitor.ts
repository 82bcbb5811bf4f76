import type { CallExpr, Expr } from '@tollgate/cel';
import type { Action, Policy, Rule } from '@tollgate/policy';
import type { ActionLocation, ConfigString } from './config-string.ts';
import type { LintContext, LintedFile } from './lint-context.ts';
import type { LintedExpression } from './linted-expression.ts';
import type { LintedTests } from './linted-tests.ts';
import type { SuppressionReport } from './suppression.ts';

/** Called for nodes of one kind. */
export type NodeVisitor<Kind extends Expr['kind']> = (
  node: Extract<Expr, { readonly kind: Kind }>,
  at: LintedExpression,
  context: LintContext,
) => void;

/** Called for calls, including operators and macros. */
export type CallVisitor = (call: CallExpr, at: LintedExpression, context: LintContext) => void;

/**
 * The functions of a lint rule. One walk serves all lint rules: the file, then its policies in order; rules before their contents,
 * conditions before actions. The functions must be stateless; compare parts of a policy in `policy`.
 */
export interface Visitor {
  readonly file?: (file: LintedFile, context: LintContext) => void;
  readonly policy?: (policy: Policy, context: LintContext) => void;
  readonly rule?: (rule: Rule, policy: Policy, context: LintContext) => void;
  readonly action?: (action: Action, place: ActionLocation, context: LintContext) => void;
  /** Called for every string in configurations, but not for keys. */
  readonly configString?: (text: ConfigString, context: LintContext) => void;
  /** Called for every expression without errors, before its nodes. */
  readonly expression?: (expression: LintedExpression, context: LintContext) => void;
  /** Called by kind of node. A macro is visited as the call in the source, not as its expansion; its loop variables are identifiers. */
  readonly nodes?: { readonly [Kind in Expr['kind']]?: NodeVisitor<Kind> };
  /** Called by name of function, operator or macro: `matches`, `_==_`, `@in`, `exists`. */
  readonly calls?: { readonly [name: string]: CallVisitor };
  /** Called for a file of policy tests, which contains no policies. */
  readonly tests?: (tests: LintedTests, context: LintContext) => void;
  /** Called last, for the comments that suppress findings. Findings of this function cannot be suppressed. */
  readonly suppressions?: (report: SuppressionReport, context: LintContext) => void;
}
