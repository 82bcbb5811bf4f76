import type { TokenType } from 'chevrotain';
import * as T from './tokens.ts';

const QUOTED = String.raw`[rR](?:"""[^]*?"""|'''[^]*?'''|"[^"\r\n]*"|'[^'\r\n]*')|"""(?:[^\\]|\\[^])*?"""|'''(?:[^\\]|\\[^])*?'''|"(?:[^"\\\r\n]|\\[^\r\n])*"|'(?:[^'\\\r\n]|\\[^\r\n])*'`;

const PATTERNS: ReadonlyMap<TokenType, RegExp> = new Map([
  [T.Identifier, /[_a-zA-Z][_a-zA-Z0-9]*/],
  [T.QuotedName, /`[a-zA-Z0-9_.\-/ ]+`/],
  [T.DoubleLiteral, /(?:[0-9]+\.[0-9]+|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+/],
  [T.UintLiteral, /(?:0x[0-9a-fA-F]+|[0-9]+)[uU]/],
  [T.IntLiteral, /0x[0-9a-fA-F]+|[0-9]+/],
  [T.BytesLiteral, new RegExp(`[bB](?:${QUOTED})`)],
  [T.StringLiteral, new RegExp(QUOTED)],
  [T.WhiteSpace, /[ \t\r\n\f]+/],
  [T.Comment, /\/\/[^\n]*/],
]);

const WITHOUT_PATTERN: readonly TokenType[] = [T.BinaryOperator, T.Literal, T.UnterminatedLiteral];

/** Returns what a token looks like: a pattern, or its fixed text; undefined for types that only group others. */
export function tokenPattern(type: TokenType): RegExp | string | undefined {
  return WITHOUT_PATTERN.includes(type) ? undefined : (PATTERNS.get(type) ?? type.LABEL);
}
