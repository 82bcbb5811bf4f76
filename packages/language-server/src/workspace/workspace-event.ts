import type { TextEdit } from '@tollgate/diagnostics';
import type { SentDocument } from '../snapshot/take-snapshot.ts';

/** What changes the open documents of a workspace, or how they are checked. Plain data. */
export type WorkspaceEvent =
  | { readonly kind: 'open'; readonly document: Omit<SentDocument, 'source' | 'path'>; readonly text: string }
  | { readonly kind: 'change'; readonly uri: string; readonly version: number; readonly edits: readonly TextEdit[] }
  | { readonly kind: 'close'; readonly uri: string }
  /** Settings have changed. */
  | { readonly kind: 'settings' }
  /** Files that are not open have changed. */
  | { readonly kind: 'files' };
