import type { Range } from '@tollgate/diagnostics';
import type { CompletionItemKind } from 'vscode-languageserver-types';

/** Something that may be inserted at the cursor. */
export interface Suggestion {
  readonly label: string;
  readonly kind: CompletionItemKind;
  /** A few words next to the label. */
  readonly detail?: string;
  /** Replaces `range`; the label by default. */
  readonly text?: string;
  /** The same with placeholders, for clients that support them. */
  readonly snippet?: string;
  /** What to replace, in offsets. */
  readonly range: Range;
  /** Returns the documentation in Markdown. */
  readonly documentation?: () => string | undefined;
  readonly isDeprecated?: boolean;
  /** Suggestions with smaller numbers come first. */
  readonly rank?: number;
  /** True if the next suggestions follow immediately. */
  readonly continues?: boolean;
}
