import type { Expr } from '../../ast/ast.ts';
import * as T from '../lexing/tokens.ts';
import { RECOVERING_GRAMMAR } from './grammars.ts';
import type { SyntaxFinding } from './syntax-messages.ts';
import type { TreeBuilder } from './tree-builder.ts';

/**
 * Parses an expression with syntax errors and reports all of them. Returns the tree of the part before the first token that cannot continue
 * the expression. Findings of the lexer are already in the reporter.
 */
export function parseWithRecovery(tokens: T.Token[], tree: TreeBuilder): Expr {
  const grammar = RECOVERING_GRAMMAR();
  const gaps = tree.reporter.findings
    .filter(({ code }) => code === 'syntax/unexpected-character' || code === 'syntax/unclosed-literal')
    // What an unterminated literal swallowed is missing after it.
    .map(({ code, range }) => (code === 'syntax/unclosed-literal' ? { start: range.end, end: range.end } : range));
  let last = -1;
  const report = (finding: SyntaxFinding): void => {
    // Suppresses consequential errors: a second one at the same token, or one next to characters that the lexer skipped.
    const follows = gaps.some(({ start }) => start >= finding.gap.start && start <= finding.gap.end);
    if (!follows && finding.range.start !== last) tree.reporter.report(finding);
    last = finding.range.start;
  };
  const root = grammar.parse(tokens, tree, report);
  // After that token, the operands of further operators are still parsed, to report their own errors.
  let from = nextOperator(tokens, grammar.redundant);
  while (from !== undefined) {
    const rest = tokens.slice(from + 1);
    grammar.parse(rest, tree, report, (tokens[from] as T.Token).end);
    from = nextOperator(tokens, grammar.redundant, from);
  }
  return root;
}

/** Returns the index of the first operator from `token` on that is outside of brackets opened in between, where parsing can resume. */
function nextOperator(tokens: readonly T.Token[], token: T.Token | undefined, past = 0): number | undefined {
  if (token === undefined) return undefined;
  let depth = 0;
  for (let i = tokens.indexOf(token, past); i < tokens.length; i++) {
    const { tokenType } = tokens[i] as T.Token;
    if (OPENING.includes(tokenType)) depth++;
    else if (CLOSING.includes(tokenType)) depth--;
    else if (depth <= 0 && tokenType.CATEGORIES?.includes(T.BinaryOperator)) return i;
  }
  return undefined;
}

const OPENING = [T.LeftParen, T.LeftBracket, T.LeftBrace];
const CLOSING = [T.RightParen, T.RightBracket, T.RightBrace];
