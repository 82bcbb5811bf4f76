// What can be proved of conditions, whatever the traffic.

export { isMoreThan, RuleSketch } from './approximation/rule-approximation.ts';
export { RuleIndex } from './approximation/rule-index.ts';
export { nameFactsAt } from './logic/effects/name-metadata.ts';
export { type ConditionContext, type ReadCondition, readCondition } from './solver/reader/condition.ts';
export type { NameFacts } from './solver/reader/reader-context.ts';
export { isFulfilled, type Wanted } from './solver/search/greedy-search.ts';
export {
  allOf,
  anyOf,
  areDisjoint,
  type Condition,
  covering,
  implies,
  isContingent,
  isNeverFalse,
  isTautology,
  isUnsatisfiable,
} from './solver/search/questions.ts';
export { solve } from './solver/search/solve.ts';
export { createVocabulary, type Vocabulary } from './solver/values/vocabulary.ts';
