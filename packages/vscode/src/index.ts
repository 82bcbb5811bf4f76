import { type ExtensionContext, window } from 'vscode';
import { createCommandLine } from './command-line/command-line.ts';
import { registerCommands } from './commands/register-commands.ts';
import { LanguageMode } from './documents/language-mode.ts';
import { ResultsPanel } from './results/results-panel.ts';
import { PolicyServer } from './server/policy-server.ts';
import { StatusBar } from './status/status-bar.ts';
import { TestExplorer } from './testing/test-explorer.ts';

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
