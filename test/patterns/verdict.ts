/** How long matching may take, by the length of the string. */
export interface Verdict {
  /** `automaton` is exact; `fuzz` tries many strings, where the automaton grows too large. */
  readonly checker: 'automaton' | 'fuzz';
  /** `safe` (constant), `linear`, `polynomial of degree 2`, `exponential`; `unknown: unsupported` with what recheck cannot read. */
  readonly complexity: string;
}
