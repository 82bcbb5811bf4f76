import type { Range } from '@tollgate/diagnostics';

/** A comment that suppresses findings. */
export interface Suppression {
  readonly kind: 'line' | 'block' | 'file';
  /** Range of the comment. */
  readonly range: Range;
  /** Ids, codes or `category/*`, each with its range. */
  readonly names: readonly { readonly name: string; readonly range: Range }[];
  /** The text after `--`, without the date. */
  readonly reason: string | undefined;
  /** The last day of validity, such as `2027-01-01`. */
  readonly until: { readonly date: string; readonly range: Range } | undefined;
  /** Suppresses findings that start in this range; both ends are inclusive. */
  readonly scope: Range;
}

/** A comment that looks like a suppression and is not valid. */
export interface MalformedSuppression {
  readonly range: Range;
  readonly message: string;
}

/** A suppression after its file was linted. */
export interface UsedSuppression extends Suppression {
  readonly isExpired: boolean;
  /** The names that suppressed nothing. */
  readonly unused: Suppression['names'];
}

/** The suppressions of a file, for lint rules that check them. */
export interface SuppressionReport {
  readonly suppressions: readonly UsedSuppression[];
  readonly malformed: readonly MalformedSuppression[];
  readonly isKnown: (name: string) => boolean;
  /** Returns the id that was probably meant. */
  readonly suggestion: (name: string) => string | undefined;
  /** Returns true if anything that the name stands for has run. */
  readonly isActive: (name: string) => boolean;
}
