import { lineStart, type Range } from '@tollgate/diagnostics';
import { type EmbeddedPolicy, rangeInFile } from '@tollgate/policy';
import {
  type CancellationToken,
  type Location,
  LSPErrorCodes,
  type Position,
  ResponseError,
  type SemanticTokensRangeParams,
} from 'vscode-languageserver';
import { complete, completionList, resolveItem } from '../completion/complete.ts';
import type { Suggestion } from '../completion/complete-keys.ts';
import { signatureHelp } from '../completion/signature-help.ts';
import { codeLenses, fixAllAction, quickActions, testsOf, wantsFixAll } from '../features/code-actions.ts';
import { onTypeFormatting, rangeFormatting } from '../features/formatting.ts';
import { hitHints, inlayHints } from '../features/hints.ts';
import { hover } from '../features/hover.ts';
import {
  completed,
  definitions,
  fileRenames,
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
import type { NamedFile } from '../features/occurrences.ts';
import { refactorings } from '../features/refactorings.ts';
import { semanticTokens } from '../features/semantic-tokens.ts';
import {
  documentLinks,
  documentSymbols,
  flatSymbols,
  foldingRanges,
  matchingSymbols,
  selectionRange,
  summarize,
} from '../features/structure.ts';
import { directoryOf, nameFrom, pathOfUri } from '../paths.ts';
import { toOffsets, toRange, toTextEdit } from '../protocol.ts';
import { type EmbeddedSnapshot, embeddedAt, inStrings, keptSince, type Snapshot } from '../snapshot.ts';
import { answerCommands, resolveTestAction, takeHits, testActions } from './commands.ts';
import type { ServerSession } from './diagnostics-loop.ts';
import { answerWorkspacePulls } from './workspace-diagnostics.ts';

/** Answers the requests of the client. */
export function answerRequests(session: ServerSession): void {
  if (session.client.pulls) answerPulls(session);
  answerOwnRequests(session);
  answerCommands(session);
  answerAtCursor(session);
  answerNavigation(session);
  answerAboutDocument(session);
  answerEdits(session);
}

function answerPulls({ connection, loop, client, whole }: ServerSession): void {
  connection.languages.diagnostics.on(({ textDocument: { uri }, previousResultId }) =>
    loop.pull(uri, previousResultId),
  );
  if (client.workspaceFiles > 0) answerWorkspacePulls(connection, whole);
}

function answerAtCursor(session: ServerSession): void {
  const { connection, client } = session;
  const at = positionHandler(session);
  let suggestions: readonly Suggestion[] = [];
  connection.onCompletion(
    documentHandler(session)(async (snapshot, { position }) => {
      const offset = snapshot.source.offsetAt(position);
      const { inner, offset: inside = offset } = embeddedAt(snapshot, offset) ?? {};
      const files = await policyFiles(snapshot, offset, session);
      suggestions = complete(inner?.snapshot ?? snapshot, inside, files);
      return completionList(suggestions, { source: snapshot.source, inner, shift: offset - inside }, client);
    }),
  );
  connection.onCompletionResolve(item => resolveItem(item, suggestions));
  // Functions, so that a bundle may load what answers them on the first question.
  connection.onHover(at((snapshot, offset) => hover(snapshot, offset)));
  connection.onSignatureHelp(at((snapshot, offset) => signatureHelp(snapshot, offset)));
}

/** Returns the files that the document may name as its policy, relative to it, if the offset is where it does. */
async function policyFiles(
  { kind, path, source: { text } }: Snapshot,
  offset: number,
  { workspace }: Pick<ServerSession, 'workspace'>,
): Promise<readonly string[]> {
  const [, ...values] = text.slice(lineStart(text, offset), offset).split(/\bpolicy["']?[ \t]*:/);
  const value = values.at(-1);
  if (!['tests', 'invariants', 'project'].includes(kind) || value === undefined || /\S\s/.test(value)) return [];
  const files = (await workspace.filesInFolders()).filter(one => !/\.(?:test|invariants)\.\w+$/.test(one));
  return files.map(one => nameFrom(directoryOf(path), one));
}

function answerAboutDocument(session: ServerSession): void {
  const { connection, workspace } = session;
  const about = documentHandler(session, true);
  connection.onFoldingRanges(about(snapshot => [...foldingRanges(snapshot)]));
  connection.onSelectionRanges(
    about((snapshot, { positions }) => positions.map(one => selectionRange(snapshot, snapshot.source.offsetAt(one)))),
  );
  connection.onDocumentLinks(about(snapshot => [...documentLinks(snapshot)]));
  connection.onCodeLens(about(snapshot => [...withEmbedded(snapshot, codeLenses)]));
  // Hints and lenses are complete; some clients ask again when they announce support.
  connection.onCodeLensResolve(lens => lens);
  connection.languages.inlayHint.resolve(hint => hint);
  const empty = { data: [] };
  const tokens = about(snapshot => semanticTokens(snapshot));
  const tokensIn = about((snapshot, { range }: SemanticTokensRangeParams) =>
    semanticTokens(snapshot, toOffsets(snapshot.source, range)),
  );
  connection.languages.semanticTokens.on(async (params, token) => (await tokens(params, token)) ?? empty);
  connection.languages.semanticTokens.onRange(async (params, token) => (await tokensIn(params, token)) ?? empty);
  connection.languages.inlayHint.on(
    about((snapshot, { range }) => {
      const part = toOffsets(snapshot.source, range);
      const all = withEmbedded(snapshot, one => {
        // Offsets of a part of the file are not those of a string in it.
        const inside = one === snapshot ? part : { start: 0, end: one.source.text.length };
        return [...inlayHints(one, inside), ...hitHints(one, inside, workspace.hits)];
      });
      return all.filter(({ position }) => isWithin(snapshot.source.offsetAt(position), part));
    }),
  );
}

function answerEdits(session: ServerSession): void {
  const { connection, workspace, client, checker } = session;
  const about = documentHandler(session);
  connection.onCodeAction(
    about(async (snapshot, { range, context }) => {
      const { found = [] } = (await workspace.diagnostics(snapshot.uri)) ?? {};
      const offsets = toOffsets(snapshot.source, range);
      const request = { range: offsets, context, found, support: client.diagnostics };
      const quick = [
        ...quickActions(snapshot, request),
        ...refactorings(snapshot, request),
        ...(await testActions(snapshot, request, session)),
      ];
      if (!wantsFixAll(request)) return [...quick];
      return [...quick, ...fixAllAction(snapshot, await checker.fixAll(snapshot.uri))];
    }),
  );
  connection.onCodeActionResolve(action => resolveTestAction(action, session));
  const formatting = async ({ uri, version }: Snapshot) => {
    const edits = await checker.format(uri);
    if (workspace.versionOf(uri) === version) return edits;
    throw new ResponseError(LSPErrorCodes.ContentModified, 'the document has changed');
  };
  connection.onDocumentFormatting(
    about(async snapshot => (await formatting(snapshot))?.map(edit => toTextEdit(snapshot.source, edit))),
  );
  connection.onDocumentRangeFormatting(
    about(async (snapshot, { range }) => {
      const edits = await formatting(snapshot);
      const { source } = snapshot;
      return edits && rangeFormatting(snapshot, toOffsets(source, range), edits).map(edit => toTextEdit(source, edit));
    }),
  );
  connection.onDocumentOnTypeFormatting(
    about((snapshot, { position, ch }) => mutable(onTypeFormatting(snapshot, position, ch))),
  );
  connection.workspace.onWillRenameFiles(async ({ files }) => {
    const renames = files.map(({ oldUri, newUri }) => ({ from: pathOfUri(oldUri), to: pathOfUri(newUri) }));
    return fileRenames(await workspace.everywhere(), renames);
  });
}

function isWithin(offset: number, { start, end }: Range): boolean {
  return offset >= start && offset <= end;
}

function mutable<T>(items: readonly T[] | undefined): T[] | undefined {
  return items && [...items];
}

/** Answers requests about names: where they are defined and used, and what changes with them. Names in strings have ranges of the file. */
function answerNavigation(session: ServerSession): void {
  const { connection, workspace, client } = session;
  const about = documentHandler(session, true);
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
  connection.languages.onLinkedEditingRange(at((snapshot, offset) => linkedRanges(snapshot, offset)));
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
      const unread = found.documents.find(one => one.lastGood);
      if (unread)
        throw new ResponseError(
          LSPErrorCodes.RequestFailed,
          `${unread.path} cannot be read as a whole; fix its errors first`,
        );
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
  { workspace }: Pick<ServerSession, 'workspace'>,
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
async function startOf(
  { path, address }: NamedFile,
  { workspace }: Pick<ServerSession, 'workspace'>,
): Promise<Location> {
  const uri = workspace.uriAt(path);
  const snapshot = address === undefined ? undefined : await workspace.snapshotAt(path);
  const own = snapshot?.policies.find(one => one.address === address)?.policy.range;
  const inner = snapshot && inStrings(snapshot).find(one => one.snapshot.policies[0]?.address === address)?.embedded;
  const range = own ?? (inner && rangeInFile(inner, inner.range));
  const start = snapshot && range ? toRange(snapshot.source, range).start : { line: 0, character: 0 };
  return { uri, range: { start, end: start } };
}

interface AboutDocument {
  readonly textDocument: { readonly uri: string };
}

interface Replayed extends AboutDocument {
  /** What `tollgate replay --format json` printed. */
  readonly report: unknown;
}

/** Answers requests that the protocol does not have. The extension for VS Code and the tests send them. */
function answerOwnRequests(session: ServerSession): void {
  const { connection, loop, workspace } = session;
  // Resolves when the diagnostics of a document are final.
  connection.onRequest('tollgate/settled', async ({ textDocument: { uri } }: AboutDocument) => {
    await loop.settle(uri);
    return null;
  });
  // What an open document is, for a status bar.
  connection.onRequest('tollgate/document', async ({ textDocument: { uri } }: AboutDocument) => {
    const snapshot = await workspace.snapshot(uri);
    return snapshot ? summarize(snapshot) : null;
  });
  // What a replay that the client ran itself counted, for hints. The fragment of the URI is the address of a policy in a file.
  connection.onNotification('tollgate/replayed', ({ textDocument: { uri }, report }: Replayed) =>
    takeHits(uri, report, session),
  );
  // The tests of a file, open or not, for a test explorer.
  connection.onRequest('tollgate/tests', async ({ textDocument: { uri } }: AboutDocument) => {
    const snapshot = await workspace.snapshotAt(pathOfUri(uri));
    const found = snapshot && testsOf(snapshot);
    if (!found) return null;
    const { source } = snapshot;
    return found.tests.map(({ name, nameRange, range }) => {
      return { name, nameRange: toRange(source, nameRange), range: toRange(source, range) };
    });
  });
}

/** Converts an answer about a policy's own document into one about the file: every range in it. Takes plain data. */
function inFile<T>(answer: T, inner: EmbeddedSnapshot, file: Snapshot): T {
  return withRanges(answer, range => toRange(file.source, rangeOf(range, inner)));
}

/** Converts every range and position in an answer. Takes plain data. */
function withRanges<T>(answer: T, convert: (range: ProtocolRange) => ProtocolRange): T;
function withRanges(answer: unknown, convert: (range: ProtocolRange) => ProtocolRange): unknown {
  if (Array.isArray(answer)) return answer.map(one => withRanges(one, convert));
  if (typeof answer !== 'object' || answer === null) return answer;
  if (isRange(answer)) return convert(answer);
  if (isPosition(answer)) return convert({ start: answer, end: answer }).start;
  return Object.fromEntries(Object.entries(answer).map(([key, value]) => [key, withRanges(value, convert)]));
}

/**
 * Returns what a feature gives for a document and for the policies in strings of it; while a document cannot be read, what it gave last.
 * Takes plain data.
 */
function withEmbedded<T>(snapshot: Snapshot, feature: (one: Snapshot) => readonly T[]): readonly T[] {
  const { lastGood, source } = snapshot;
  if (lastGood) {
    const { snapshot: good } = lastGood;
    return withRanges(withEmbedded(good, feature), range =>
      toRange(source, keptSince(lastGood, toOffsets(good.source, range))),
    );
  }
  return [...feature(snapshot), ...inStrings(snapshot).flatMap(one => inFile(feature(one.snapshot), one, snapshot))];
}

interface ProtocolPosition {
  readonly line: number;
  readonly character: number;
}

interface ProtocolRange {
  readonly start: ProtocolPosition;
  readonly end: ProtocolPosition;
}

function isPosition(value: object): value is ProtocolPosition {
  const { line, character } = value as Partial<Record<keyof ProtocolPosition, unknown>>;
  return typeof line === 'number' && typeof character === 'number' && Object.keys(value).length === 2;
}

function rangeOf(range: ProtocolRange, { embedded, snapshot }: EmbeddedSnapshot): ReturnType<typeof rangeInFile> {
  return rangeInFile(embedded satisfies EmbeddedPolicy, toOffsets(snapshot.source, range));
}

function isRange(value: object): value is ProtocolRange {
  const { start, end } = value as Partial<Record<keyof ProtocolRange, unknown>>;
  return typeof start === 'object' && typeof end === 'object' && Object.keys(value).length === 2;
}

/** A request about a document. */
interface AboutRequest {
  readonly textDocument: { readonly uri: string };
}

type Answer<Result> = Result | undefined | Promise<Result | undefined>;

/**
 * Returns a function that makes handlers of requests about a document. A request about a document that is not open, or is not ours, gets an
 * empty answer, and so does one that fails because of a defect. One that shows what a document has is also answered while that cannot be
 * read; see `lastGood`.
 */
function documentHandler({ workspace, connection, afterInput }: ServerSession, shows = false) {
  return <Params extends AboutRequest, Result>(answer: (snapshot: Snapshot, params: Params) => Answer<Result>) =>
    async (params: Params, token: CancellationToken): Promise<Result | null> => {
      // A cancellation that has already arrived comes first.
      await afterInput();
      if (token.isCancellationRequested) throw new ResponseError(LSPErrorCodes.RequestCancelled, 'cancelled');
      const snapshot = await workspace.snapshot(params.textDocument.uri);
      if (!snapshot || (snapshot.kind === 'other' && !(shows && snapshot.lastGood))) return null;
      try {
        return (await answer(snapshot, params)) ?? null;
      } catch (error) {
        if (error instanceof ResponseError) throw error;
        // A defect of one feature must not disturb the editor.
        connection.console.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
        return null;
      }
    };
}

/** Returns a function that makes handlers of requests about a position in a document. */
function positionHandler(session: ServerSession) {
  const about = documentHandler(session);
  return <Result>(answer: (snapshot: Snapshot, offset: number) => Answer<Result>) =>
    about(async (snapshot, { position }: AboutRequest & { readonly position: Position }) => {
      const offset = snapshot.source.offsetAt(position);
      const embedded = embeddedAt(snapshot, offset);
      if (!embedded) return await answer(snapshot, offset);
      const found = await answer(embedded.inner.snapshot, embedded.offset);
      return found === undefined ? undefined : inFile(found, embedded.inner, snapshot);
    });
}
