import { EOF, type ISerializedGast } from 'chevrotain';
import { FAST_GRAMMAR } from './grammars.ts';
import { OPERATORS, type OperatorInfo } from './operators.ts';
import { RESERVED_WORDS } from './reserved-words.ts';
import { BinaryOperator, Literal, TOKEN_TYPES } from './tokens.ts';

/** A kind of token. */
export interface TokenDescription {
  readonly name: string;
  /** Its text, where that is always the same. */
  readonly text: string | undefined;
  /** Source of a regular expression without flags, where the text varies. */
  readonly pattern: string | undefined;
  /** What the grammar's rules may call it. */
  readonly category: 'operator' | 'literal' | undefined;
  /** White space and comments: between any two tokens. */
  readonly skipped: boolean;
}

/** The syntax as data, for generating other descriptions of it. */
export interface GrammarDescription {
  /** Chevrotain's serialized form, the rule of a whole expression first. */
  readonly rules: readonly ISerializedGast[];
  readonly tokens: readonly TokenDescription[];
  readonly operators: readonly OperatorInfo[];
  readonly reservedWords: readonly string[];
}

/** Gives the syntax that {@link parse} accepts, read from the parser's own grammar and tokens. */
export function describeGrammar(): GrammarDescription {
  return {
    rules: FAST_GRAMMAR()
      .getSerializedGastProductions()
      .filter(rule => !('name' in rule) || rule.name !== 'root'),
    tokens: TOKEN_TYPES.filter(type => type !== EOF && String(type.PATTERN) !== NEVER).map(type => ({
      name: type.name,
      text: typeof type.PATTERN === 'string' ? type.PATTERN : undefined,
      pattern: type.PATTERN instanceof RegExp ? type.PATTERN.source : undefined,
      category: categoryOf(type.CATEGORIES ?? []),
      skipped: type.GROUP === 'skipped',
    })),
    operators: OPERATORS,
    reservedWords: [...RESERVED_WORDS],
  };
}

/** The pattern of types that only group others. */
const NEVER = '/(?!)/';

function categoryOf(categories: readonly unknown[]): TokenDescription['category'] {
  if (categories.includes(BinaryOperator)) return 'operator';
  return categories.includes(Literal) ? 'literal' : undefined;
}
