import type { Session } from './session.ts';

/** Answers the requests of the client. */
export function answerRequests({ connection, client, loop }: Session): void {
  if (client.pulls)
    connection.languages.diagnostics.on(({ textDocument: { uri }, previousResultId }) =>
      loop.pull(uri, previousResultId),
    );
}
