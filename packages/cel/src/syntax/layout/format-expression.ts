import type { Ast } from '../../ast/ast.ts';
import { CommentAssignment } from './comment-assignment.ts';
import { layOutExpression } from './expression-layout.ts';
import { flatString, group, type Layout, sequence } from './layout.ts';
import { originalLiteral } from './original-literal.ts';
import { renderLayout } from './render-layout.ts';

/** Options of {@link formatExpression}. */
export interface ExpressionFormat {
  /** Maximum line length in UTF-16 units where the expression can be broken. By default, the result is one line. */
  readonly width?: number;
}

/** A formatted expression. */
interface FormattedExpression {
  readonly text: string;
  /** True if line breaks matter because they end comments or are inside strings; otherwise each may be replaced by a space. */
  readonly keepsLines: boolean;
}

/**
 * Formats an expression: on one line if it fits, otherwise broken at `&&` and `||`, `?` and `:`, and inside lists, with parentheses where
 * the tree requires them and around `&&` inside `||`. The result parses to the same tree. Numbers keep their spelling; strings get single
 * quotes unless double quotes save escapes. Comments are kept; an expression is returned unchanged if there is no place for one of them.
 * The tree must be of an expression without errors, parsed with or without macros.
 */
export function formatExpression(
  ast: Ast,
  { width = Number.POSITIVE_INFINITY }: ExpressionFormat = {},
): FormattedExpression {
  const comments = new CommentAssignment(ast);
  const hasComments = comments.remaining > 0;
  const layout = withOuterComments(ast, comments);
  if (comments.remaining > 0) return { text: ast.source.trim(), keepsLines: true };
  const flat = flatString(layout);
  const keepsLines = hasComments || flat.includes('\n');
  const isOneLine = !keepsLines && flat.length <= width;
  return { text: isOneLine ? flat : renderLayout(layout, width), keepsLines };
}

function withOuterComments(ast: Ast, comments: CommentAssignment): Layout {
  const holder = { start: 0, end: ast.source.length };
  const { before, after } = comments.around([ast.root.range], holder)[0]!;
  const style = { literal: originalLiteral.bind(undefined, ast), isExplicit: true, comments };
  return sequence(before, group(layOutExpression(ast, style)), after);
}
