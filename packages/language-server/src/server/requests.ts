import { type CancellationToken, LSPErrorCodes, type Position, ResponseError } from 'vscode-languageserver';
import { complete } from '../features/completion/complete.ts';
import { completionList, resolveItem } from '../features/completion/completion-list.ts';
import type { Suggestion } from '../features/completion/suggestion.ts';
import { hover } from '../features/hover.ts';
import { signatureHelp } from '../features/signature-help.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Session } from './session.ts';

/** The document that a request is about. */
interface AboutDocument {
  readonly textDocument: { readonly uri: string };
}

/** Answers the requests of the client. A request about a document that is not open, or is not ours, gets an empty answer. */
export function answerRequests(session: Session): void {
  const { connection, client, loop } = session;
  const about = documentHandler(session);
  const at = positionHandler(session);
  if (client.pulls)
    connection.languages.diagnostics.on(({ textDocument: { uri }, previousResultId }) =>
      loop.pull(uri, previousResultId),
    );
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
  void about;
}

/** Returns a function that makes handlers of requests about a document. */
export function documentHandler({ workspace, connection }: Session) {
  return <Params extends AboutDocument, Result>(
    answer: (snapshot: Snapshot, params: Params) => Result | undefined | Promise<Result | undefined>,
  ) =>
    async (params: Params, token: CancellationToken): Promise<Result | null> => {
      // A cancellation that has already arrived comes first.
      await new Promise(setImmediate);
      if (token.isCancellationRequested) throw new ResponseError(LSPErrorCodes.RequestCancelled, 'cancelled');
      const snapshot = await workspace.snapshot(params.textDocument.uri);
      if (!snapshot || snapshot.kind === 'other') return null;
      try {
        return (await answer(snapshot, params)) ?? null;
      } catch (error) {
        // A defect of one feature must not disturb the editor.
        connection.console.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
        return null;
      }
    };
}

/** Returns a function that makes handlers of requests about a position in a document. */
export function positionHandler(session: Session) {
  const about = documentHandler(session);
  return <Result>(answer: (snapshot: Snapshot, offset: number) => Result | undefined | Promise<Result | undefined>) =>
    about((snapshot, { position }: AboutDocument & { readonly position: Position }) =>
      answer(snapshot, snapshot.source.offsetAt(position)),
    );
}
