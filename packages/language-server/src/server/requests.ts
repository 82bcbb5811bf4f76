import type { Range } from '@tollgate/diagnostics';
import { LSPErrorCodes, ResponseError, type SemanticTokensRangeParams } from 'vscode-languageserver';
import { fixAllAction, quickActions, wantsFixAll } from '../features/code-actions.ts';
import { codeLenses } from '../features/code-lenses.ts';
import { complete } from '../features/completion/complete.ts';
import { completionList, resolveItem } from '../features/completion/completion-list.ts';
import type { Suggestion } from '../features/completion/suggestion.ts';
import { onTypeFormatting, rangeFormatting } from '../features/formatting.ts';
import { hitHints } from '../features/hit-hints.ts';
import { hover } from '../features/hover.ts';
import { inlayHints } from '../features/inlay-hints.ts';
import { documentLinks } from '../features/links.ts';
import { fileRenames } from '../features/names/file-renames.ts';
import { semanticTokens } from '../features/semantic-tokens.ts';
import { signatureHelp } from '../features/signature-help.ts';
import { foldingRanges, selectionRange } from '../features/structure.ts';
import { toOffsets, toTextEdit } from '../protocol/ranges.ts';
import { pathOfUri } from '../protocol/uris.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { answerCommands } from './commands.ts';
import { withEmbedded } from './embedded-requests.ts';
import { answerNavigation } from './navigation-requests.ts';
import { answerOwnRequests } from './own-requests.ts';
import { documentHandler, positionHandler } from './request-handlers.ts';
import type { Session } from './session.ts';

/** Answers the requests of the client. */
export function answerRequests(session: Session): void {
  if (session.client.pulls) answerPulls(session);
  answerOwnRequests(session);
  answerCommands(session);
  answerAtCursor(session);
  answerNavigation(session);
  answerAboutDocument(session);
  answerEdits(session);
}

function answerPulls({ connection, loop, workspace }: Session): void {
  connection.languages.diagnostics.on(({ textDocument: { uri }, previousResultId }) =>
    loop.pull(uri, previousResultId),
  );
  connection.languages.diagnostics.onWorkspace(async ({ previousResultIds }) => {
    const known = new Map(previousResultIds.map(({ uri, value }) => [uri, value]));
    const reports = workspace.uris.map(async uri => {
      const version = workspace.versionOf(uri) ?? null;
      return { ...(await loop.pull(uri, known.get(uri))), uri, version };
    });
    return { items: await Promise.all(reports) };
  });
}

function answerAtCursor(session: Session): void {
  const { connection, client } = session;
  const at = positionHandler(session);
  let suggestions: readonly Suggestion[] = [];
  connection.onCompletion(
    at((snapshot, offset) => {
      suggestions = complete(snapshot, offset);
      return completionList(suggestions, snapshot.source, client);
    }),
  );
  connection.onCompletionResolve(item => resolveItem(item, suggestions));
  connection.onHover(at(hover));
  connection.onSignatureHelp(at(signatureHelp));
}

function answerAboutDocument(session: Session): void {
  const { connection, workspace } = session;
  const about = documentHandler(session);
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

function answerEdits(session: Session): void {
  const { connection, workspace, client, checker } = session;
  const about = documentHandler(session);
  connection.onCodeAction(
    about(async (snapshot, { range, context }) => {
      const { found = [] } = (await workspace.diagnostics(snapshot.uri)) ?? {};
      const offsets = toOffsets(snapshot.source, range);
      const request = { range: offsets, context, found, support: client.diagnostics };
      const quick = quickActions(snapshot, request);
      if (!wantsFixAll(request)) return [...quick];
      return [...quick, ...fixAllAction(snapshot, await checker.fixAll(snapshot.uri))];
    }),
  );
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
