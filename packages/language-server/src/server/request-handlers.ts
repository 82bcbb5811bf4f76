import { type CancellationToken, LSPErrorCodes, type Position, ResponseError } from 'vscode-languageserver';
import { embeddedAt } from '../snapshot/embedded-at.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { inFile } from './embedded-requests.ts';
import type { Session } from './session.ts';

/** A request about a document. */
interface AboutDocument {
  readonly textDocument: { readonly uri: string };
}

type Answer<Result> = Result | undefined | Promise<Result | undefined>;

/**
 * Returns a function that makes handlers of requests about a document. A request about a document that is not open, or is not ours, gets an
 * empty answer, and so does one that fails because of a defect.
 */
export function documentHandler({ workspace, connection }: Session) {
  return <Params extends AboutDocument, Result>(answer: (snapshot: Snapshot, params: Params) => Answer<Result>) =>
    async (params: Params, token: CancellationToken): Promise<Result | null> => {
      // A cancellation that has already arrived comes first.
      await new Promise(setImmediate);
      if (token.isCancellationRequested) throw new ResponseError(LSPErrorCodes.RequestCancelled, 'cancelled');
      const snapshot = await workspace.snapshot(params.textDocument.uri);
      if (!snapshot || snapshot.kind === 'other') return null;
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
export function positionHandler(session: Session) {
  const about = documentHandler(session);
  return <Result>(answer: (snapshot: Snapshot, offset: number) => Answer<Result>) =>
    about(async (snapshot, { position }: AboutDocument & { readonly position: Position }) => {
      const offset = snapshot.source.offsetAt(position);
      const embedded = embeddedAt(snapshot, offset);
      if (!embedded) return await answer(snapshot, offset);
      const found = await answer(embedded.inner.snapshot, embedded.offset);
      return found === undefined ? undefined : inFile(found, embedded.inner, snapshot);
    });
}
