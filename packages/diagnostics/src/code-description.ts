import type { Severity } from './diagnostic.ts';

/** An example that causes a diagnostic, or the corrected version of one. */
export interface CodeExample {
  /** How to read `text`. An expression is the condition of a rule, evaluated with the sample values of the catalog. */
  readonly kind:
    | 'policy'
    | 'json'
    | 'expression'
    | 'extension'
    | 'project'
    | 'tests'
    | 'migration'
    | 'traffic'
    | 'command';
  readonly text: string;
  /** The profile, if it is not detected from the text; for expressions, if it is not the oldest. */
  readonly profile?: string;
  /** The endpoint kind, if it is not the first of the profile. */
  readonly endpoint?: string;
  /** A placeholder in the text for something long. */
  readonly stands?: { readonly mark: string; readonly for: string; readonly times: number };
}

/** Where a code occurs: in a report, as an evaluation error, as the reason for a skipped record, or as the failure of a command. */
export type CodeKind = 'diagnostic' | 'evaluation-error' | 'skipped-record' | 'failure';

/**
 * The description of a code, from which `tollgate explain`, the reference pages and the rule tables of reports are generated.
 * All strings are Markdown with paragraphs, lists, and code in backticks.
 */
export interface CodeDescription {
  /** `area/kebab-case`. */
  readonly code: string;
  /** `diagnostic` by default. */
  readonly kind?: CodeKind;
  /** The default severity. */
  readonly severity: Severity;
  /** One line, lower case, without a final period. */
  readonly summary: string;
  /** What is wrong, and what it leads to. */
  readonly rationale: string;
  /** How to fix it. Omitted if the examples show it. */
  readonly remedy?: string;
  /** An example with this diagnostic. */
  readonly bad?: CodeExample;
  /** The corrected example, without any finding. */
  readonly good?: CodeExample;
  /** Error codes with which the service would reject the policy. */
  readonly refusals?: readonly number[];
  /** Why there are no examples. */
  readonly withoutExample?: string;
}
