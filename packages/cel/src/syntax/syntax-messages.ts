import { EOF, type IParserErrorMessageProvider, type IToken, type TokenType } from 'chevrotain';
import type { Finding } from './reporter.ts';
import * as T from './tokens.ts';

/** A syntax error, with the end of the token before it: what the lexer left out in between may be what it stems from. */
export interface SyntaxFinding extends Finding {
  readonly previousEnd: number;
}

/** Words what chevrotain finds wrong. Chevrotain asks for the message of every error once, so this is also where they are collected. */
export class SyntaxMessages implements IParserErrorMessageProvider {
  private source = '';
  private report: (finding: SyntaxFinding) => void = () => {};

  begin(source: string, report: (finding: SyntaxFinding) => void): void {
    this.source = source;
    this.report = report;
  }

  buildMismatchTokenMessage(options: { expected: TokenType; actual: IToken; previous: IToken }): string {
    return this.found(describeType(options.expected), options.actual, options.previous);
  }

  buildNotAllInputParsedMessage(options: { firstRedundant: IToken }): string {
    const { firstRedundant } = options;
    return this.found('an operator or the end of the expression', firstRedundant, firstRedundant);
  }

  buildNoViableAltMessage(options: {
    expectedPathsPerAlt: TokenType[][][];
    actual: IToken[];
    previous: IToken;
    ruleName: string;
  }): string {
    const types = options.expectedPathsPerAlt.flatMap(paths => paths.map(path => path[0]));
    const expected = types.includes(T.Literal) ? 'an expression' : 'a field name';
    return this.found(expected, options.actual[0] as IToken, options.previous);
  }

  buildEarlyExitMessage(options: { actual: IToken[]; previous: IToken }): string {
    return this.found('an expression', options.actual[0] as IToken, options.previous);
  }

  private found(expected: string, actual: IToken, previous: IToken): string {
    const previousEnd = (previous as T.Token).end ?? 0;
    const isEnd = actual.tokenType === EOF;
    const range = isEnd
      ? { start: previousEnd, end: previousEnd }
      : { start: actual.startOffset, end: (actual as T.Token).end };
    const text = isEnd ? '' : this.source.slice(range.start, range.end);
    const message = `expected ${expected}, found ${isEnd ? 'the end of the expression' : `\`${shorten(text)}\``}`;
    this.report({
      code: 'syntax/unexpected-token',
      message,
      range,
      args: { expected, found: shorten(text) },
      previousEnd,
    });
    return message;
  }
}

function describeType(type: TokenType): string {
  if (type === T.Identifier) return 'a name';
  return type === EOF ? 'an operator or the end of the expression' : `\`${type.LABEL}\``;
}

const SHOWN_LENGTH = 40;

function shorten(text: string): string {
  return text.length <= SHOWN_LENGTH ? text : `${text.slice(0, SHOWN_LENGTH).toWellFormed()}…`;
}
