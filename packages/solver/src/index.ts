export { Budget } from './logic/budget.ts';
export { type MatchAnswer, PolicyQuestions } from './policy/can-match.ts';
export { type Answer, type PolicyContext, Session } from './policy/session.ts';
