import type { Readable, Writable } from 'node:stream';
import { createConnection, type InitializeParams } from 'vscode-languageserver';
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';
import type { Host } from '../project/project.ts';
import { pathOfUri } from '../protocol/uris.ts';
import { localChecker } from '../workspace/local-checker.ts';
import { threadChecker } from '../workspace/thread-checker.ts';
import { Workspace } from '../workspace/workspace.ts';
import { capabilitiesFor } from './capabilities.ts';
import { foldersIn, readClient, trustIn } from './client.ts';
import { DiagnosticsLoop } from './diagnostics-loop.ts';
import { listenToDocuments } from './document-events.ts';
import { answerRequests } from './requests.ts';
import type { Session } from './session.ts';
import { listenToWorkspace, registerWatching } from './workspace-events.ts';

/** The streams of a client. */
export interface Streams {
  readonly input: Readable;
  readonly output: Writable;
}

/** Serves a client until it says so or its input ends. Returns true if the client asked the server to shut down first. */
export async function startServer(host: Host, { input, output }: Streams): Promise<boolean> {
  const ending = Promise.withResolvers<void>();
  const watchDog = { shutdownReceived: false, initialize: () => {}, exit: () => ending.resolve() };
  const connection = createConnection(
    logger => createProtocolConnection(new StreamMessageReader(input), new StreamMessageWriter(output), logger),
    watchDog,
  );
  const workspace = new Workspace(host);
  let session: Session | undefined;
  connection.onInitialize((params: InitializeParams) => {
    const client = readClient(params);
    workspace.trust = trustIn(params);
    for (const uri of foldersIn(params)) workspace.folders.add(pathOfUri(uri));
    const { startThread: start } = host;
    const log = (message: string) => connection.console.error(message);
    const checker = start ? threadChecker(workspace, { start, log }) : localChecker(workspace);
    const parts = { connection, workspace, client, checker };
    session = { ...parts, loop: new DiagnosticsLoop(parts) };
    listenToDocuments(session);
    listenToWorkspace(session);
    answerRequests(session);
    return { capabilities: capabilitiesFor(client, host), serverInfo: { name: 'tollgate', version: host.version } };
  });
  connection.onInitialized(() => {
    if (session) registerWatching(session).catch(error => connection.console.warn(String(error)));
  });
  input.once('end', () => ending.resolve());
  input.once('close', () => ending.resolve());
  connection.listen();
  await ending.promise;
  session?.loop.end();
  session?.checker.end();
  connection.dispose();
  input.destroy();
  return watchDog.shutdownReceived;
}
