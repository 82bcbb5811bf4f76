import type { Range } from './range.ts';

/** How bad a diagnostic is; commands fail from a chosen severity on. */
export type Severity = 'error' | 'warning' | 'info' | 'hint';

/** Replaces the text in `range` by `newText`; an empty range inserts. */
export interface TextEdit {
  readonly range: Range;
  readonly newText: string;
}

/**
 * A change that mends a diagnostic. `safe` keeps the meaning or is certainly what was meant, and may be applied unasked; `unsafe`
 * may change what is decided, and is applied to whole files only when asked for; a `suggestion` waits for a person to look at it.
 */
export interface Fix {
  readonly title: string;
  readonly applicability: 'safe' | 'unsafe' | 'suggestion';
  readonly edits: readonly TextEdit[];
}

/** Another place that explains a diagnostic, such as the first of two equal keys. */
export interface RelatedPlace {
  readonly uri: string;
  readonly range: Range;
  readonly message: string;
}

/** What a tool may decide by, beside the code: the names, types and limits that the message is made of. */
export type DiagnosticArgs = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** Something wrong, or doubtful, in a text that the user wrote. The same value feeds every reporter. */
export interface Diagnostic {
  /** `area/kebab-case`; never renamed once published. */
  readonly code: string;
  readonly severity: Severity;
  /** Lower case, no final period, user text in backticks. For people only: tools decide by `code` and `args`. */
  readonly message: string;
  /** The document that `range` points into. */
  readonly uri: string;
  readonly range: Range;
  readonly args: DiagnosticArgs;
  readonly related?: readonly RelatedPlace[];
  readonly fixes?: readonly Fix[];
  readonly tags?: readonly ('unnecessary' | 'deprecated')[];
}
