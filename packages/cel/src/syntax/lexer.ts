// The lexer: tokens of any source, and errors in them.

import type { TokenType } from 'chevrotain';
import { findQuote, isDigit, isHexDigit, isNamePart, isNameStart, isQuotedNamePart } from './characters.ts';
import {
  describeCharacters,
  FOREIGN_SYMBOLS,
  type ForeignOperator,
  lineEnd,
  REMOVE_IT,
  remedyOf,
  removing,
  replacing,
  report,
  TYPOGRAPHIC_QUOTES,
  typographicString,
} from './foreign-syntax.ts';
import { LimitExceeded, limitFinding, type Reporter } from './reporter.ts';
import * as T from './tokens.ts';

/**
 * Splits source into tokens. Written by hand, because Chevrotain's lexer alone would take half of the total parsing time. Never fails:
 * invalid characters are reported and skipped.
 *
 * @throws LimitExceeded if brackets are nested too deeply or there are too many findings
 */
export function tokenize(source: string, reporter: Reporter): T.Token[] {
  const lexer = new Lexer(source, reporter);
  lexer.run();
  return lexer.tokens;
}

// Character codes.
const TAB = 0x09;
const LINE_FEED = 0x0a;
const FORM_FEED = 0x0c;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
const PLUS = 0x2b;
const MINUS = 0x2d;
const DOT = 0x2e;
const SLASH = 0x2f;
const COLON = 0x3a;
const EQUALS = 0x3d;
const BACKSLASH = 0x5c;
const BACKTICK = 0x60;

/** Punctuation that is a token whatever follows, by character code. */
const SINGLES: readonly (TokenType | undefined)[] = tableOf([
  T.Plus,
  T.Minus,
  T.Star,
  T.Percent,
  T.Question,
  T.Colon,
  T.Comma,
]);
const OPENING: readonly (TokenType | undefined)[] = tableOf([T.LeftParen, T.LeftBracket, T.LeftBrace]);
const CLOSING: readonly (TokenType | undefined)[] = tableOf([T.RightParen, T.RightBracket, T.RightBrace]);

function tableOf(types: readonly TokenType[]): (TokenType | undefined)[] {
  const table: (TokenType | undefined)[] = new Array(128).fill(undefined);
  for (const type of types) table[(type.LABEL as string).charCodeAt(0)] = type;
  return table;
}

class Lexer {
  readonly tokens: T.Token[] = [];
  private readonly source: string;
  private readonly reporter: Reporter;
  private at = 0;
  private depth = 0;

  constructor(source: string, reporter: Reporter) {
    this.source = source;
    this.reporter = reporter;
  }

  run(): void {
    const { source } = this;
    const length = source.length;
    while (this.at < length) {
      const code = source.charCodeAt(this.at);
      if (code === SPACE || code === LINE_FEED || code === TAB || code === CARRIAGE_RETURN || code === FORM_FEED) {
        this.at++;
      } else if (isNameStart(code)) this.name();
      else if (isDigit(code)) this.number();
      else if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) this.quoted(this.at, this.at, T.StringLiteral);
      else this.symbol(code);
    }
  }

  private symbol(code: number): void {
    const single = SINGLES[code];
    if (single !== undefined && !this.isAssignment(code)) this.push(single, this.at + 1);
    else if (OPENING[code] !== undefined) this.open(OPENING[code]);
    else if (CLOSING[code] !== undefined) this.close(CLOSING[code]);
    else if (code === DOT) this.dot();
    else if (code === SLASH) this.slash();
    else if (code === BACKTICK) this.quotedName();
    else this.operator(code);
  }

  /** `:=`, which no valid expression contains. */
  private isAssignment(code: number): boolean {
    return code === COLON && this.source.charCodeAt(this.at + 1) === EQUALS;
  }

  private push(type: TokenType, end: number): void {
    this.tokens.push(new T.Token(type, this.at, end, ''));
    this.at = end;
  }

  private open(type: TokenType): void {
    // The parser recurses on brackets, so this bounds its stack.
    const { limits } = this.reporter;
    if (++this.depth > limits.maxDepth) {
      throw new LimitExceeded(limitFinding('maxDepth', limits, { start: this.at, end: this.at + 1 }));
    }
    this.push(type, this.at + 1);
  }

  private close(type: TokenType): void {
    if (this.depth > 0) this.depth--;
    this.push(type, this.at + 1);
  }

  private name(): void {
    const { source } = this;
    const start = this.at;
    let end = start + 1;
    while (isNamePart(source.charCodeAt(end))) end++;
    const after = source.charCodeAt(end);
    const text = source.slice(start, end);
    const quoted = after === DOUBLE_QUOTE || after === SINGLE_QUOTE ? PREFIXED.get(text.toLowerCase()) : undefined;
    if (quoted !== undefined) {
      this.quoted(start, end, quoted);
    } else {
      const type = wordType(text);
      if (type === T.Identifier || this.isField(text, end))
        this.tokens.push(new T.Token(T.Identifier, start, end, text));
      else this.tokens.push(new T.Token(type, start, end, ''));
      this.at = end;
    }
  }

  /** Returns true if a keyword is used as a field name; reports that it must be in backticks. */
  private isField(keyword: string, end: number): boolean {
    const last = this.tokens.at(-1)?.tokenType;
    if (last !== T.Dot && !(last === T.Question && this.tokens.at(-2)?.tokenType === T.Dot)) return false;
    const range = { start: this.at, end };
    const newText = `\`${keyword}\``;
    this.reporter.report({
      code: 'syntax/keyword-as-field',
      message: `expected a field name, found the keyword \`${keyword}\``,
      range,
      args: { found: keyword },
      fixes: [{ title: 'write the name in backticks', applicability: 'suggestion', edits: [{ range, newText }] }],
    });
    return true;
  }

  private number(): void {
    const { source } = this;
    let end = this.at;
    let type = T.IntLiteral;
    if (source.startsWith('0x', end) && isHexDigit(source.charCodeAt(end + 2))) {
      end += 3;
      while (isHexDigit(source.charCodeAt(end))) end++;
    } else {
      end = this.skipDigits(end);
      if (source.charCodeAt(end) === DOT && isDigit(source.charCodeAt(end + 1))) {
        end = this.skipDigits(end + 1);
        type = T.DoubleLiteral;
      }
      const exponentEnd = this.skipExponent(end);
      if (exponentEnd > end) type = T.DoubleLiteral;
      end = exponentEnd;
    }
    if (type === T.IntLiteral && (source[end] === 'u' || source[end] === 'U')) {
      type = T.UintLiteral;
      end++;
    }
    this.push(type, end);
  }

  private skipDigits(from: number): number {
    let end = from;
    while (isDigit(this.source.charCodeAt(end))) end++;
    return end;
  }

  /** Returns the end of an exponent that starts at `from`; `from` if there is none. */
  private skipExponent(from: number): number {
    if (this.source[from] !== 'e' && this.source[from] !== 'E') return from;
    const sign = this.source.charCodeAt(from + 1);
    const digits = sign === PLUS || sign === MINUS ? from + 2 : from + 1;
    return isDigit(this.source.charCodeAt(digits)) ? this.skipDigits(digits) : from;
  }

  /** Reads a string or bytes literal that starts at `start`, with its opening quote at `quoteAt`. */
  private quoted(start: number, quoteAt: number, type: TokenType): void {
    const { source } = this;
    const quote = source.charCodeAt(quoteAt);
    const raw = quoteAt > start && (source[quoteAt - 1] === 'r' || source[quoteAt - 1] === 'R');
    const triple = source.charCodeAt(quoteAt + 1) === quote && source.charCodeAt(quoteAt + 2) === quote;
    this.at = start;
    if (triple) this.tripleQuoted(quoteAt, raw, type);
    else {
      const bodyEnd = findQuote(source, quoteAt + 1, quote, raw);
      if (bodyEnd >= 0) this.push(type, bodyEnd + 1);
      else this.unclosed(type, source[quoteAt] as string, ~bodyEnd);
    }
  }

  private tripleQuoted(quoteAt: number, raw: boolean, type: TokenType): void {
    const quotes = this.source.slice(quoteAt, quoteAt + 3);
    const bodyEnd = this.findTripleQuote(quoteAt + 3, quotes, raw);
    if (bodyEnd >= 0) this.push(type, bodyEnd + 3);
    else this.unclosed(type, quotes, this.source.length);
  }

  private unclosed(type: TokenType, wanted: string, end: number): void {
    const missing = wanted.length > 1 ? 'expression' : 'line';
    this.reporter.report({
      code: 'syntax/unclosed-literal',
      message: `expected \`${wanted}\` at the end of the ${type.LABEL}, found the end of the ${missing}`,
      range: { start: this.at, end },
      args: { expected: wanted },
    });
    this.push(T.UnterminatedLiteral, end);
  }

  private findTripleQuote(from: number, quotes: string, raw: boolean): number {
    const { source } = this;
    if (raw) return source.indexOf(quotes, from);
    for (let at = from; at < source.length; at++) {
      if (source.charCodeAt(at) === BACKSLASH) at++;
      else if (source.startsWith(quotes, at)) return at;
    }
    return -1;
  }

  private dot(): void {
    const isNumber = isDigit(this.source.charCodeAt(this.at + 1));
    if (isNumber) this.push(T.DoubleLiteral, this.skipExponent(this.skipDigits(this.at + 1)));
    else this.push(T.Dot, this.at + 1);
  }

  private slash(): void {
    if (this.source.charCodeAt(this.at + 1) === SLASH) {
      const lineEnd = this.source.indexOf('\n', this.at);
      this.at = lineEnd < 0 ? this.source.length : lineEnd;
    } else this.push(T.Slash, this.at + 1);
  }

  private quotedName(): void {
    const start = this.at;
    let end = start + 1;
    while (isQuotedNamePart(this.source.charCodeAt(end))) end++;
    if (end > start + 1 && this.source.charCodeAt(end) === BACKTICK) {
      this.tokens.push(new T.Token(T.QuotedName, start, end + 1, this.source.slice(start + 1, end)));
      this.at = end + 1;
    } else this.brokenQuotedName(start, end);
  }

  private brokenQuotedName(start: number, nameEnd: number): void {
    const closing = this.source.indexOf('`', start + 1);
    const lineEnd = this.source.indexOf('\n', start);
    const closed = closing >= 0 && (lineEnd < 0 || closing < lineEnd);
    const end = closed ? closing + 1 : nameEnd;
    this.reporter.report({
      code: 'syntax/invalid-quoted-name',
      message: closed
        ? 'expected letters, digits, `_`, `.`, `-`, `/` or spaces between backticks'
        : 'expected a backtick at the end of the quoted name',
      range: { start, end },
    });
    // A placeholder for the intended name, which prevents consequential errors.
    this.tokens.push(new T.Token(T.QuotedName, start, end, this.source.slice(start + 1, closed ? closing : end)));
    this.at = end;
  }

  private operator(code: number): void {
    const next = this.source.charCodeAt(this.at + 1);
    const type = operatorType(code, next);
    const end = this.at + (type?.LABEL?.length ?? 0);
    const foreign = type === undefined || GOES_ON.has(this.source.charCodeAt(end)) ? this.foreignSymbol() : undefined;
    if (foreign) this.foreign(...foreign);
    else if (type !== undefined) this.push(type, end);
    else if (DOUBLED[code] === undefined) this.unexpected();
    else this.half(DOUBLED[code]);
  }

  private foreignSymbol(): (typeof FOREIGN_SYMBOLS)[number] | undefined {
    return FOREIGN_SYMBOLS.find(([text]) => this.source.startsWith(text, this.at));
  }

  /** Reads a token that CEL spells differently. */
  private foreign(text: string, { token, remedy, newText }: ForeignOperator): void {
    const range = { start: this.at, end: this.at + text.length };
    const fixes = newText === undefined ? [] : [replacing(range, newText)];
    report(this.reporter, { word: text, remedy, range, fixes });
    this.push(token, range.end);
  }

  /** Reads half of an operator as the whole. */
  private half(doubled: TokenType): void {
    const text = doubled.LABEL as string;
    const range = { start: this.at, end: this.at + 1 };
    this.reporter.report({
      code: 'syntax/unknown-operator',
      message: `expected \`${text}\`, found \`${text[0]}\``,
      range,
      args: { expected: text, found: text[0] as string },
      fixes: [{ title: `write \`${text}\``, applicability: 'suggestion', edits: [{ range, newText: text }] }],
    });
    this.push(doubled, this.at + 1);
  }

  /** Reads a string of unknown value, which prevents consequential errors. */
  private typographic(closing: RegExp): void {
    const { finding, end } = typographicString(this.source, this.at, closing);
    this.reporter.report(finding);
    this.push(T.UnterminatedLiteral, end);
  }

  /** Reports a run of characters that start no token as one finding. */
  private unexpected(): void {
    const start = this.at;
    const closing = TYPOGRAPHIC_QUOTES.get(this.source[start]!);
    if (closing) {
      this.typographic(closing);
      return;
    }
    do {
      this.at += (this.source.codePointAt(this.at) as number) > 0xffff ? 2 : 1;
    } while (this.at < this.source.length && !startsToken(this.source.charCodeAt(this.at)));
    const text = this.source.slice(start, this.at);
    const remedy = remedyOf(text, this.source.slice(this.at));
    const end = this.at;
    if (text === '#') this.at = lineEnd(this.source, this.at);
    this.reporter.report({
      code: 'syntax/unexpected-character',
      message: `unexpected ${describeCharacters(text)}${remedy}`,
      range: { start, end },
      args: { found: text.slice(0, 20) },
      ...(remedy === REMOVE_IT && { fixes: [removing({ start, end })] }),
    });
  }
}

/** Kinds of quoted literals by prefix. */
const PREFIXED: ReadonlyMap<string, TokenType> = new Map([
  ['r', T.StringLiteral],
  ['b', T.BytesLiteral],
  ['br', T.BytesLiteral],
]);

function wordType(text: string): TokenType {
  switch (text.length) {
    case 2:
      return text === 'in' ? T.In : T.Identifier;
    case 4:
      return text === 'true' ? T.True : text === 'null' ? T.Null : T.Identifier;
    case 5:
      return text === 'false' ? T.False : T.Identifier;
    default:
      return T.Identifier;
  }
}

/** Returns the operator that starts with `code`, one of `! = < > & |`, when followed by `next`. */
function operatorType(code: number, next: number): TokenType | undefined {
  if (code === 0x21) return next === EQUALS ? T.BangEqual : T.Bang;
  if (code === 0x3c) return next === EQUALS ? T.LessEqual : T.Less;
  if (code === 0x3e) return next === EQUALS ? T.GreaterEqual : T.Greater;
  return next === code ? DOUBLED[code] : undefined;
}

/** `=`, `>` and `~` turn a CEL operator into one of another language. */
const GOES_ON: ReadonlySet<number> = new Set([0x3d, 0x3e, 0x7e]);

/** Operators that users often type only half of. */
const DOUBLED: Readonly<Record<number, TokenType>> = { 61: T.EqualEqual, 38: T.AndAnd, 124: T.OrOr };

/** Returns true if a character is white space or may start a token, and so ends a run of invalid characters. */
function startsToken(code: number): boolean {
  return code < 0x80 && code > SPACE ? !'#$;@\\^~'.includes(String.fromCharCode(code)) && code !== 0x7f : isSpace(code);
}

function isSpace(code: number): boolean {
  return code === SPACE || code === LINE_FEED || code === TAB || code === CARRIAGE_RETURN || code === FORM_FEED;
}
