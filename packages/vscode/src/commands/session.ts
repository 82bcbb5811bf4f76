import type { ExtensionContext } from 'vscode';
import type { CommandLine } from '../command-line/command-line.ts';
import type { ResultsPanel } from '../results/results-panel.ts';
import type { PolicyServer } from '../server/policy-server.ts';

/** What commands share. */
export interface Session {
  readonly context: ExtensionContext;
  readonly server: PolicyServer;
  readonly run: CommandLine;
  readonly panel: ResultsPanel;
}
