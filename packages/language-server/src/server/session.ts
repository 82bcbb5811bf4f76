import type { Connection } from 'vscode-languageserver';
import type { Workspace } from '../workspace/workspace.ts';
import type { Client } from './client.ts';
import type { DiagnosticsLoop } from './diagnostics-loop.ts';

/** What the parts of a running server share. */
export interface Session {
  readonly connection: Connection;
  readonly workspace: Workspace;
  readonly client: Client;
  readonly loop: DiagnosticsLoop;
}
