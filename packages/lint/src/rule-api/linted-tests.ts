import type { DocumentNode, PolicyTests, Rule } from '@tollgate/policy';

/** A file of policy tests that is linted. */
export interface LintedTests {
  readonly tests: PolicyTests;
  /** Where everything stands: `rangeAt` of `@tollgate/policy` finds places in it. */
  readonly root: DocumentNode;
  /** Of the policy that is tested, in the order of its phases; undefined where it could not be read. */
  readonly rules: readonly Rule[] | undefined;
}

/** What the tests of a policy show of a rule: in how many it matched, and in how many it was asked and did not. */
export interface RuleCoverage {
  readonly matched: number;
  readonly notMatched: number;
}
