import type { Ast } from '../../ast/ast.ts';
import { CommentPlaces } from './comment-places.ts';
import { layOutExpression } from './expression-layout.ts';
import { flatText, group, type Layout, sequence } from './layout.ts';
import { renderLayout } from './render-layout.ts';
import { writtenLiteral } from './written-literal.ts';

/** How an expression is to be laid out. */
export interface ExpressionFormat {
  /** The longest line, in UTF-16 units, where the expression can be broken; one line by default. */
  readonly width?: number;
}

/** An expression, laid out. */
export interface FormattedExpression {
  readonly text: string;
  /** Whether line breaks mean something: they end comments, or stand inside strings. Otherwise any may become a space. */
  readonly keepsLines: boolean;
}

/**
 * Lays an expression out: on one line where that fits, else broken at `&&` and `||`, `?` and `:`, and inside lists, with
 * parentheses where the tree needs them and around `&&` inside `||`. Parsing the result gives the same tree. Numbers stay as
 * they were written, strings get single quotes unless double ones save escapes. Comments are kept; an expression with one
 * where there is no place for it stays as it was written. The tree must be of a text without errors, parsed with or without
 * macros.
 */
export function formatExpression(
  ast: Ast,
  { width = Number.POSITIVE_INFINITY }: ExpressionFormat = {},
): FormattedExpression {
  const comments = new CommentPlaces(ast);
  const hasComments = comments.remaining > 0;
  const layout = withOuterComments(ast, comments);
  if (comments.remaining > 0) return { text: ast.source.trim(), keepsLines: true };
  return { text: renderLayout(layout, width), keepsLines: hasComments || flatText(layout).includes('\n') };
}

function withOuterComments(ast: Ast, comments: CommentPlaces): Layout {
  const holder = { start: 0, end: ast.source.length };
  const { before, after } = comments.around([ast.root.range], holder)[0]!;
  const style = { literal: writtenLiteral.bind(undefined, ast), isExplicit: true, comments };
  return sequence(before, group(layOutExpression(ast, style)), after);
}
