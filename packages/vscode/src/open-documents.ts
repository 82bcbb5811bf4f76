import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type TextDocument, Uri, workspace } from 'vscode';
import type { ShownText } from './tollgate-program.ts';

/**
 * Returns the path by which commands name a document: that of its file, or the one that it may get in the first folder. Only the editor has
 * the text of the latter.
 */
export function pathOf({ uri, languageId }: Pick<TextDocument, 'uri' | 'languageId'>): string {
  if (uri.scheme === 'file') return uri.fsPath;
  const [folder] = workspace.workspaceFolders ?? [];
  return join(folder?.uri.fsPath ?? tmpdir(), `${basename(uri.path)}.${languageId === 'json' ? 'json' : 'yaml'}`);
}

/** Returns the URI of what commands call by a path. */
export function uriOf(path: string): Uri {
  const untitled = workspace.textDocuments.find(one => one.uri.scheme === 'untitled' && pathOf(one) === path);
  return untitled?.uri ?? Uri.file(path);
}

/** Returns what the editor shows of files with unsaved changes, and of those that were never saved: commands read this instead. */
export function unsavedTexts(): readonly ShownText[] {
  const edited = workspace.textDocuments.filter(
    ({ isDirty, uri: { scheme } }) => scheme === 'untitled' || (isDirty && scheme === 'file'),
  );
  return edited.map(document => ({ path: pathOf(document), text: document.getText() }));
}
