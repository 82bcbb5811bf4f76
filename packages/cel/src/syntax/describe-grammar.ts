import type { ISerializedGast } from 'chevrotain';
import { FAST_GRAMMAR } from './grammar.ts';
import {
  BinaryOperator,
  Literal,
  OPERATORS,
  type OperatorInfo,
  RESERVED_WORDS,
  TOKEN_TYPES,
  tokenPattern,
} from './tokens.ts';

/** A kind of token. */
export interface TokenDescription {
  readonly name: string;
  /** The spelling of a fixed token. */
  readonly text: string | undefined;
  /** Source of a regular expression without flags, for other tokens. */
  readonly pattern: string | undefined;
  /** The category under which grammar rules may refer to it. */
  readonly category: 'operator' | 'literal' | undefined;
  /** True for white space and comments, which may occur between any two tokens. */
  readonly skipped: boolean;
}

/** The syntax as data, from which other descriptions are generated. */
export interface GrammarDescription {
  /** Chevrotain's serialized form, starting with the rule for a whole expression. */
  readonly rules: readonly ISerializedGast[];
  readonly tokens: readonly TokenDescription[];
  readonly operators: readonly OperatorInfo[];
  readonly reservedWords: readonly string[];
}

/** Returns the syntax that {@link parse} accepts, taken from the parser's own grammar and tokens. */
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

/** A production in Chevrotain's serialized form; only the properties used here. */
type Production = ISerializedGast & { readonly name?: string; readonly definition?: readonly Production[] };

/** Returns the rules reachable from `first`, each after one that uses it. */
function inOrderOfUse(rules: readonly Production[], first: string): readonly Production[] {
  const names = new Set([first]);
  // Iterating a set also visits elements that are added meanwhile.
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
