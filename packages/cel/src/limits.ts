/** Bounds on what is accepted and on what running it may use. Exceeding one names it. */
export interface Limits {
  /** UTF-16 units of an expression's source. */
  readonly maxSourceLength: number;
  /** Depth of the tree, brackets, operators and calls alike. */
  readonly maxDepth: number;
  /** Nodes of the tree, macros expanded. */
  readonly maxNodes: number;
  /** Diagnostics reported for one expression; the last says that more were left out. */
  readonly maxDiagnostics: number;
  /**
   * What one evaluation may do: each round of a loop, element that is compared or searched, element or entry that a function makes, and 16
   * characters that one makes, is a step. In loops, 16 characters or an element that a function looks at are one, too.
   */
  readonly maxSteps: number;
  /** Elements of a list or entries of a map that an evaluation makes. */
  readonly maxCollectionSize: number;
  /** UTF-16 units of a string, or bytes, that an evaluation makes. */
  readonly maxTextLength: number;
  /** UTF-16 units of a regular expression times what its counted repetitions repeat, 1,000 at most. */
  readonly maxPatternSize: number;
}

/** The limits of an environment that is given none. */
export const DEFAULT_LIMITS: Limits = {
  maxSourceLength: 100_000,
  maxDepth: 250,
  maxNodes: 100_000,
  maxDiagnostics: 100,
  maxSteps: 1_000_000,
  maxCollectionSize: 1_000_000,
  maxTextLength: 10_000_000,
  maxPatternSize: 100_000,
};
