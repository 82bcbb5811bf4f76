// Syntax of other languages in an expression, such as `and`, `===` or typographic quotes: what to write instead.

import type { Fix, Range } from '@tollgate/diagnostics';
import type { TokenType } from 'chevrotain';
import type { ParseFinding, Reporter } from './reporter.ts';
import * as T from './tokens.ts';

/** The closing quote for each opening one. */
export const TYPOGRAPHIC_QUOTES: ReadonlyMap<string, RegExp> = new Map([
  ...[...'“”„‟«»'].map(quote => [quote, /[“”„‟«»"]/] as const),
  ...[...'‘’‚‛′´'].map(quote => [quote, /[‘’‚‛′´']/] as const),
]);

/** Matches a string in typographic quotes, up to the closing quote or the end of the line. */
export function typographicString(
  source: string,
  start: number,
  closing: RegExp,
): { readonly finding: ParseFinding; readonly end: number } {
  const line = source.slice(start, lineEnd(source, start));
  const length = line.slice(1).search(closing);
  const end = length < 0 ? start + line.trimEnd().length : start + length + 2;
  const value = source.slice(start + 1, length < 0 ? end : end - 1);
  const quote = value.includes("'") ? '"' : "'";
  const range = { start, end };
  const edits = [{ range, newText: quote + value + quote }];
  const finding: ParseFinding = {
    code: 'syntax/unexpected-character',
    message: `typographic quotes \`${source[start]}\`; write straight quotes`,
    range,
    args: { found: source[start]! },
    fixes: [{ title: 'write straight quotes', applicability: 'suggestion', edits }],
  };
  return { finding, end };
}

/** The remedy for characters that mean nothing. */
export const REMOVE_IT = '; remove it';

/** Returns a remedy for characters that start no token. */
export function remedyOf(text: string, rest: string): string {
  if (text === ';') return rest.trim() === '' ? REMOVE_IT : '; join conditions with `&&`';
  if (text === '#') return '; a comment begins with `//`';
  if (/^\p{Zs}+$/u.test(text)) return '; write a space';
  return text === '$' ? '; variables have no prefix here' : '';
}

/** Returns the end of the line that contains an offset. */
export function lineEnd(source: string, from: number): number {
  const end = source.indexOf('\n', from);
  return end < 0 ? source.length : end;
}

/** Returns characters as shown in messages. */
export function describeCharacters(text: string): string {
  const shown = text.length > 20 ? `${text.slice(0, 20)}…` : text;
  if (/^[\p{L}\p{M}\p{N}\p{P}\p{S}]+…?$/u.test(shown)) return `\`${shown}\``;
  const code = text.codePointAt(0) as number;
  return `character U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** An operator of another language, and the token it is read as. */
export interface ForeignOperator {
  readonly token: TokenType;
  /** The remedy, as the end of a message. */
  readonly remedy: string;
  /** The spelling that may replace it directly. */
  readonly newText?: string;
}

const replacedBy = (token: TokenType): ForeignOperator => {
  const newText = token.LABEL as string;
  return { token, newText, remedy: `write \`${newText}\`` };
};
const method = (name: string): ForeignOperator => ({
  token: T.EqualEqual,
  remedy: `\`${name}\` is a method: write \`a.${name}(b)\``,
});

/** By their characters, longest first. None of them can occur in a valid expression. */
export const FOREIGN_SYMBOLS: readonly (readonly [string, ForeignOperator])[] = [
  ['===', replacedBy(T.EqualEqual)],
  ['!==', replacedBy(T.BangEqual)],
  [':=', replacedBy(T.EqualEqual)],
  ['!~*', { token: T.BangEqual, remedy: "`matches` is a method: write `!a.matches('(?i)…')`" }],
  ['=~', method('matches')],
  ['~*', { token: T.EqualEqual, remedy: "`matches` is a method: write `a.matches('(?i)…')`" }],
  ['!~', { token: T.BangEqual, remedy: '`matches` is a method: write `!a.matches(b)`' }],
  ['<>', replacedBy(T.BangEqual)],
  ['=<', replacedBy(T.LessEqual)],
  ['=>', replacedBy(T.GreaterEqual)],
  ['~', method('matches')],
  ['≤', replacedBy(T.LessEqual)],
  ['≥', replacedBy(T.GreaterEqual)],
  ['≠', replacedBy(T.BangEqual)],
  ['–', replacedBy(T.Minus)],
  ['—', replacedBy(T.Minus)],
  ['−', replacedBy(T.Minus)],
  ['×', replacedBy(T.Star)],
  ['÷', replacedBy(T.Slash)],
];

const LIKE: ForeignOperator = {
  token: T.EqualEqual,
  remedy: 'use `startsWith`, `endsWith`, `contains` or `matches`',
};

/** Between operands, by lowercase word. */
const FOREIGN_WORDS: ReadonlyMap<string, ForeignOperator> = new Map([
  ['and', replacedBy(T.AndAnd)],
  ['or', replacedBy(T.OrOr)],
  ['xor', replacedBy(T.BangEqual)],
  ['is', replacedBy(T.EqualEqual)],
  ['is not', replacedBy(T.BangEqual)],
  ['isnt', replacedBy(T.BangEqual)],
  ['eq', replacedBy(T.EqualEqual)],
  ['equals', replacedBy(T.EqualEqual)],
  ['ne', replacedBy(T.BangEqual)],
  ['neq', replacedBy(T.BangEqual)],
  ['lt', replacedBy(T.Less)],
  ['le', replacedBy(T.LessEqual)],
  ['lte', replacedBy(T.LessEqual)],
  ['gt', replacedBy(T.Greater)],
  ['ge', replacedBy(T.GreaterEqual)],
  ['gte', replacedBy(T.GreaterEqual)],
  ['mod', replacedBy(T.Percent)],
  ['div', replacedBy(T.Slash)],
  ['in', replacedBy(T.In)],
  ['not in', { token: T.In, remedy: 'write `!(a in b)`' }],
  ['like', LIKE],
  ['ilike', LIKE],
  ['not like', LIKE],
  ['contains', method('contains')],
  ['includes', method('contains')],
  ['matches', method('matches')],
  ['startswith', method('startsWith')],
  ['starts with', method('startsWith')],
  ['endswith', method('endsWith')],
  ['ends with', method('endsWith')],
]);

/**
 * Returns the tokens of an invalid expression with words for operators in other languages read as operators: `a and not b`. Reports each of
 * them. Returns undefined if there are none.
 */
export function withoutForeignWords(
  tokens: readonly T.Token[],
  source: string,
  reporter: Reporter,
): T.Token[] | undefined {
  const made: T.Token[] = [];
  /** Indices of tokens before which a parenthesis opened for `not` is closed. */
  const closing: number[] = [];
  let isChanged = false;
  const word = (at: number) => wordAt(tokens[at], source);
  for (let at = 0; at < tokens.length; at++) {
    while (closing.at(-1) === at) made.push(bracket(T.RightParen, tokens[closing.pop()! - 1]!.end));
    const token = tokens[at]!;
    const text = word(at);
    const isAfterOperand = endsOperand(made.at(-1));
    if (text === 'not' && !isAfterOperand && startsOperand(tokens[at + 1])) {
      const end = endOfNegated(tokens, at + 1, source);
      const range = { start: token.startOffset, end: token.end };
      report(reporter, { word: 'not', remedy: 'write `!`', range, fixes: [negation(tokens, { at, end })] });
      made.push(new T.Token(T.Bang, token.startOffset, token.end, ''), bracket(T.LeftParen, token.end));
      closing.push(end);
      isChanged = true;
      continue;
    }
    const both = `${text} ${word(at + 1)}`;
    const foreign = isAfterOperand && text !== '' ? (FOREIGN_WORDS.get(both) ?? FOREIGN_WORDS.get(text)) : undefined;
    const last = FOREIGN_WORDS.has(both) ? at + 1 : at;
    if (!foreign || token.tokenType === T.In || !startsOperand(tokens[last + 1])) {
      made.push(token);
      continue;
    }
    const range = { start: token.startOffset, end: tokens[last]!.end };
    const fixes = foreign.newText === undefined ? [] : [replacing(range, foreign.newText)];
    report(reporter, { word: source.slice(range.start, range.end), remedy: foreign.remedy, range, fixes });
    made.push(new T.Token(foreign.token, range.start, range.end, ''));
    at = last;
    isChanged = true;
  }
  while (closing.length > 0) made.push(bracket(T.RightParen, tokens[closing.pop()! - 1]!.end));
  return isChanged ? made : undefined;
}

interface ForeignWord {
  readonly word: string;
  readonly remedy: string;
  readonly range: Range;
  readonly fixes: readonly Fix[];
}

/** Reports an operator of another language. */
export function report(reporter: Reporter, { word, remedy, range, fixes }: ForeignWord): void {
  reporter.report({
    code: 'syntax/unknown-operator',
    message: `unknown operator \`${word.replace(/\s+/g, ' ')}\`; ${remedy}`,
    range,
    args: { found: word },
    ...(fixes.length > 0 && { fixes }),
  });
}

/** Returns the fix that replaces one operator by another. */
export function replacing(range: Range, newText: string): Fix {
  return { title: `write \`${newText}\``, applicability: 'suggestion', edits: [{ range, newText }] };
}

/** Returns a fix that removes a range. */
export function removing(range: Range): Fix {
  return { title: 'remove it', applicability: 'suggestion', edits: [{ range, newText: '' }] };
}

/** Returns a word in lowercase; empty for any other token. */
function wordAt(token: T.Token | undefined, source: string): string {
  const isWord = token?.tokenType === T.Identifier || token?.tokenType === T.In;
  return isWord ? source.slice(token.startOffset, token.end).toLowerCase() : '';
}

function bracket(type: TokenType, at: number): T.Token {
  return new T.Token(type, at, at, '');
}

const OPERAND_ENDS: readonly TokenType[] = [T.Identifier, T.QuotedName, T.RightParen, T.RightBracket, T.RightBrace];
const OPERAND_STARTS: readonly TokenType[] = [T.Identifier, T.LeftParen, T.LeftBracket, T.LeftBrace, T.Bang, T.Minus];

/** Returns true if a token can be the last one of an operand. */
function endsOperand(token: T.Token | undefined): boolean {
  return token !== undefined && (OPERAND_ENDS.includes(token.tokenType) || isLiteral(token));
}

/** Returns true if a token can be the first one of an operand. */
function startsOperand(token: T.Token | undefined): boolean {
  return token !== undefined && (OPERAND_STARTS.includes(token.tokenType) || isLiteral(token));
}

function isLiteral({ tokenType }: T.Token): boolean {
  return tokenType.CATEGORIES?.includes(T.Literal) === true;
}

const WEAKER: readonly TokenType[] = [T.AndAnd, T.OrOr, T.Question, T.Colon, T.Comma];
const OPENING: readonly TokenType[] = [T.LeftParen, T.LeftBracket, T.LeftBrace];
const CLOSING: readonly TokenType[] = [T.RightParen, T.RightBracket, T.RightBrace];

/** Returns the index after the operand of `not`: in other languages it binds weaker than comparisons. */
function endOfNegated(tokens: readonly T.Token[], from: number, source: string): number {
  let depth = 0;
  for (let at = from; at < tokens.length; at++) {
    const token = tokens[at]!;
    if (OPENING.includes(token.tokenType)) depth++;
    else if (CLOSING.includes(token.tokenType) && --depth < 0) return at;
    const isEnd = WEAKER.includes(token.tokenType) || ['and', 'or'].includes(wordAt(token, source));
    if (depth === 0 && isEnd && at > from) return at;
  }
  return tokens.length;
}

/** Returns `!` instead of `not`, with parentheses around compound operands. */
function negation(tokens: readonly T.Token[], { at, end }: { readonly at: number; readonly end: number }): Fix {
  const first = tokens[at + 1]!;
  const isOperation = tokens
    .slice(at + 1, end)
    .some(({ tokenType }) => tokenType.CATEGORIES?.includes(T.BinaryOperator));
  const range = { start: tokens[at]!.startOffset, end: first.startOffset };
  const last = tokens[end - 1]!.end;
  const close = { range: { start: last, end: last }, newText: ')' };
  const edits = isOperation ? [{ range, newText: '!(' }, close] : [{ range, newText: '!' }];
  return { title: 'write `!`', applicability: 'suggestion', edits };
}

/**
 * Rewrites the tokens of an expression that cannot be parsed: `a between b and c`, `if … then … else …`, `++`, `**`, `??` and strings in
 * backticks become tokens of CEL with the same operands, which prevents consequential errors. Reports each. Undefined if there are none.
 */
export function withoutForeignPhrases(
  tokens: readonly T.Token[],
  source: string,
  reporter: Reporter,
): T.Token[] | undefined {
  const phrases = new Phrases(tokens, source, reporter);
  for (let at = 0; at < tokens.length; at++) at = phrases.read(at);
  return phrases.finish();
}

interface DoubledSymbol {
  readonly types: readonly [TokenType, TokenType];
  readonly readAs: TokenType;
  readonly remedy: string;
}

/** `a ?? b` is read as a sum, whose operands have one type that is also the type of the result. */
const DOUBLED_SYMBOLS: readonly DoubledSymbol[] = [
  { types: [T.Plus, T.Plus], readAs: T.Plus, remedy: 'write `+`' },
  { types: [T.Star, T.Star], readAs: T.Star, remedy: 'write `a * a`' },
  { types: [T.Question, T.Question], readAs: T.Plus, remedy: 'write `has(a) ? a : b`' },
  { types: [T.Question, T.Colon], readAs: T.Plus, remedy: 'write `has(a) ? a : b`' },
];

class Phrases {
  readonly #tokens: readonly T.Token[];
  readonly #source: string;
  readonly #reporter: Reporter;
  readonly #result: T.Token[] = [];
  /** Tokens to write instead of a word further on, by its index. */
  readonly #replaced = new Map<number, TokenType>();
  /** Brackets to close before an index. */
  readonly #closedBefore: number[] = [];
  #isChanged = false;

  constructor(tokens: readonly T.Token[], source: string, reporter: Reporter) {
    this.#tokens = tokens;
    this.#source = source;
    this.#reporter = reporter;
  }

  /** Reads the token at an index, with those of its phrase; returns the index of the last one. */
  read(at: number): number {
    this.#close(at);
    const token = this.#tokens[at]!;
    const replacement = this.#replaced.get(at);
    if (replacement) {
      this.#push(replacement, token.startOffset, token.end);
      return at;
    }
    const last = this.#readPhrase(at);
    if (last === undefined) this.#result.push(token);
    return last ?? at;
  }

  finish(): T.Token[] | undefined {
    this.#close(this.#tokens.length);
    return this.#isChanged ? this.#result : undefined;
  }

  #close(at: number): void {
    while (this.#closedBefore.at(-1) === at) {
      const { end } = this.#tokens[this.#closedBefore.pop()! - 1]!;
      this.#push(T.RightBracket, end, end);
    }
  }

  #push(type: TokenType, start: number, end: number): void {
    this.#result.push(new T.Token(type, start, end, ''));
    this.#isChanged = true;
  }

  #readPhrase(at: number): number | undefined {
    if (!endsOperand(this.#result.at(-1))) return this.#conditional(at) ?? this.#backticks(at);
    return this.#between(at) ?? this.#doubledSymbol(at);
  }

  /** Reads `a between b and c` as `a in [b, c]`. */
  #between(at: number): number | undefined {
    const last = this.#word(at) === 'not' ? at + 1 : at;
    if (this.#word(last) !== 'between') return undefined;
    const and = this.#find('and', last + 1);
    if (and === undefined) return undefined;
    const range = { start: this.#tokens[at]!.startOffset, end: this.#tokens[last]!.end };
    const remedy = last === at ? 'write `a >= b && a <= c`' : 'write `a < b || a > c`';
    this.#report(range, remedy);
    this.#push(T.In, range.start, range.end);
    this.#push(T.LeftBracket, range.end, range.end);
    this.#replaced.set(and, T.Comma);
    this.#closedBefore.push(endOfNegated(this.#tokens, and + 1, this.#source));
    return last;
  }

  /** Reads `if a then b else c` as `a ? b : c`. */
  #conditional(at: number): number | undefined {
    if (this.#word(at) !== 'if') return undefined;
    const then = this.#find('then', at + 1);
    const otherwise = then === undefined ? undefined : this.#find('else', then + 1);
    if (then === undefined || otherwise === undefined) return undefined;
    const { startOffset: start, end } = this.#tokens[at]!;
    this.#report({ start, end }, 'write `a ? b : c`');
    this.#replaced.set(then, T.Question).set(otherwise, T.Colon);
    this.#isChanged = true;
    return at;
  }

  #doubledSymbol(at: number): number | undefined {
    const [first, second] = [this.#tokens[at]!, this.#tokens[at + 1]];
    if (second?.startOffset !== first.end) return undefined;
    const found = DOUBLED_SYMBOLS.find(
      ({ types: [one, other] }) => one === first.tokenType && other === second.tokenType,
    );
    if (!found) return undefined;
    const range = { start: first.startOffset, end: second.end };
    const isPostfix = !startsOperand(this.#tokens[at + 2]);
    this.#report(range, isPostfix ? 'write `a + 1`; an expression cannot change a value' : found.remedy);
    if (!isPostfix) this.#push(found.readAs, range.start, range.end);
    this.#isChanged = true;
    return at + 1;
  }

  /** Backticks are only for names after a dot and in literals of objects. */
  #backticks(at: number): number | undefined {
    const { tokenType, startOffset: start, end } = this.#tokens[at]!;
    const before = this.#result.at(-1)?.tokenType;
    const isName = before === T.Dot || before === T.Question || this.#tokens[at + 1]?.tokenType === T.Colon;
    if (tokenType !== T.QuotedName || isName) return undefined;
    const value = this.#source.slice(start + 1, end - 1);
    const range = { start, end };
    this.#reporter.report({
      code: 'syntax/unexpected-character',
      message: 'string in backticks; write single or double quotes',
      range,
      args: { found: '`' },
      fixes: [{ title: 'write quotes', applicability: 'suggestion', edits: [{ range, newText: `'${value}'` }] }],
    });
    this.#push(T.UnterminatedLiteral, start, end);
    return at;
  }

  #report(range: { readonly start: number; readonly end: number }, remedy: string): void {
    report(this.#reporter, { word: this.#source.slice(range.start, range.end), remedy, range, fixes: [] });
  }

  #word(at: number): string {
    return wordAt(this.#tokens[at], this.#source);
  }

  /** Index of a word outside of nested brackets. */
  #find(word: string, from: number): number | undefined {
    let depth = 0;
    for (let at = from; at < this.#tokens.length; at++) {
      const { tokenType } = this.#tokens[at]!;
      if (OPENING_BRACKETS.includes(tokenType)) depth++;
      else if (CLOSING_BRACKETS.includes(tokenType) && --depth < 0) return undefined;
      if (depth === 0 && this.#word(at) === word) return at;
    }
    return undefined;
  }
}

const OPENING_BRACKETS: readonly TokenType[] = [T.LeftParen, T.LeftBracket, T.LeftBrace];
const CLOSING_BRACKETS: readonly TokenType[] = [T.RightParen, T.RightBracket, T.RightBrace];
