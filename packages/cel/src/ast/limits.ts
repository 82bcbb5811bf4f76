/** Limits on what is accepted and on what an evaluation may spend. A diagnostic or error names the limit that is exceeded. */
export interface Limits {
  /** UTF-16 units of an expression's source. */
  readonly maxSourceLength: number;
  /** Levels of the tree: brackets, operators and calls alike. */
  readonly maxDepth: number;
  /** Nodes of the tree after macro expansion. */
  readonly maxNodes: number;
  /** Diagnostics reported for one expression; the last one says that more were left out. */
  readonly maxDiagnostics: number;
  /**
   * Steps of one evaluation. One step is an iteration of a loop, a compared or searched element, an element or entry that a function
   * creates, or 16 characters that it creates. Inside loops, it is also 16 characters or one element that a function reads.
   */
  readonly maxSteps: number;
  /** Elements of a list or entries of a map that an evaluation creates. */
  readonly maxCollectionSize: number;
  /** UTF-16 units of a string, or bytes, that an evaluation creates. */
  readonly maxTextLength: number;
  /** UTF-16 units of a regular expression times its counted repetitions, up to 1,000. */
  readonly maxPatternSize: number;
}

/** The limits of an environment that sets none. */
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
