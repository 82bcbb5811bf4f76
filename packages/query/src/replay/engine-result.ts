/** The result of a run on an engine, or the reason why it cannot be exact. */
export type EngineResult<Summary> =
  | { readonly kind: 'replayed'; readonly summary: Summary }
  | { readonly kind: 'unsuited'; readonly reason: string }
  /** It was stopped, and nothing is known. */
  | { readonly kind: 'stopped' };
