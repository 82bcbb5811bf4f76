// Proofs about conditions that hold for all traffic. For the tests of this repository.

export { leavesUncoveredInput, RuleApproximation } from './approximation/rule-approximation.ts';
export { RuleIndex } from './approximation/rule-index.ts';
export { nameMetadataAt } from './logic/effects/name-metadata.ts';
export { allOf, anyOf, type Condition } from './solver/formula/condition.ts';
export { type ConditionContext, type ReadCondition, readCondition } from './solver/reader/read-condition.ts';
export type { NameMetadata } from './solver/reader/reader-context.ts';
export { findsAssignment, type Target } from './solver/search/greedy-search.ts';
export {
  areDisjoint,
  covering,
  implies,
  isContingent,
  isNeverFalse,
  isTautology,
  isUnsatisfiable,
} from './solver/search/queries.ts';
export { solve } from './solver/search/solve.ts';
export { createVocabulary, type Vocabulary } from './solver/values/vocabulary.ts';
