export { mark, unmark } from './engine/lint-example.ts';
export { type FiringCase, type RegisterTest, type RuleCases, testRule, when } from './engine/test-rule.ts';
