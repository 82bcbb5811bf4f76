import type { ISerializedGast } from 'chevrotain';
import { OPERATORS, type OperatorInfo } from '../lexing/operators.ts';
import { RESERVED_WORDS } from '../lexing/reserved-words.ts';
import { tokenPattern } from '../lexing/token-patterns.ts';
import { BinaryOperator, Literal, TOKEN_TYPES } from '../lexing/tokens.ts';
import { FAST_GRAMMAR } from './grammars.ts';

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
    rules: inOrderOfUse(FAST_GRAMMAR().getSerializedGastProductions() as readonly Production[], 'expression'),
    tokens: TOKEN_TYPES.flatMap(type => {
      const pattern = tokenPattern(type);
      if (pattern === undefined) return [];
      return {
        name: type.name,
        text: typeof pattern === 'string' ? pattern : undefined,
        pattern: typeof pattern === 'string' ? undefined : pattern.source,
        category: categoryOf(type.CATEGORIES ?? []),
        skipped: type.GROUP === 'skipped',
      };
    }),
    operators: OPERATORS,
    reservedWords: [...RESERVED_WORDS],
  };
}

/** A production of chevrotain's serialized form, as far as it is read here. */
type Production = ISerializedGast & { readonly name?: string; readonly definition?: readonly Production[] };

/** The rules that `first` is made of, each after one that uses it. */
function inOrderOfUse(rules: readonly Production[], first: string): readonly Production[] {
  const names = new Set([first]);
  // A set that grows while it is gone through gives what was added as well.
  for (const name of names) collectUses(rules.find(rule => rule.name === name)?.definition ?? [], names);
  return [...names].flatMap(name => rules.filter(rule => rule.name === name));
}

function collectUses(parts: readonly Production[], names: Set<string>): void {
  for (const { type, name, definition = [] } of parts) {
    if (type === 'NonTerminal' && name !== undefined) names.add(name);
    collectUses(definition, names);
  }
}

function categoryOf(categories: readonly unknown[]): TokenDescription['category'] {
  if (categories.includes(BinaryOperator)) return 'operator';
  return categories.includes(Literal) ? 'literal' : undefined;
}
