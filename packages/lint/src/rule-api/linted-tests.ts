import type { DocumentNode, PolicyTests, Rule } from '@tollgate/policy';

/** A file of policy tests. */
export interface LintedTests {
  readonly tests: PolicyTests;
  /** The root of the document; `rangeAt` of `@tollgate/policy` finds ranges in it. */
  readonly root: DocumentNode;
  /** The rules of the tested policy, in phase order; undefined if it could not be read. */
  readonly rules: readonly Rule[] | undefined;
}

/** How many tests a rule matched in, and in how many it was evaluated without matching. */
export interface RuleCoverage {
  readonly matched: number;
  readonly notMatched: number;
}
