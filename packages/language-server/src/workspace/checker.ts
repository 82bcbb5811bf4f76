import type { Diagnostic, TextEdit } from '@tollgate/diagnostics';
import type { DocumentKind } from '../project/project.ts';
import type { Linted } from './lint-snapshot.ts';

/** How thoroughly a document is checked. */
export type Depth = 'fast' | 'all';

/** What a check of a version of a document found. Plain data. */
export interface Checked {
  readonly uri: string;
  readonly version: number;
  readonly kind: DocumentKind;
  readonly profile: string | undefined;
  readonly endpoint: string | undefined;
  /** True if a later edit of the text can be followed rule by rule. */
  readonly isReadable: boolean;
  /** Those of the analysis of the whole text. */
  readonly diagnostics: readonly Diagnostic[];
  /** Undefined for a file that the settings ignore. */
  readonly linted: Linted | undefined;
  /** Ids of the lint rules that ran; earlier findings of all others still stand. Undefined if all ran. */
  readonly ran: readonly string[] | undefined;
}

/** Does what takes longer than a keystroke may take: in the same thread, or in another one. Documents are named by their URIs. */
export interface Checker {
  readonly check: (uri: string, depth: Depth) => Promise<Checked | undefined>;
  /** Returns the edits for the layout of `tollgate fmt`, in offsets; undefined if the document cannot be formatted. */
  readonly format: (uri: string) => Promise<readonly TextEdit[] | undefined>;
  /** Returns the edit that applies all safe fixes; undefined if there are none. */
  readonly fixAll: (uri: string) => Promise<TextEdit | undefined>;
  readonly end: () => void;
}
