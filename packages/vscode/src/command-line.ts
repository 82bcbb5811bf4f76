// The `tollgate` command for the editor: which script runs, as commands and as the language server.

import { existsSync } from 'node:fs';
import { type CancellationToken, type ExtensionContext, type LogOutputChannel, workspace } from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';
import { unsavedTexts } from './policy-at-cursor.ts';
import type { ServerProgram } from './shared/policy-server.ts';
import {
  type ChosenCommand,
  chooseCommand,
  commandEnvironment,
  runTollgate,
  type TollgateResult,
} from './tollgate-program.ts';

/** Options of one run. */
interface RunOptions {
  /** Settings are looked for from here upward. */
  readonly directory: string;
  readonly input?: string;
  readonly token?: CancellationToken;
}

/** Runs `tollgate` commands on what the editor shows: nothing is saved for them. */
export type CommandLine = (args: readonly string[], options: RunOptions) => Promise<TollgateResult>;

/** Returns the command line for a script, which is looked up at each run because settings and trust may change. */
export function createCommandLine(script: () => string, log: LogOutputChannel): CommandLine {
  return async (args, { directory, input, token }) => {
    const abort = new AbortController();
    const listening = token?.onCancellationRequested(() => abort.abort());
    log.info(`tollgate ${args.join(' ')} (in ${directory})`);
    try {
      return await runTollgate({
        script: script(),
        args,
        directory,
        env: commandEnvironment(process.env, workspace.isTrusted),
        ...(input !== undefined && { input }),
        shown: unsavedTexts(),
        signal: abort.signal,
      });
    } finally {
      listening?.dispose();
    }
  };
}

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
