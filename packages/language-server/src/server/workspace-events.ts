import { DidChangeWatchedFilesNotification, DidChangeWorkspaceFoldersNotification } from 'vscode-languageserver';
import { pathOfUri } from '../protocol/uris.ts';
import type { Session } from './session.ts';

/** Files whose changes may change what the server says about others. */
const WATCHED = '**/{tollgate.yaml,*.{test,invariants}.{yaml,yml,json}}';

/** A file that may contain settings: the project file, one that it extends, or a module that it loads. */
const SETTINGS = /\.(?:ya?ml|json|[cm]?[jt]s)$/;

/** Follows files, folders and settings that change. */
export function listenToWorkspace(session: Session): void {
  const { connection, workspace, client } = session;
  connection.onDidChangeConfiguration(() => reload(session));
  connection.onDidChangeWatchedFiles(({ changes }) => {
    const isSettings = changes.some(({ uri }) => SETTINGS.test(uri) && !/\.(?:test|invariants)\.\w+$/.test(uri));
    if (isSettings) reload(session);
    else {
      workspace.forgetFiles();
      for (const uri of workspace.uris) session.loop.update(uri);
    }
  });
  const refresh = () => {
    workspace.forgetFiles();
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
export async function registerWatching({ connection, client }: Session): Promise<void> {
  if (!client.watchesFiles) return;
  await connection.client.register(DidChangeWatchedFilesNotification.type, { watchers: [{ globPattern: WATCHED }] });
}

/** Loads the settings again and checks everything that is open. */
function reload({ workspace, loop }: Session): void {
  workspace.forgetSettings();
  for (const uri of workspace.uris) loop.update(uri);
}
