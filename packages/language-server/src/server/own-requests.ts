import { summarize } from '../features/document-summary.ts';
import { testsOf } from '../features/policy-tests.ts';
import { toRange } from '../protocol/ranges.ts';
import { pathOfUri } from '../protocol/uris.ts';
import { takeHits } from './commands.ts';
import type { Session } from './session.ts';

interface AboutDocument {
  readonly textDocument: { readonly uri: string };
}

interface Replayed extends AboutDocument {
  /** What `tollgate replay --format json` printed. */
  readonly report: unknown;
}

/** Answers requests that the protocol does not have. The extension for VS Code and the tests send them. */
export function answerOwnRequests(session: Session): void {
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
