import type { SourceText, TextEdit } from '@tollgate/diagnostics';
import type { TextDocumentContentChangeEvent } from 'vscode-languageserver';
import { singleEdit, toOffsets } from '../protocol/ranges.ts';
import type { Session } from './session.ts';

/** Follows what the client opens, edits, saves and closes. Events of documents that are not open are ignored. */
export function listenToDocuments({ connection, workspace, loop }: Session): void {
  connection.onDidOpenTextDocument(({ textDocument: { uri, version, languageId, text } }) => {
    workspace.open({ uri, version, languageId }, text);
    loop.update(uri);
  });
  connection.onDidChangeTextDocument(({ textDocument: { uri, version }, contentChanges }) => {
    const sent = workspace.sentOf(uri);
    // An older version than the known one arrived out of order.
    if (!sent || version < sent.version) return;
    workspace.change(uri, version, editsOf(sent.source, contentChanges));
    loop.update(uri);
  });
  connection.onDidSaveTextDocument(({ textDocument: { uri } }) => {
    workspace.forgetFiles();
    if (workspace.versionOf(uri) !== undefined) loop.save(uri);
  });
  connection.onDidCloseTextDocument(({ textDocument: { uri } }) => {
    workspace.close(uri);
    loop.close(uri);
  });
}

/** Returns the changes one after the other, each in the offsets of the text that it was made in. */
function editsOf(source: SourceText, changes: readonly TextDocumentContentChangeEvent[]): readonly TextEdit[] {
  let current = source;
  return changes.flatMap(change => {
    const edit = editOf(current, change);
    if (edit) current = current.edited(edit);
    return edit ?? [];
  });
}

function editOf(source: SourceText, change: TextDocumentContentChangeEvent): TextEdit | undefined {
  if (!('range' in change)) return singleEdit(source.text, change.text);
  const { start, end } = toOffsets(source, change.range);
  return { range: { start, end: Math.max(start, end) }, newText: change.text };
}
