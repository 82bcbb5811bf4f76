import type { Severity } from './diagnostic.ts';

/** A text that shows a diagnostic, or how to do without it. */
export interface CodeExample {
  /** How `text` is read. An expression is the condition of a rule, and is run over the sample values of the catalog. */
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
  /** The profile, where it is not told by the text; of an expression, where it is not the oldest. */
  readonly profile?: string;
  /** The endpoint that a policy is for, where it is not the first of its profile. */
  readonly endpoint?: string;
  /** A part of the text that stands for something long. */
  readonly stands?: { readonly mark: string; readonly for: string; readonly times: number };
}

/** How people meet a code: in a report, as an error of running an expression, as a reason why a record was skipped, or at the end. */
export type CodeKind = 'diagnostic' | 'evaluation-error' | 'skipped-record' | 'failure';

/**
 * What a code means: the one record that `tollgate explain`, the reference pages and the rule tables of reports are made of.
 * Texts are Markdown of paragraphs, lists, and code in backticks.
 */
export interface CodeDescription {
  /** `area/kebab-case`. */
  readonly code: string;
  /** `diagnostic` when absent. */
  readonly kind?: CodeKind;
  /** As it is reported unless the configuration says otherwise. */
  readonly severity: Severity;
  /** One line, lower case, without a final period. */
  readonly summary: string;
  /** What is wrong, and what comes of it. */
  readonly rationale: string;
  /** How to mend it. Absent where the examples say enough. */
  readonly remedy?: string;
  /** Gives this code. */
  readonly bad?: CodeExample;
  /** The same intention, without any finding. */
  readonly good?: CodeExample;
  /** Error codes of the service whose refusals it foretells. */
  readonly refusals?: readonly number[];
  /** Why there are no examples. */
  readonly withoutExample?: string;
}
