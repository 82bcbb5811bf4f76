import { type SourceText, SourceText as Text } from '@tollgate/diagnostics';
import type { TextDocumentContentChangeEvent } from 'vscode-languageserver';
import { toOffsets } from '../protocol/ranges.ts';
import type { Session } from './session.ts';

/** Follows what the client opens, edits, saves and closes. Events of documents that are not open are ignored. */
export function listenToDocuments({ connection, workspace, loop }: Session): void {
  connection.onDidOpenTextDocument(({ textDocument: { uri, version, languageId, text } }) => {
    workspace.open({ uri, version, languageId }, text);
    loop.update(uri);
  });
  connection.onDidChangeTextDocument(({ textDocument: { uri, version }, contentChanges }) => {
    const last = workspace.versionOf(uri);
    // An older version than the known one arrived out of order.
    if (last === undefined || version < last) return;
    workspace.change(uri, version, source => changed(source, contentChanges));
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

function changed(source: SourceText, changes: readonly TextDocumentContentChangeEvent[]): string {
  let current = source;
  for (const change of changes) {
    if (!('range' in change)) current = new Text(source.uri, change.text);
    else {
      const { start, end } = toOffsets(current, change.range);
      const text = current.text.slice(0, start) + change.text + current.text.slice(Math.max(start, end));
      current = new Text(source.uri, text);
    }
  }
  return current.text;
}
