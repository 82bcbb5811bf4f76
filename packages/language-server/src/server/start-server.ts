import type { Readable, Writable } from 'node:stream';
import { createConnection, type InitializeParams } from 'vscode-languageserver';
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';
import type { Host } from '../project/project.ts';
import { pathOfUri } from '../protocol/uris.ts';
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
    const client = readClient(params.capabilities);
    workspace.trust = trustIn(params);
    for (const uri of foldersIn(params)) workspace.folders.add(pathOfUri(uri));
    session = { connection, workspace, client, loop: new DiagnosticsLoop(connection, workspace, client) };
    listenToDocuments(session);
    listenToWorkspace(session);
    answerRequests(session);
    return { capabilities: capabilitiesFor(client), serverInfo: { name: 'tollgate', version: host.version } };
  });
  connection.onInitialized(() => {
    if (session) registerWatching(session).catch(error => connection.console.warn(String(error)));
  });
  input.once('end', () => ending.resolve());
  input.once('close', () => ending.resolve());
  connection.listen();
  await ending.promise;
  session?.loop.end();
  connection.dispose();
  input.destroy();
  return watchDog.shutdownReceived;
}
