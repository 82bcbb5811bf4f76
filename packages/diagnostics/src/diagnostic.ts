import type { Range } from './range.ts';

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
