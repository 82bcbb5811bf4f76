import type { CallExpr, Expr } from '@tollgate/cel';
import type { Action, Policy, Rule } from '@tollgate/policy';
import type { ActionPlace, ConfigText } from './config-text.ts';
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

/** Called for calls, operators and macros included. */
export type CallVisitor = (call: CallExpr, at: LintedExpression, context: LintContext) => void;

/**
 * What a lint rule wants to see. One walk shows everything to all lint rules: a file first, then its policies in order, rules before
 * what is in them, conditions before actions. The functions hold no state: whoever compares parts of a policy does it in `policy`.
 */
export interface Visitor {
  readonly file?: (file: LintedFile, context: LintContext) => void;
  readonly policy?: (policy: Policy, context: LintContext) => void;
  readonly rule?: (rule: Rule, policy: Policy, context: LintContext) => void;
  readonly action?: (action: Action, place: ActionPlace, context: LintContext) => void;
  /** Every text in configurations; keys are none. */
  readonly configText?: (text: ConfigText, context: LintContext) => void;
  /** Every expression without an error, before its nodes. */
  readonly expression?: (expression: LintedExpression, context: LintContext) => void;
  /**
   * By kind of node. Macros are seen as they were written, as calls, and not what they expand to; their iteration variables are
   * identifiers.
   */
  readonly nodes?: { readonly [Kind in Expr['kind']]?: NodeVisitor<Kind> };
  /** By name of function, operator or macro: `matches`, `_==_`, `@in`, `exists`. */
  readonly calls?: { readonly [name: string]: CallVisitor };
  /** Of a file of policy tests, which has no policies of its own. */
  readonly tests?: (tests: LintedTests, context: LintContext) => void;
  /** What became of the comments that suppress findings, after all else. What is found here cannot be suppressed. */
  readonly suppressions?: (report: SuppressionReport, context: LintContext) => void;
}
