import { type Connection, MessageType, ShowMessageNotification } from 'vscode-languageserver';
import type { Project } from '../project/project.ts';
import { toDiagnostic } from '../protocol/diagnostics.ts';
import { uriOfPath } from '../protocol/uris.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Client } from './client.ts';

interface SettingsParts {
  readonly connection: Connection;
  readonly workspace: Workspace;
  readonly client: Client;
}

/** Shows what is wrong with settings in their files, which are rarely open, and why modules could not be loaded. */
export class SettingsDiagnostics {
  readonly #parts: SettingsParts;
  readonly #known = new WeakSet<Project>();
  readonly #shown = new Set<string>();
  readonly #said = new Set<string>();

  constructor(parts: SettingsParts) {
    this.#parts = parts;
  }

  /** Looks at the settings of a document. */
  async update(path: string): Promise<void> {
    const { connection, workspace, client } = this.#parts;
    const project = await workspace.projectOf(path);
    if (this.#known.has(project)) return;
    this.#known.add(project);
    for (const message of project.failures) {
      if (this.#said.has(message)) continue;
      this.#said.add(message);
      void connection.sendNotification(ShowMessageNotification.type, {
        type: MessageType.Warning,
        message: `tollgate: ${message}`,
      });
    }
    for (const source of project.sources) {
      const uri = uriOfPath(source.uri);
      const found = project.diagnostics.filter(one => one.uri === source.uri);
      const isOpen = workspace.versionOf(uri) !== undefined;
      if (isOpen || (found.length === 0 && !this.#shown.has(uri))) continue;
      if (found.length > 0) this.#shown.add(uri);
      else this.#shown.delete(uri);
      const diagnostics = found.map(one => toDiagnostic(one, source, client.diagnostics));
      void connection.sendDiagnostics({ uri, diagnostics });
    }
  }
}
