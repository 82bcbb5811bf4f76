// Questions about conditions and the rules of a policy, without proofs about decisions: `@tollgate/solver/conditions`.

export type { Condition } from './logic/condition.ts';
export { FALSE, type Signal, TRUE } from './logic/graph.ts';
export { type MatchAnswer, PolicyQuestions } from './policy/can-match.ts';
export { ConditionQuestions } from './policy/condition-questions.ts';
export { Session } from './policy/session.ts';
export { exchangeText } from './request/exchange-text.ts';
