import type { Action, MapEntryNode, Policy, Rule, ScalarNode } from '@tollgate/policy';

/** Where an action stands. */
export interface ActionPlace {
  readonly policy: Policy;
  readonly rule: Rule;
  /** Zero-based, in its rule. */
  readonly index: number;
}

/** A text in the configuration of an action, and where it stands. */
export interface ConfigText {
  readonly node: ScalarNode & { readonly value: string };
  readonly action: Action;
  readonly place: ActionPlace;
  /** Keys that lead to it; items of lists add none: `headers`, `X-Robots-Tag`. */
  readonly path: readonly string[];
  /** The innermost entry that it is the value of, or an item of. */
  readonly entry: MapEntryNode;
}
