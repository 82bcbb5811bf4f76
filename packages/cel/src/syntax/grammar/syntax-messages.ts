import type { Range } from '@tollgate/diagnostics';
import { EOF, type IParserErrorMessageProvider, type IToken, type TokenType } from 'chevrotain';
import type { Finding } from '../lexing/reporter.ts';
import * as T from '../lexing/tokens.ts';

/** A syntax error, with the gap before its token: characters that the lexer skipped there may have caused it. */
export interface SyntaxFinding extends Finding {
  readonly gap: Range;
}

/** Words Chevrotain's errors. Chevrotain requests the message of every error exactly once, so errors are collected here. */
export class SyntaxMessages implements IParserErrorMessageProvider {
  /** The first token that Chevrotain left unread. */
  redundant: T.Token | undefined;
  private source = '';
  private tokens: readonly T.Token[] = [];
  private report: (finding: SyntaxFinding) => void = () => {};
  private lastEnd: () => number = () => 0;

  /** Starts a new expression; `lastEnd` returns the end of the token before the current one. */
  begin(
    { source, tokens }: { readonly source: string; readonly tokens: readonly T.Token[] },
    report: (finding: SyntaxFinding) => void,
    lastEnd: () => number,
  ): void {
    this.source = source;
    this.tokens = tokens;
    this.report = report;
    this.lastEnd = lastEnd;
    this.redundant = undefined;
  }

  buildMismatchTokenMessage(options: { expected: TokenType; actual: IToken }): string {
    if (options.expected === EOF) this.redundant = options.actual as T.Token;
    return this.found(describeType(options.expected), options.actual, this.openerOf(options.expected, options.actual));
  }

  buildNotAllInputParsedMessage(options: { firstRedundant: IToken }): string {
    this.redundant = options.firstRedundant as T.Token;
    return this.redundantToken(options.firstRedundant as T.Token);
  }

  buildNoViableAltMessage(options: { expectedPathsPerAlt: TokenType[][][]; actual: IToken[] }): string {
    const types = options.expectedPathsPerAlt.flatMap(paths => paths.map(path => path[0]));
    return this.found(types.includes(T.Literal) ? 'an expression' : 'a field name', options.actual[0] as IToken);
  }

  buildEarlyExitMessage(options: { actual: IToken[] }): string {
    return this.found('an expression', options.actual[0] as IToken);
  }

  private redundantToken(token: T.Token): string {
    const remedy = [...CLOSERS.keys(), T.Comma].includes(token.tokenType) ? '; remove it' : '';
    return this.found('an operator or the end of the expression', token, undefined, remedy);
  }

  /** Returns the range of the opening bracket that belongs to a closing one. */
  private openerOf(closing: TokenType, actual: IToken): Range | undefined {
    const opening = CLOSERS.get(closing);
    const open: T.Token[] = [];
    for (const token of this.tokens) {
      if (token === actual) break;
      if (OPENERS.includes(token.tokenType)) open.push(token);
      else if (CLOSERS.has(token.tokenType)) open.pop();
    }
    const found = open.findLast(token => token.tokenType === opening);
    return found && { start: found.startOffset, end: found.end };
  }

  private found(expected: string, actual: IToken, opener?: Range, remedy = ''): string {
    const lastEnd = this.lastEnd();
    const isEnd = actual.tokenType === EOF;
    const range = isEnd
      ? { start: lastEnd, end: lastEnd }
      : { start: actual.startOffset, end: (actual as T.Token).end };
    const text = shorten(this.source.slice(range.start, range.end));
    const message = `expected ${expected}, found ${isEnd ? 'the end of the expression' : `\`${text}\``}${remedy}`;
    const gap = { start: lastEnd, end: isEnd ? this.source.length : range.start };
    const related = opener && [{ range: opener, message: 'opened here' }];
    this.report({
      code: 'syntax/unexpected-token',
      message,
      range,
      args: { expected, found: text },
      gap,
      ...(related && { related }),
    });
    return message;
  }
}

const CLOSERS: ReadonlyMap<TokenType, TokenType> = new Map([
  [T.RightParen, T.LeftParen],
  [T.RightBracket, T.LeftBracket],
  [T.RightBrace, T.LeftBrace],
]);
const OPENERS = [...CLOSERS.values()];

function describeType(type: TokenType): string {
  if (type === T.Identifier) return 'a name';
  return type === EOF ? 'an operator or the end of the expression' : `\`${type.LABEL}\``;
}

const SHOWN_LENGTH = 40;

function shorten(text: string): string {
  const shown = text.slice(0, SHOWN_LENGTH).toWellFormed();
  return text.length <= SHOWN_LENGTH ? shown : `${shown}…`;
}
