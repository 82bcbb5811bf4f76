import type { Outcome } from './outcome-text.ts';

/** A number that may be uncertain. */
export interface Bounds {
  readonly least: number;
  readonly most: number;
}

/** How often a rule matched. */
export interface ReplayedRule {
  readonly phase: string;
  /** From 0. */
  readonly index: number;
  readonly name?: string;
  readonly matched: number;
  readonly notMatched: number;
  readonly failed: number;
  readonly notReached: number;
  readonly undetermined: number;
  readonly errors: readonly { readonly text: string; readonly count: number }[];
  readonly needs: readonly { readonly text: string; readonly count: number }[];
}

/** What `tollgate replay --format json` prints, as far as it is shown. */
export interface ReplayReport {
  readonly exchanges: number;
  readonly files: readonly {
    readonly file: string;
    readonly exchanges: number;
    readonly skipped: number;
    readonly failure?: { readonly message: string };
  }[];
  readonly rules: readonly ReplayedRule[];
  readonly outcomes: readonly { readonly outcome: Outcome; readonly count: Bounds }[];
  readonly undetermined: {
    readonly exchanges: number;
    readonly needs: readonly { readonly text: string; readonly count: number }[];
  };
}
