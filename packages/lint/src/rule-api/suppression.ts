import type { Range } from '@tollgate/diagnostics';

/** A comment that says which findings do not count, and where. */
export interface Suppression {
  readonly kind: 'line' | 'block' | 'file';
  /** Of the comment. */
  readonly range: Range;
  /** Ids, codes or `category/*`, each with its place. */
  readonly names: readonly { readonly name: string; readonly range: Range }[];
  /** Behind `--`, without the date. */
  readonly reason: string | undefined;
  /** Last day on which it holds: `2027-01-01`. */
  readonly until: { readonly date: string; readonly range: Range } | undefined;
  /** What findings must begin in; offsets, both inclusive. */
  readonly scope: Range;
}

/** A comment that was meant to be a suppression and cannot be read as one. */
export interface MalformedSuppression {
  readonly range: Range;
  readonly message: string;
}

/** A suppression after a file was linted. */
export interface UsedSuppression extends Suppression {
  readonly isExpired: boolean;
  /** Those of its names that suppressed nothing. */
  readonly unused: Suppression['names'];
}

/** What there is to be said about the suppressions of a file. */
export interface SuppressionReport {
  readonly suppressions: readonly UsedSuppression[];
  readonly malformed: readonly MalformedSuppression[];
  readonly isKnown: (name: string) => boolean;
  /** The id that may have been meant. */
  readonly suggestion: (name: string) => string | undefined;
  /** Whether what a name stands for has run, so that it could have been of use. */
  readonly isActive: (name: string) => boolean;
}
