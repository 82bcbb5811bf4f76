// What can be proved of conditions, whatever the traffic.

export { type ConditionContext, type ReadCondition, readCondition } from './decision/condition.ts';
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
} from './decision/questions.ts';
export type { NameFacts } from './decision/reading.ts';
export { solve } from './decision/solve.ts';
export { isFulfilled, type Wanted } from './decision/trial.ts';
export { createVocabulary, type Vocabulary } from './decision/vocabulary.ts';
export { nameFactsAt } from './logic/name-facts.ts';
export { RuleIndex } from './sketch/rule-index.ts';
export { isMoreThan, RuleSketch } from './sketch/rule-sketch.ts';
