// The words of the language: tokens, operators with their precedence, and reserved words.

import { createToken, type IToken, type TokenType } from 'chevrotain';

/** A token as the lexer creates it. Only names have an `image`; other text is sliced from the source when needed. */
export class Token implements IToken {
  readonly tokenTypeIdx: number;
  readonly startOffset: number;
  /** One past the last UTF-16 unit. */
  readonly end: number;
  readonly image: string;
  readonly tokenType: TokenType;

  constructor(tokenType: TokenType, startOffset: number, end: number, image: string) {
    this.tokenTypeIdx = tokenType.tokenTypeIdx as number;
    this.startOffset = startOffset;
    this.end = end;
    this.image = image;
    this.tokenType = tokenType;
  }
}

// `lexer.ts` recognizes the tokens; their patterns, for the generated grammars and for tests, are in `token-patterns.ts`.

export const BinaryOperator = createToken({ name: 'BinaryOperator', label: 'operator' });
export const Literal = createToken({ name: 'Literal', label: 'literal' });

const binary = (name: string, text: string): TokenType =>
  createToken({ name, label: text, categories: BinaryOperator });
const punctuation = (name: string, text: string): TokenType => createToken({ name, label: text });
const literal = (name: string, label: string): TokenType => createToken({ name, label, categories: Literal });

export const OrOr = binary('OrOr', '||');
export const AndAnd = binary('AndAnd', '&&');
export const EqualEqual = binary('EqualEqual', '==');
export const BangEqual = binary('BangEqual', '!=');
export const LessEqual = binary('LessEqual', '<=');
export const Less = binary('Less', '<');
export const GreaterEqual = binary('GreaterEqual', '>=');
export const Greater = binary('Greater', '>');
export const Plus = binary('Plus', '+');
export const Minus = binary('Minus', '-');
export const Star = binary('Star', '*');
export const Slash = binary('Slash', '/');
export const Percent = binary('Percent', '%');

export const Bang = punctuation('Bang', '!');
export const Question = punctuation('Question', '?');
export const Colon = punctuation('Colon', ':');
export const Dot = punctuation('Dot', '.');
export const Comma = punctuation('Comma', ',');
export const LeftParen = punctuation('LeftParen', '(');
export const RightParen = punctuation('RightParen', ')');
export const LeftBracket = punctuation('LeftBracket', '[');
export const RightBracket = punctuation('RightBracket', ']');
export const LeftBrace = punctuation('LeftBrace', '{');
export const RightBrace = punctuation('RightBrace', '}');

export const Identifier = createToken({ name: 'Identifier', label: 'name' });
export const QuotedName = createToken({ name: 'QuotedName', label: 'quoted name' });

export const In = binary('In', 'in');
const word = (name: string, text: string): TokenType => createToken({ name, label: text, categories: Literal });
export const True = word('True', 'true');
export const False = word('False', 'false');
export const Null = word('Null', 'null');

export const DoubleLiteral = literal('DoubleLiteral', 'double');
export const UintLiteral = literal('UintLiteral', 'uint');
export const IntLiteral = literal('IntLiteral', 'int');
export const BytesLiteral = literal('BytesLiteral', 'bytes');
export const StringLiteral = literal('StringLiteral', 'string');

/** A literal without an end; the lexer has reported it. */
export const UnterminatedLiteral = literal('UnterminatedLiteral', 'literal');

const WhiteSpace = createToken({ name: 'WhiteSpace', group: 'skipped' });
const Comment = createToken({ name: 'Comment', group: 'skipped' });

/** Every token type, in the order in which a lexer must try them. */
export const TOKEN_TYPES: readonly TokenType[] = [
  WhiteSpace,
  Comment,
  BytesLiteral,
  StringLiteral,
  DoubleLiteral,
  UintLiteral,
  IntLiteral,
  In,
  True,
  False,
  Null,
  Identifier,
  QuotedName,
  OrOr,
  AndAnd,
  EqualEqual,
  BangEqual,
  LessEqual,
  GreaterEqual,
  Less,
  Greater,
  Plus,
  Minus,
  Star,
  Slash,
  Percent,
  Bang,
  Question,
  Colon,
  Dot,
  Comma,
  LeftParen,
  RightParen,
  LeftBracket,
  RightBracket,
  LeftBrace,
  RightBrace,
  UnterminatedLiteral,
  BinaryOperator,
  Literal,
];

const QUOTED = String.raw`[rR](?:"""[^]*?"""|'''[^]*?'''|"[^"\r\n]*"|'[^'\r\n]*')|"""(?:[^\\]|\\[^])*?"""|'''(?:[^\\]|\\[^])*?'''|"(?:[^"\\\r\n]|\\[^\r\n])*"|'(?:[^'\\\r\n]|\\[^\r\n])*'`;

const PATTERNS: ReadonlyMap<TokenType, RegExp> = new Map([
  [Identifier, /[_a-zA-Z][_a-zA-Z0-9]*/],
  [QuotedName, /`[a-zA-Z0-9_.\-/ ]+`/],
  [DoubleLiteral, /(?:[0-9]+\.[0-9]+|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+/],
  [UintLiteral, /(?:0x[0-9a-fA-F]+|[0-9]+)[uU]/],
  [IntLiteral, /0x[0-9a-fA-F]+|[0-9]+/],
  [BytesLiteral, new RegExp(`[bB](?:${QUOTED})`)],
  [StringLiteral, new RegExp(QUOTED)],
  [WhiteSpace, /[ \t\r\n\f]+/],
  [Comment, /\/\/[^\n]*/],
]);

const WITHOUT_PATTERN: readonly TokenType[] = [BinaryOperator, Literal, UnterminatedLiteral];

/** Returns what a token looks like: a pattern, or its fixed text; undefined for types that only group others. */
export function tokenPattern(type: TokenType): RegExp | string | undefined {
  return WITHOUT_PATTERN.includes(type) ? undefined : (PATTERNS.get(type) ?? type.LABEL);
}

/** A binary operator of the language. */
export interface OperatorInfo {
  /** As in source text. */
  readonly text: string;
  /** The function that the operator calls. */
  readonly function: string;
  /** Higher binds tighter. All are left-associative; those of `&&` and `||` are balanced. */
  readonly precedence: number;
  /** Chains become balanced trees, as in the reference implementation, whose depth the limits count. */
  readonly balanced: boolean;
}

export const CONDITIONAL_PRECEDENCE = 0;
const OR = 1;
export const AND_PRECEDENCE = 2;
const RELATION = 3;
const SUM = 4;
const PRODUCT = 5;
export const UNARY_PRECEDENCE = 6;
export const MEMBER_PRECEDENCE = 7;

const operator = (text: string, precedence: number, name = `_${text}_`): OperatorInfo => ({
  text,
  function: name,
  precedence,
  balanced: precedence <= AND_PRECEDENCE,
});

export const OPERATORS: readonly OperatorInfo[] = [
  operator('||', OR),
  operator('&&', AND_PRECEDENCE),
  operator('==', RELATION),
  operator('!=', RELATION),
  operator('<', RELATION),
  operator('<=', RELATION),
  operator('>', RELATION),
  operator('>=', RELATION),
  operator('in', RELATION, '@in'),
  operator('+', SUM),
  operator('-', SUM),
  operator('*', PRODUCT),
  operator('/', PRODUCT),
  operator('%', PRODUCT),
];

/** Words that are valid only as field names, not as names of variables and functions (Language Definition, "Syntax"). */
export const RESERVED_WORDS: ReadonlySet<string> = new Set([
  'as',
  'break',
  'const',
  'continue',
  'else',
  'for',
  'function',
  'if',
  'import',
  'let',
  'loop',
  'namespace',
  'package',
  'return',
  'var',
  'void',
  'while',
]);
