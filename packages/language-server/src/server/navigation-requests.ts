import { rangeInFile } from '@tollgate/policy';
import { type Location, LSPErrorCodes, type Position, ResponseError } from 'vscode-languageserver';
import {
  completed,
  definitions,
  highlights,
  isShared,
  type Lookup,
  linkedRanges,
  references,
  symbolAt,
} from '../features/names/navigation.ts';
import { nameFault, rename, renameable } from '../features/names/rename.ts';
import { documentSymbols, flatSymbols, matchingSymbols } from '../features/symbols.ts';
import type { NamedFile } from '../navigation/occurrence.ts';
import { toRange } from '../protocol/ranges.ts';
import { inStrings } from '../snapshot/embedded-at.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { withEmbedded } from './embedded-requests.ts';
import { documentHandler } from './request-handlers.ts';
import type { Session } from './session.ts';

/** Answers requests about names: where they are defined and used, and what changes with them. Names in strings have ranges of the file. */
export function answerNavigation(session: Session): void {
  const { connection, workspace, client } = session;
  const about = documentHandler(session);
  const lookup = (snapshot: Snapshot, position: Position) => lookUp(snapshot, position, session);
  connection.onDefinition(
    about(async (snapshot, { position }) => {
      const found = await lookup(snapshot, position);
      const { kind, file } = found?.symbol ?? {};
      if (kind === 'file' && file) return [await startOf(file, session)];
      return found && [...definitions(found)];
    }),
  );
  connection.onReferences(
    about(async (snapshot, { position, context }) => {
      const found = await lookup(snapshot, position);
      return found && [...references(found, context)];
    }),
  );
  const at = <Result>(answer: (snapshot: Snapshot, offset: number) => Result) =>
    about((snapshot, { position }: { textDocument: { uri: string }; position: Position }) =>
      answer(snapshot, snapshot.source.offsetAt(position)),
    );
  connection.onDocumentHighlight(at((snapshot, offset) => mutable(highlights(snapshot, offset))));
  connection.languages.onLinkedEditingRange(at(linkedRanges));
  connection.onPrepareRename(
    about(async (snapshot, { position }) => {
      const found = await lookup(snapshot, position);
      return found && renameable(found, snapshot);
    }),
  );
  connection.onRenameRequest(
    about(async (snapshot, { position, newName }) => {
      const found = await lookup(snapshot, position);
      if (!found || !renameable(found, snapshot)) return undefined;
      const fault = nameFault(found.symbol, newName);
      if (fault !== undefined) throw new ResponseError(LSPErrorCodes.RequestFailed, fault);
      const edit = rename(found, newName, { versioned: client.versionedEdits });
      if ('fault' in edit) throw new ResponseError(LSPErrorCodes.RequestFailed, `\`${newName}\` ${edit.fault}`);
      return edit;
    }),
  );
  connection.onDocumentSymbol(
    about(snapshot => {
      const symbols = withEmbedded(snapshot, documentSymbols);
      return client.nestedSymbols ? [...symbols] : [...flatSymbols(snapshot, symbols)];
    }),
  );
  connection.onWorkspaceSymbol(async ({ query }) => {
    const all = await workspace.everywhere();
    const symbols = all.flatMap(one => flatSymbols(one, withEmbedded(one, documentSymbols)));
    return [...matchingSymbols(symbols, query)];
  });
}

async function lookUp(
  snapshot: Snapshot,
  position: Position,
  { workspace }: Pick<Session, 'workspace'>,
): Promise<Lookup | undefined> {
  const symbol = symbolAt(snapshot, snapshot.source.offsetAt(position));
  if (!symbol) return undefined;
  if (!isShared(symbol)) return { symbol, documents: [snapshot] };
  const others = (await workspace.everywhere()).filter(one => one.uri !== snapshot.uri);
  const documents = [snapshot, ...others];
  const { file } = symbol;
  // The policy of the tests may be outside of the folders.
  const isKnown = !file || documents.some(one => one.path === file.path);
  const named = isKnown ? undefined : await workspace.snapshotAt(file.path);
  return completed({ symbol, documents: named ? [...documents, named] : documents });
}

/** The start of a policy in a file, or of the file. */
async function startOf({ path, address }: NamedFile, { workspace }: Pick<Session, 'workspace'>): Promise<Location> {
  const uri = workspace.uriAt(path);
  const snapshot = address === undefined ? undefined : await workspace.snapshotAt(path);
  const own = snapshot?.policies.find(one => one.address === address)?.policy.range;
  const inner = snapshot && inStrings(snapshot).find(one => one.snapshot.policies[0]?.address === address)?.embedded;
  const range = own ?? (inner && rangeInFile(inner, inner.range));
  const start = snapshot && range ? toRange(snapshot.source, range).start : { line: 0, character: 0 };
  return { uri, range: { start, end: start } };
}

function mutable<T>(items: readonly T[] | undefined): T[] | undefined {
  return items && [...items];
}
