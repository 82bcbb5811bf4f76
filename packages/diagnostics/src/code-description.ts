import type { Severity } from './diagnostic.ts';

/** A text that shows a diagnostic, or how to do without it. */
export interface CodeExample {
  /** How `text` is read. */
  readonly kind: 'policy' | 'expression' | 'extension' | 'project' | 'migration' | 'traffic' | 'command';
  readonly text: string;
  /** The profile that a policy is read as, where its text does not tell. */
  readonly profile?: string;
  /** The endpoint that a policy is for, where it is not the first of its profile. */
  readonly endpoint?: string;
}

/**
 * What a code of a diagnostic means: the one record that `tollgate explain`, the reference pages and the rule tables of reports are made
 * of. Texts are Markdown of paragraphs, lists and code in backticks.
 */
export interface CodeDescription {
  /** `area/kebab-case`. */
  readonly code: string;
  /** As it is reported unless the configuration says otherwise. */
  readonly severity: Severity;
  /** One line, lower case, without a final period. */
  readonly summary: string;
  /** What is wrong, and what comes of it. */
  readonly rationale: string;
  /** How to mend it. */
  readonly remedy: string;
  /** Gives this code. Absent where no text alone can. */
  readonly bad?: CodeExample;
  /** Gives nothing. */
  readonly good?: CodeExample;
}
