import { type ExtensionContext, window } from 'vscode';
import { commandInUse, createCommandLine, nodeServer } from './command-line.ts';
import { registerCommands } from './commands.ts';
import { LanguageMode } from './shared/language-mode.ts';
import { PolicyServer } from './shared/policy-server.ts';
import { StatusBar } from './shared/status-bar.ts';
import { ResultsPanel } from './show-report.ts';
import { TestExplorer } from './test-explorer.ts';

/** Starts the extension. VS Code calls it when a document of a language that may contain policies is opened. */
export function activate(context: ExtensionContext): void {
  const log = window.createOutputChannel('Tollgate', { log: true });
  const server = new PolicyServer(nodeServer(context), log);
  const run = createCommandLine(() => commandInUse(context).script, log);
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
