import type { Expr, TypedAst } from '@tollgate/cel';
import type { Range, TextEdit } from '@tollgate/diagnostics';
import { type Action, documentRange, editScalar, type MappedText, type Policy, type Rule } from '@tollgate/policy';
import type { ExpressionAnalysis } from '../expressions/expression-analysis.ts';
import type { ConfigText } from './config-text.ts';

/** An expression of a policy that has no error, and where it stands. */
export interface LintedExpression {
  /** A condition of a rule, a configuration value that is an expression, or one filled in by `${…}`. */
  readonly role: 'condition' | 'config' | 'interpolation';
  readonly typed: TypedAst;
  readonly analysis: ExpressionAnalysis;
  /** The text of the document that holds the expression, at `offset`. */
  readonly text: MappedText;
  readonly offset: number;
  readonly document: string;
  readonly policy: Policy;
  readonly rule: Rule;
  /** Of expressions in its configuration. */
  readonly action: Action | undefined;
  /** The text in its configuration. */
  readonly config: ConfigText | undefined;
  /** From the root to the parent of the node that is visited; while it is visited only. */
  readonly ancestors: readonly Expr[];
}

/** Where a part of an expression stands in the document. */
export function placeOf({ text, offset }: LintedExpression, { start, end }: Range): Range {
  return documentRange(text, { start: start + offset, end: end + offset });
}

/** The source of a part of an expression. */
export function sourceOf({ typed }: LintedExpression, { start, end }: Range): string {
  return typed.ast.source.slice(start, end);
}

/** Edits of the document that make edits of an expression, in whatever kind of scalar it is written. */
export function editsOf({ text, offset, document }: LintedExpression, edits: readonly TextEdit[]): readonly TextEdit[] {
  const shifted = edits.map(({ range, newText }) => ({
    range: { start: range.start + offset, end: range.end + offset },
    newText,
  }));
  return editScalar(document, text, shifted);
}
