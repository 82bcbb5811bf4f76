import type { Connection, InitializeParams } from 'vscode-languageserver';
import type { Host } from '../project/project.ts';
import { pathOfUri } from '../protocol/uris.ts';
import { localChecker } from '../workspace/local-checker.ts';
import { threadChecker } from '../workspace/thread-checker.ts';
import { Workspace } from '../workspace/workspace.ts';
import { type Client, foldersIn, trustIn } from './client.ts';
import { DiagnosticsLoop } from './diagnostics-loop.ts';
import { listenToDocuments } from './document-events.ts';
import { answerRequests } from './requests.ts';
import { listenToWorkspace, registerWatching } from './workspace-events.ts';

/** A session that answers its client. */
export interface OpenSession {
  /** Stops timers and threads. */
  readonly end: () => void;
}

/** What a session is opened with. */
interface SessionParts {
  readonly connection: Connection;
  readonly host: Host;
  readonly client: Client;
}

/** Answers a client from now on. */
export function openSession({ connection, host, client }: SessionParts, params: InitializeParams): OpenSession {
  const workspace = new Workspace(host);
  workspace.trust = trustIn(params);
  for (const uri of foldersIn(params)) workspace.folders.add(pathOfUri(uri));
  const { startThread: start } = host;
  const log = (message: string) => connection.console.error(message);
  const checker = start ? threadChecker(workspace, { start, log }) : localChecker(workspace);
  const parts = { connection, workspace, client, checker };
  const session = { ...parts, loop: new DiagnosticsLoop(parts) };
  listenToDocuments(session);
  listenToWorkspace(session);
  answerRequests(session);
  connection.onInitialized(() => {
    registerWatching(session).catch(error => connection.console.warn(String(error)));
  });
  return {
    end: () => {
      session.loop.end();
      checker.end();
    },
  };
}
