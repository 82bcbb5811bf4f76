import type { Fix, Range } from '@tollgate/diagnostics';
import type { TokenType } from 'chevrotain';
import type { Reporter } from './reporter.ts';
import * as T from './tokens.ts';

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
  ['=~', method('matches')],
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

/** Returns a word in lowercase; empty for any other token. */
export function wordAt(token: T.Token | undefined, source: string): string {
  const isWord = token?.tokenType === T.Identifier || token?.tokenType === T.In;
  return isWord ? source.slice(token.startOffset, token.end).toLowerCase() : '';
}

function bracket(type: TokenType, at: number): T.Token {
  return new T.Token(type, at, at, '');
}

const OPERAND_ENDS: readonly TokenType[] = [T.Identifier, T.QuotedName, T.RightParen, T.RightBracket, T.RightBrace];
const OPERAND_STARTS: readonly TokenType[] = [T.Identifier, T.LeftParen, T.LeftBracket, T.LeftBrace, T.Bang, T.Minus];

/** Returns true if a token can be the last one of an operand. */
export function endsOperand(token: T.Token | undefined): boolean {
  return token !== undefined && (OPERAND_ENDS.includes(token.tokenType) || isLiteral(token));
}

/** Returns true if a token can be the first one of an operand. */
export function startsOperand(token: T.Token | undefined): boolean {
  return token !== undefined && (OPERAND_STARTS.includes(token.tokenType) || isLiteral(token));
}

function isLiteral({ tokenType }: T.Token): boolean {
  return tokenType.CATEGORIES?.includes(T.Literal) === true;
}

const WEAKER: readonly TokenType[] = [T.AndAnd, T.OrOr, T.Question, T.Colon, T.Comma];
const OPENING: readonly TokenType[] = [T.LeftParen, T.LeftBracket, T.LeftBrace];
const CLOSING: readonly TokenType[] = [T.RightParen, T.RightBracket, T.RightBrace];

/** Returns the index after the operand of `not`: in other languages it binds weaker than comparisons. */
export function endOfNegated(tokens: readonly T.Token[], from: number, source: string): number {
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
