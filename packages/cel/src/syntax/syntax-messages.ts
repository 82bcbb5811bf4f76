import type { Range } from '@tollgate/diagnostics';
import { EOF, type IParserErrorMessageProvider, type IToken, type TokenType } from 'chevrotain';
import type { Finding } from './reporter.ts';
import * as T from './tokens.ts';

/** A syntax error, with the gap before its token: what the lexer left out there may be what it stems from. */
export interface SyntaxFinding extends Finding {
  readonly gap: Range;
}

/** Words what chevrotain finds wrong. Chevrotain asks for the message of every error once, so this is also where they are collected. */
export class SyntaxMessages implements IParserErrorMessageProvider {
  /** The token after which chevrotain left the text unread. */
  redundant: T.Token | undefined;
  private source = '';
  private report: (finding: SyntaxFinding) => void = () => {};
  private lastEnd: () => number = () => 0;

  /** Begins a text; `lastEnd` tells where the token before the current one ended. */
  begin(source: string, report: (finding: SyntaxFinding) => void, lastEnd: () => number): void {
    this.source = source;
    this.report = report;
    this.lastEnd = lastEnd;
    this.redundant = undefined;
  }

  buildMismatchTokenMessage(options: { expected: TokenType; actual: IToken }): string {
    if (options.expected === EOF) this.redundant = options.actual as T.Token;
    return this.found(describeType(options.expected), options.actual);
  }

  buildNotAllInputParsedMessage(options: { firstRedundant: IToken }): string {
    this.redundant = options.firstRedundant as T.Token;
    return this.found('an operator or the end of the expression', options.firstRedundant);
  }

  buildNoViableAltMessage(options: { expectedPathsPerAlt: TokenType[][][]; actual: IToken[] }): string {
    const types = options.expectedPathsPerAlt.flatMap(paths => paths.map(path => path[0]));
    return this.found(types.includes(T.Literal) ? 'an expression' : 'a field name', options.actual[0] as IToken);
  }

  buildEarlyExitMessage(options: { actual: IToken[] }): string {
    return this.found('an expression', options.actual[0] as IToken);
  }

  private found(expected: string, actual: IToken): string {
    const lastEnd = this.lastEnd();
    const isEnd = actual.tokenType === EOF;
    const range = isEnd
      ? { start: lastEnd, end: lastEnd }
      : { start: actual.startOffset, end: (actual as T.Token).end };
    const text = shorten(this.source.slice(range.start, range.end));
    const message = `expected ${expected}, found ${isEnd ? 'the end of the expression' : `\`${text}\``}`;
    const gap = { start: lastEnd, end: isEnd ? this.source.length : range.start };
    this.report({ code: 'syntax/unexpected-token', message, range, args: { expected, found: text }, gap });
    return message;
  }
}

function describeType(type: TokenType): string {
  if (type === T.Identifier) return 'a name';
  return type === EOF ? 'an operator or the end of the expression' : `\`${type.LABEL}\``;
}

const SHOWN_LENGTH = 40;

function shorten(text: string): string {
  const shown = text.slice(0, SHOWN_LENGTH).toWellFormed();
  return text.length <= SHOWN_LENGTH ? shown : `${shown}…`;
}
