// The extension in a browser, as in vscode.dev: the language server in a worker, without the command.

import { commands, type ExtensionContext, Uri, window, workspace } from 'vscode';
import { LanguageClient } from 'vscode-languageclient/browser';
import { LanguageMode } from '../shared/language-mode.ts';
import { PolicyServer, type ServerProgram } from '../shared/policy-server.ts';
import { StatusBar } from '../shared/status-bar.ts';
import { answerFileRequests, uriConverters } from './editor-files.ts';

/** Starts the extension. */
export async function activate(context: ExtensionContext): Promise<void> {
  const log = window.createOutputChannel('Tollgate', { log: true });
  await commands.executeCommand('setContext', 'tollgate.isInBrowser', true);
  // The worker's file may be on another host than the editor, which may start workers of its own only.
  const script = await workspace.fs.readFile(Uri.joinPath(context.extensionUri, 'dist/web-server.js'));
  const address = URL.createObjectURL(new Blob([script.slice()], { type: 'text/javascript' }));
  const server = new PolicyServer(webServer(address), log);
  context.subscriptions.push(
    log,
    server,
    { dispose: () => URL.revokeObjectURL(address) },
    new LanguageMode(server),
    new StatusBar(server),
    commands.registerCommand('tollgate.showMenu', showMenu),
    commands.registerCommand('tollgate.explainTrust', (message: string) =>
      window.showInformationMessage(`Tollgate: ${message}; open the folder in VS Code on your computer to run it.`),
    ),
    commands.registerCommand('tollgate.showLog', () => log.show()),
    commands.registerCommand('tollgate.restartServer', () => server.restart()),
  );
}

function webServer(address: string): ServerProgram {
  return {
    origin: () => 'bundled',
    schemes: () => [workspace.workspaceFolders?.[0]?.uri.scheme ?? 'file'],
    runsCommands: false,
    createClient: options => {
      // A function would do, too, but the client knows the worker that it returns by a class, which the editor replaces.
      const worker = new Worker(address);
      const client = new LanguageClient('tollgate', 'Tollgate', worker, { ...options, uriConverters });
      answerFileRequests(client);
      return client;
    },
  };
}

async function showMenu(): Promise<void> {
  const items = [
    { label: '$(list-flat) Show all problems', command: 'workbench.actions.view.problems' },
    { label: '$(debug-restart) Restart the language server', command: 'tollgate.restartServer' },
    { label: '$(output) Show the log', command: 'tollgate.showLog' },
  ];
  const item = await window.showQuickPick(items, { title: 'Tollgate' });
  if (item) await commands.executeCommand(item.command);
}
