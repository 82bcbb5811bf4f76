import type { Action, MapEntryNode, Policy, Rule, ScalarNode } from '@tollgate/policy';

/** The rule and the policy of an action. */
export interface ActionLocation {
  readonly policy: Policy;
  readonly rule: Rule;
  /** Zero-based index in the rule. */
  readonly index: number;
}

/** A string in the configuration of an action. */
export interface ConfigString {
  readonly node: ScalarNode & { readonly value: string };
  readonly action: Action;
  readonly place: ActionLocation;
  /** Keys that lead to the string, without list indices: `headers`, `X-Robots-Tag`. */
  readonly path: readonly string[];
  /** The innermost entry that contains the string. */
  readonly entry: MapEntryNode;
}
