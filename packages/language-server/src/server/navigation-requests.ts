import { LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import {
  definitions,
  highlights,
  isShared,
  type Lookup,
  linkedRanges,
  nameFault,
  references,
  rename,
  renameable,
  symbolAt,
} from '../features/navigation.ts';
import { documentSymbols, flatSymbols, workspaceSymbols } from '../features/symbols.ts';
import { uriOfPath } from '../protocol/uris.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { withEmbedded } from './embedded-requests.ts';
import { documentHandler, positionHandler } from './request-handlers.ts';
import type { Session } from './session.ts';

/** Answers requests about names: where they are defined and used, and what changes with them. */
export function answerNavigation(session: Session): void {
  const { connection, workspace, client } = session;
  const about = documentHandler(session);
  const at = positionHandler(session);
  const lookup = async (snapshot: Snapshot, offset: number): Promise<Lookup | undefined> => {
    const symbol = symbolAt(snapshot, offset);
    if (!symbol) return undefined;
    if (!isShared(symbol)) return { symbol, documents: [snapshot] };
    const everywhere = await workspace.everywhere();
    return { symbol, documents: [snapshot, ...everywhere.filter(one => one.uri !== snapshot.uri)] };
  };
  connection.onDefinition(
    at(async (snapshot, offset) => {
      const found = await lookup(snapshot, offset);
      if (found?.symbol.kind === 'file') return startOf(found.symbol.key.slice('file '.length));
      if (found?.symbol.kind !== 'rule') return found && [...definitions(found)];
      // The policy of the tests may be outside of the folders.
      const path = found.symbol.key.slice('rule '.length).split('\n')[0] ?? '';
      const policy = await workspace.snapshotAt(path);
      const documents = policy && policy.uri !== snapshot.uri ? [snapshot, policy] : found.documents;
      return [...definitions({ ...found, documents })];
    }),
  );
  connection.onReferences(
    about(async (snapshot, { position, context }) => {
      const found = await lookup(snapshot, snapshot.source.offsetAt(position));
      return found && [...references(found, context)];
    }),
  );
  connection.onDocumentHighlight(at((snapshot, offset) => mutable(highlights(snapshot, offset))));
  connection.languages.onLinkedEditingRange(at(linkedRanges));
  connection.onPrepareRename(at(renameable));
  connection.onRenameRequest(
    about(async (snapshot, { position, newName }) => {
      const found = await lookup(snapshot, snapshot.source.offsetAt(position));
      if (!found || !renameable(snapshot, snapshot.source.offsetAt(position))) return undefined;
      const fault = nameFault(found.symbol, newName);
      if (fault !== undefined) throw new ResponseError(LSPErrorCodes.RequestFailed, fault);
      return rename(found, newName, { versioned: client.versionedEdits });
    }),
  );
  connection.onDocumentSymbol(
    about(snapshot => {
      const symbols = withEmbedded(snapshot, documentSymbols);
      return client.nestedSymbols ? [...symbols] : [...flatSymbols(snapshot, symbols)];
    }),
  );
  connection.onWorkspaceSymbol(async ({ query }) => [...workspaceSymbols(await workspace.everywhere(), query)]);
}

function startOf(path: string) {
  const start = { line: 0, character: 0 };
  return [{ uri: uriOfPath(path), range: { start, end: start } }];
}

function mutable<T>(items: readonly T[] | undefined): T[] | undefined {
  return items && [...items];
}
