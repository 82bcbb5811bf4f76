// What can be proved of conditions, whatever the traffic.

export { type ConditionContext, type ReadCondition, readCondition } from './decision/condition.ts';
export type { Formula } from './decision/formula.ts';
export {
  allOf,
  anyOf,
  areDisjoint,
  type Condition,
  covering,
  failing,
  implies,
  isNeverFalse,
  isTautology,
  isUnsatisfiable,
} from './decision/questions.ts';
export type { NameFacts } from './decision/reading.ts';
export { createVocabulary, type Vocabulary } from './decision/vocabulary.ts';
export { nameFactsAt } from './logic/name-facts.ts';
