export { type Bypass, type BypassFindings, findBypasses } from './bypass/find-bypasses.ts';
export { UPSTREAMS, type Upstream } from './bypass/upstreams.ts';
export { comparePolicies, type OpenComparison, type PolicyComparison } from './compare/compare-policies.ts';
export type { OpenReason } from './compare/compare-stretch.ts';
export type { Decided, PolicyDifference } from './compare/policy-side.ts';
export { Budget } from './logic/budget.ts';
export { type MatchAnswer, PolicyQuestions } from './policy/can-match.ts';
export { type Answer, type PolicyContext, Session } from './policy/session.ts';
export { PolicyProver, type Proof, type SkippedRule } from './prove/prove-policy.ts';
