import { existsSync } from 'node:fs';
import { type ExtensionContext, workspace } from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';
import type { ServerProgram } from './shared/policy-server.ts';
import { type ChosenCommand, chooseCommand, commandEnvironment } from './tollgate-program.ts';

/** Returns the command in use, which settings and trust decide. */
export function commandInUse(context: ExtensionContext): ChosenCommand {
  return chooseCommand({
    setting: workspace.getConfiguration('tollgate').get('server', 'bundled'),
    isTrusted: workspace.isTrusted,
    bundled: context.asAbsolutePath('command/bin/tollgate.js'),
    folders: (workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath),
    exists: existsSync,
  });
}

/** The server as a process of the command. */
export function nodeServer(context: ExtensionContext): ServerProgram {
  return {
    origin: () => commandInUse(context).origin,
    schemes: () => ['file'],
    runsCommands: true,
    createClient: options => {
      const run = {
        command: process.execPath,
        args: [commandInUse(context).script, 'lsp', '--stdio'],
        options: { env: commandEnvironment(process.env, workspace.isTrusted) },
      };
      return new LanguageClient('tollgate', 'Tollgate', run, options);
    },
  };
}
