import type { Expr, TypedAst } from '@tollgate/cel';
import type { Range, TextEdit } from '@tollgate/diagnostics';
import { type Action, documentRange, editScalar, type MappedText, type Policy, type Rule } from '@tollgate/policy';
import type { ExpressionAnalysis } from '../readers/expression-analysis.ts';
import type { ConfigString } from './lint-context.ts';

/** An expression without errors, and its context. */
export interface LintedExpression {
  /** A condition of a rule, a configuration value that is an expression, or one interpolated by `${…}`. */
  readonly role: 'condition' | 'config' | 'interpolation';
  readonly typed: TypedAst;
  readonly analysis: ExpressionAnalysis;
  /** The scalar that contains the expression at `offset`. */
  readonly text: MappedText;
  readonly offset: number;
  readonly document: string;
  readonly policy: Policy;
  readonly rule: Rule;
  /** The action whose configuration contains the expression. */
  readonly action: Action | undefined;
  /** The string in that configuration. */
  readonly config: ConfigString | undefined;
  /** From the root to the parent of the visited node. Valid only during the visit. */
  readonly ancestors: readonly Expr[];
}

/** Returns the range of a part of an expression in the document. */
export function rangeInDocument({ text, offset }: LintedExpression, { start, end }: Range): Range {
  return documentRange(text, { start: start + offset, end: end + offset });
}

/** Returns the source of a part of an expression. */
export function sourceOf({ typed }: LintedExpression, { start, end }: Range): string {
  return typed.ast.source.slice(start, end);
}

/** Converts edits of an expression into edits of the document, in the style of its scalar. */
export function editsOf({ text, offset, document }: LintedExpression, edits: readonly TextEdit[]): readonly TextEdit[] {
  const shifted = edits.map(({ range, newText }) => ({
    range: { start: range.start + offset, end: range.end + offset },
    newText,
  }));
  return editScalar(document, text, shifted);
}
