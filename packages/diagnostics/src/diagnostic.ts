/** A half-open range `[start, end)` of a source, in UTF-16 offsets. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A position for editors: zero-based line and UTF-16 column. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

/** The severity of a diagnostic. Commands fail at a configurable severity. */
export type Severity = 'error' | 'warning' | 'info' | 'hint';

/** Replaces the text in `range` by `newText`; an empty range inserts. */
export interface TextEdit {
  readonly range: Range;
  readonly newText: string;
}

/**
 * A change that fixes a diagnostic. A `safe` fix keeps the meaning or is certainly intended, and may be applied automatically; an `unsafe` one
 * may change decisions, and is applied to whole files only on request; a `suggestion` needs a person to choose.
 */
export interface Fix {
  readonly title: string;
  readonly applicability: 'safe' | 'unsafe' | 'suggestion';
  readonly edits: readonly TextEdit[];
}

/** Another location that explains a diagnostic, such as the first of two duplicate keys. */
export interface RelatedLocation {
  readonly uri: string;
  readonly range: Range;
  readonly message: string;
}

/** The names, types and limits in a message, for tools. */
export type DiagnosticArgs = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** An error or warning about a document. Every reporter takes the same value. */
export interface Diagnostic {
  /** `area/kebab-case`; never renamed once published. */
  readonly code: string;
  readonly severity: Severity;
  /** Lower case, no final period, user text in backticks. Tools use `code` and `args` instead. */
  readonly message: string;
  /** The document that `range` points into. */
  readonly uri: string;
  readonly range: Range;
  readonly args: DiagnosticArgs;
  readonly related?: readonly RelatedLocation[];
  readonly fixes?: readonly Fix[];
  readonly tags?: readonly ('unnecessary' | 'deprecated')[];
}

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
