import { type ColumnUnit, SourceText, type TextEdit } from '@tollgate/diagnostics';
import {
  type Connection,
  DidChangeWatchedFilesNotification,
  DidChangeWorkspaceFoldersNotification,
  type InitializeParams,
  type TextDocumentContentChangeEvent,
} from 'vscode-languageserver';
import type { Host, Transport } from '../host.ts';
import { pathOfUri } from '../paths.ts';
import { singleEdit, toOffsets } from '../protocol.ts';
import { threadChecker } from '../workspace/check-thread.ts';
import { localChecker, Workspace } from '../workspace/workspace.ts';
import { type Client, foldersIn, trustIn } from './client.ts';
import { DiagnosticsLoop, type ServerSession } from './diagnostics-loop.ts';
import { answerRequests } from './requests.ts';
import { WorkspaceDiagnostics } from './workspace-diagnostics.ts';

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
  readonly afterInput: Transport['afterInput'];
}

/** Answers a client from now on. */
export function openSession(
  { connection, host: given, client, afterInput }: SessionParts,
  params: InitializeParams,
): OpenSession {
  const host = withColumns(given, client.columns);
  const workspace = new Workspace(host, client.columns);
  workspace.trust = trustIn(params);
  for (const uri of foldersIn(params)) workspace.folders.add(pathOfUri(uri));
  const { startThread: start } = host;
  const log = (message: string) => connection.console.error(message);
  const checker = start ? threadChecker(workspace, { start, log }) : localChecker(workspace);
  const parts = { connection, workspace, client, checker, afterInput };
  const session = { ...parts, loop: new DiagnosticsLoop(parts), whole: new WorkspaceDiagnostics(parts) };
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

/** Returns a host whose sources have the positions of the client. */
function withColumns(host: Host, columns: ColumnUnit): Host {
  const counted = ({ uri, text }: SourceText) => new SourceText(uri, text, columns);
  return {
    ...host,
    readFile: async path => {
      const source = await host.readFile(path);
      return source instanceof Error ? source : counted(source);
    },
    loadProject: async (directory, trust) => {
      const project = await host.loadProject(directory, trust);
      return { ...project, sources: project.sources.map(counted) };
    },
  };
}

/** Follows what the client opens, edits, saves and closes. Events of documents that are not open are ignored. */
function listenToDocuments({ connection, workspace, loop, whole }: ServerSession): void {
  connection.onDidOpenTextDocument(({ textDocument: { uri, version, languageId, text } }) => {
    workspace.open({ uri, version, languageId }, text);
    loop.update(uri);
  });
  connection.onDidChangeTextDocument(({ textDocument: { uri, version }, contentChanges }) => {
    const sent = workspace.sentOf(uri);
    // An older version than the known one arrived out of order.
    if (!sent || version < sent.version) return;
    workspace.change(uri, version, editsOf(sent.source, contentChanges));
    loop.update(uri);
  });
  connection.onDidSaveTextDocument(({ textDocument: { uri } }) => {
    workspace.forgetFiles();
    whole.changed();
    if (workspace.versionOf(uri) !== undefined) loop.save(uri);
  });
  connection.onDidCloseTextDocument(({ textDocument: { uri } }) => {
    workspace.close(uri);
    loop.close(uri);
    whole.changed();
  });
}

/** Returns the changes one after the other, each in the offsets of the text that it was made in. */
function editsOf(source: SourceText, changes: readonly TextDocumentContentChangeEvent[]): readonly TextEdit[] {
  let current = source;
  return changes.flatMap(change => {
    const edit = editOf(current, change);
    if (edit) current = current.edited(edit);
    return edit ?? [];
  });
}

function editOf(source: SourceText, change: TextDocumentContentChangeEvent): TextEdit | undefined {
  if (!('range' in change)) return singleEdit(source.text, change.text);
  const { start, end } = toOffsets(source, change.range);
  return { range: { start, end: Math.max(start, end) }, newText: change.text };
}

/** Files whose changes may change what the server says about others. Without braces in braces, which Emacs refuses. */
const WATCHED = [
  '**/tollgate.yaml',
  ...['yaml', 'yml', 'json'].flatMap(one => [`**/*.test.${one}`, `**/*.invariants.${one}`]),
];

/** Files that may contain policies, for clients that ask about the whole workspace. */
const POLICIES = '**/*.{yaml,yml,json,md,mdx,tf}';

/** A project file, or a module that one may load. */
const SETTINGS = /(?:^|[\\/])tollgate\.yaml$|\.[cm]?[jt]s$/;

/** Follows files, folders and settings that change. */
function listenToWorkspace(session: ServerSession): void {
  const { connection, workspace, client } = session;
  connection.onDidChangeConfiguration(() => reload(session));
  connection.onDidChangeWatchedFiles(({ changes }) => {
    const isSettings = changes.some(({ uri }) => SETTINGS.test(uri) || workspace.settingsFiles.has(pathOfUri(uri)));
    if (isSettings) reload(session);
    else refresh();
  });
  const refresh = () => {
    workspace.forgetFiles();
    session.whole.changed();
    for (const uri of workspace.uris) session.loop.update(uri);
  };
  connection.workspace.onDidCreateFiles(refresh);
  connection.workspace.onDidRenameFiles(refresh);
  connection.workspace.onDidDeleteFiles(refresh);
  if (!client.folders) return;
  // The connection's own listener would register itself once more.
  connection.onNotification(DidChangeWorkspaceFoldersNotification.type, ({ event: { added, removed } }) => {
    for (const { uri } of removed) workspace.folders.delete(pathOfUri(uri));
    for (const { uri } of added) workspace.folders.add(pathOfUri(uri));
    reload(session);
  });
}

/** Asks the client to watch files, if it can. */
async function registerWatching({ connection, client }: ServerSession): Promise<void> {
  if (!client.watchesFiles) return;
  const globs = client.workspaceFiles > 0 ? [...WATCHED, POLICIES] : WATCHED;
  await connection.client.register(DidChangeWatchedFilesNotification.type, {
    watchers: globs.map(globPattern => ({ globPattern })),
  });
}

/** Loads the settings again and checks everything that is open. */
function reload({ workspace, loop, whole }: ServerSession): void {
  workspace.forgetSettings();
  whole.changed(true);
  for (const uri of workspace.uris) loop.update(uri);
}
