import { deepEqual } from '@tollgate/diagnostics/portable';
import {
  type Connection,
  type Diagnostic,
  type DocumentDiagnosticReport,
  DocumentDiagnosticReportKind,
  MessageType,
  ShowMessageNotification,
} from 'vscode-languageserver';
import type { Project, Transport } from '../host.ts';
import { uriOfPath } from '../paths.ts';
import { toDiagnostic } from '../protocol.ts';
import type { Checker, Depth, Workspace } from '../workspace/workspace.ts';
import type { Client } from './client.ts';
import type { WorkspaceDiagnostics } from './workspace-diagnostics.ts';

/** Pauses in ms. Linting a large document takes longer than typing a character, so the pause grows with the last duration. */
const PAUSE = { fast: 120, all: 400, most: 3000 } as const;
/** A pause is at least this many times the duration of the last run. */
const PATIENCE = 1.5;
/** Maximum number of diagnostics of a document that are sent. */
const MAX_DIAGNOSTICS = 1000;

/** The diagnostics of a version of a document. */
interface Published {
  readonly version: number;
  readonly items: readonly Diagnostic[];
}

/** What a {@link DiagnosticsLoop} works with. */
interface LoopParts {
  readonly connection: Connection;
  readonly workspace: Workspace;
  readonly client: Client;
  readonly checker: Checker;
  readonly afterInput: Transport['afterInput'];
}

/**
 * Keeps the diagnostics of open documents current: those of the analysis right after each edit, those of fast lint rules after a short
 * pause, and those of all lint rules after a longer one, or when the document is saved.
 */
export class DiagnosticsLoop {
  readonly #connection: Connection;
  readonly #workspace: Workspace;
  readonly #client: Client;
  readonly #checker: Checker;
  readonly #afterInput: Transport['afterInput'];
  readonly #settings: SettingsDiagnostics;
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #waiting = new Set<string>();
  readonly #sent = new Map<string, Published>();
  readonly #took: Record<Depth, number> = { fast: 0, all: 0 };

  constructor({ connection, workspace, client, checker, afterInput }: LoopParts) {
    this.#connection = connection;
    this.#workspace = workspace;
    this.#client = client;
    this.#checker = checker;
    this.#afterInput = afterInput;
    this.#settings = new SettingsDiagnostics({ connection, workspace, client });
  }

  /** Checks a document that was opened, edited or affected by something else. */
  update(uri: string): void {
    this.#settings.opened(uri);
    if (!this.#waiting.has(uri)) {
      this.#waiting.add(uri);
      // Edits that have already arrived come first.
      void this.#afterInput()
        .then(() => this.#run(uri, () => this.#publish(uri)))
        .finally(() => this.#waiting.delete(uri));
    }
    this.#later(uri, 'fast');
  }

  /** Runs all lint rules without a pause. */
  save(uri: string): void {
    this.#stop(uri);
    void this.#run(uri, () => this.#lint(uri, 'all'));
  }

  /** Runs all lint rules and resolves when their diagnostics have been sent. */
  async settle(uri: string): Promise<void> {
    this.#stop(uri);
    await this.#run(uri, () => this.#lint(uri, 'all'));
  }

  /** Forgets a closed document and clears its diagnostics. */
  close(uri: string): void {
    this.#stop(uri);
    this.#sent.delete(uri);
    this.#settings.closed();
    if (!this.#client.pulls) this.#send({ uri, diagnostics: [] });
  }

  /** Stops all timers. */
  end(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  /** Answers a client that asks. */
  async pull(uri: string, previous: string | undefined): Promise<DocumentDiagnosticReport> {
    const { version, items } = (await this.#current(uri)) ?? { version: 0, items: [] };
    const resultId = `${version}:${JSON.stringify(items).length}:${items.length}`;
    if (resultId === previous) return { kind: DocumentDiagnosticReportKind.Unchanged, resultId };
    return { kind: DocumentDiagnosticReportKind.Full, resultId, items: [...items] };
  }

  #later(uri: string, depth: Depth): void {
    this.#stop(uri);
    const pause = Math.min(Math.max(PAUSE[depth], this.#took[depth] * PATIENCE), PAUSE.most);
    const run = () => void this.#run(uri, () => this.#lint(uri, depth));
    const timer = setTimeout(run, pause);
    this.#timers.set(uri, timer);
  }

  #stop(uri: string): void {
    clearTimeout(this.#timers.get(uri));
    this.#timers.delete(uri);
  }

  async #lint(uri: string, depth: Depth): Promise<void> {
    const start = performance.now();
    const checked = await this.#checker.check(uri, depth);
    this.#took[depth] = performance.now() - start;
    if (!checked) return;
    this.#workspace.adopt(checked);
    await this.#publish(uri);
    if (depth === 'fast' && this.#workspace.versionOf(uri) === checked.version) this.#later(uri, 'all');
  }

  async #publish(uri: string): Promise<void> {
    const path = this.#workspace.sentOf(uri)?.path;
    if (path !== undefined) await this.#settings.update(path);
    if (this.#client.pulls) {
      await this.#connection.languages.diagnostics.refresh();
      return;
    }
    const current = await this.#current(uri);
    if (!current || this.#workspace.versionOf(uri) !== current.version) return;
    const { version, items } = current;
    const before = this.#sent.get(uri);
    if (before?.version === version && deepEqual(before.items, items)) return;
    this.#sent.set(uri, current);
    this.#send({ uri, version, diagnostics: [...items] });
  }

  async #current(uri: string): Promise<Published | undefined> {
    const result = await this.#workspace.diagnostics(uri);
    if (!result) return undefined;
    const { snapshot, found } = result;
    const items = found
      .slice(0, MAX_DIAGNOSTICS)
      .map(one => toDiagnostic(one, snapshot.source, this.#client.diagnostics));
    return { version: snapshot.version, items };
  }

  #send(params: Parameters<Connection['sendDiagnostics']>[0]): void {
    void this.#connection.sendDiagnostics(params);
  }

  /** A failure here is ours, and must not end the server. */
  async #run(uri: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#connection.console.error(`cannot check ${uri}: ${error instanceof Error ? error.stack : String(error)}`);
    }
  }
}

interface SettingsParts {
  readonly connection: Connection;
  readonly workspace: Workspace;
  readonly client: Client;
}

/** Shows what is wrong with settings in their files, which are rarely open, and why modules could not be loaded. */
class SettingsDiagnostics {
  readonly #parts: SettingsParts;
  #known = new WeakSet<Project>();
  readonly #shown = new Set<string>();
  readonly #said = new Set<string>();

  constructor(parts: SettingsParts) {
    this.#parts = parts;
  }

  /** A client that asks gets what is wrong with an open file as its answer, and must not show it twice. */
  opened(uri: string): void {
    const { connection, client } = this.#parts;
    if (client.pulls && this.#shown.delete(uri)) void connection.sendDiagnostics({ uri, diagnostics: [] });
  }

  /** What is wrong with a file is shown again once it is not open any more. */
  closed(): void {
    this.#known = new WeakSet();
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

/** What the parts of a running server share. */
export interface ServerSession extends LoopParts {
  readonly loop: DiagnosticsLoop;
  readonly whole: WorkspaceDiagnostics;
}
