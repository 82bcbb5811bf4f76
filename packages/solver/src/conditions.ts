// Questions about conditions and the rules of a policy, without proofs about decisions: `@tollgate/solver/conditions`.

export type { Condition } from './logic/formula.ts';
export { FALSE, type Signal, TRUE } from './logic/formula.ts';
export { type MatchAnswer, PolicyQuestions } from './policy/can-match.ts';
export { ConditionQuestions } from './policy/condition-questions.ts';
export { exchangeText } from './policy/exchange.ts';
export { SolverSession } from './policy/session.ts';
