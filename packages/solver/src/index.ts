export { compareAcross } from './compare/compare-across.ts';
export { comparePolicies, type OpenComparison, type PolicyComparison } from './compare/compare-policies.ts';
export type { Decided, OpenReason, PolicyDifference } from './compare/compare-stretch.ts';
export type { PolicyInContext } from './compare/search-exchanges.ts';
export { type GoalAnswer, GoalQuestions, type GoalSample } from './goals/goal-questions.ts';
export {
  type GoalContext,
  goalContext,
  type MissingTest,
  type MissingTests,
  missingTests,
} from './goals/missing-tests.ts';
export { Budget } from './logic/budget.ts';
export { type JudgedMutant, judgeMutants, type MutantVerdict, type MutationRun } from './mutants/judge-mutants.ts';
export type { Mutant } from './mutants/mutate-policy.ts';
export { type MatchAnswer, PolicyQuestions } from './policy/can-match.ts';
export { exchangeText } from './policy/exchange.ts';
export { type Answer, type PolicyContext, SolverSession } from './policy/session.ts';
export { EdgeProver } from './prove/edge-prover.ts';
export { type Bypass, type BypassFindings, findBypasses } from './prove/find-bypasses.ts';
export { PolicyProver, type Proof, type SkippedRule } from './prove/prove-policy.ts';
export { UPSTREAMS, type Upstream } from './prove/upstreams.ts';
