export { mark, unmark } from './testing/marked-text.ts';
export { type FiringCase, type RegisterTest, type RuleCases, testRule } from './testing/test-rule.ts';
export { when } from './testing/when.ts';
