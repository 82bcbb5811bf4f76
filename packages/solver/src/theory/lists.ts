import type { Budget } from '../logic/budget.ts';
import type { Language } from '../strings/language.ts';
import type { CellAnswer } from './cell-answer.ts';
import { decideElements, type Elements, type ElementsLiteral, type SizeLiteral } from './elements.ts';
import { decideStrings, type StringLiteral } from './strings.ts';
import type { Universe } from './vocabulary.ts';

/** A statement about a list of strings. */
export type ListLiteral =
  | SizeLiteral
  /** Holds for lists that are too short. */
  | { readonly kind: 'element'; readonly index: number; readonly language: Language; readonly isNegated: boolean }
  /** Some element belongs to the language; negated: none does. */
  | { readonly kind: 'some'; readonly language: Language; readonly isNegated: boolean };

/** Looks for a list for which all literals hold, the shortest first. `universe` describes its elements. */
export function decideLists(
  literals: readonly ListLiteral[],
  universe: Universe,
  budget: Budget,
): CellAnswer<readonly string[]> {
  const statement = (language: Language, isNegated: boolean): StringLiteral => ({
    kind: 'language',
    language,
    isNegated,
  });
  const elements: Elements<string, StringLiteral> = {
    negated: one => (one.kind === 'language' ? statement(one.language, !one.isNegated) : one),
    isTrue: (one, text) => one.kind === 'language' && one.language.test(text) !== one.isNegated,
    decide: all => decideStrings(all, universe, budget),
  };
  const stated = literals.map((one): ElementsLiteral<StringLiteral> => {
    if (one.kind === 'size') return one;
    return { ...one, test: statement(one.language, false) };
  });
  return decideElements(stated, elements);
}
