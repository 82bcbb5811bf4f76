import { type ExtensionContext, window } from 'vscode';
import { createCommandLine } from './command-line.ts';
import { LanguageMode } from './open-documents.ts';
import { PolicyServer } from './policy-server.ts';
import { registerCommands } from './register-commands.ts';
import { ResultsPanel } from './results-panel.ts';
import { StatusBar } from './status-bar.ts';
import { TestExplorer } from './test-explorer.ts';

/** Starts the extension. VS Code calls it when a document of a language that may contain policies is opened. */
export function activate(context: ExtensionContext): void {
  const log = window.createOutputChannel('Tollgate', { log: true });
  const server = new PolicyServer(context, log);
  const run = createCommandLine(() => server.command.script, log);
  const panel = new ResultsPanel(context);
  context.subscriptions.push(
    log,
    server,
    panel,
    new LanguageMode(server),
    new StatusBar(server),
    new TestExplorer(server, run),
    ...registerCommands({ context, server, run, panel }, log),
  );
}
