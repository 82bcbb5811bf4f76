import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';
import { Inspector } from './inspector.ts';
import type { Keystroke } from './typing-session.ts';

/** A client of a language server in a process. */
export class LanguageClient {
  readonly #process: ChildProcess;
  readonly #connection: MessageConnection;
  #version = 0;
  /** Address of the inspector. */
  readonly #inspector = Promise.withResolvers<string>();
  #onDiagnostics: (version: number | undefined) => void = () => {};

  private constructor(server: ChildProcess, settings: object | undefined) {
    this.#process = server;
    this.#connection = createMessageConnection(
      new StreamMessageReader(server.stdout!),
      new StreamMessageWriter(server.stdin!),
    );
    this.#connection.onNotification('textDocument/publishDiagnostics', ({ version }: { version?: number }) =>
      this.#onDiagnostics(version),
    );
    this.#connection.onRequest('workspace/configuration', ({ items }: { items: readonly { section: string }[] }) =>
      items.map(({ section }) => (section === 'yaml' ? settings : null)),
    );
    this.#connection.onRequest(() => null);
    server.stderr!.on('data', data => {
      const [address] = /ws:\S+/.exec(String(data)) ?? [];
      if (address !== undefined) this.#inspector.resolve(address);
    });
    this.#connection.listen();
  }

  /** Starts a server; the time ends with the answer to `initialize`. */
  static async start([program = '', ...args]: readonly string[], settings: object | undefined) {
    const started = performance.now();
    const server = spawn(program, ['--inspect=127.0.0.1:0', ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
    const client = new LanguageClient(server, settings);
    const capabilities = {
      workspace: { configuration: true },
      textDocument: { publishDiagnostics: { versionSupport: true } },
    };
    await client.#connection.sendRequest('initialize', { processId: process.pid, rootUri: null, capabilities });
    const took = performance.now() - started;
    await client.#connection.sendNotification('initialized', {});
    return { client, took };
  }

  /** Opens a document and waits for its diagnostics. */
  async open(uri: string, text: string): Promise<void> {
    const diagnostics = this.#diagnosticsOf(1);
    this.#version = 1;
    const textDocument = { uri, version: 1, languageId: 'yaml', text };
    await this.#connection.sendNotification('textDocument/didOpen', { textDocument });
    await diagnostics;
  }

  /** Sends an edit and returns the time until the diagnostics of the new version arrive. */
  async change(uri: string, { line, character, deleted, text }: Keystroke['edit']): Promise<number> {
    this.#version += 1;
    const diagnostics = this.#diagnosticsOf(this.#version);
    const started = performance.now();
    const end = deleted > 0 ? { line: line + deleted, character: 0 } : { line, character };
    await this.#connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: this.#version },
      contentChanges: [{ range: { start: { line, character }, end }, text }],
    });
    await diagnostics;
    return performance.now() - started;
  }

  /** Resolves with undefined if the server fails: hovering over broken YAML overflows the stack of `yaml-language-server` 2.0. */
  request(method: string, params: object): Promise<unknown> {
    return this.#connection.sendRequest(method, params).catch(() => undefined);
  }

  /** MiB of all threads. */
  rss(): number {
    const status = readFileSync(`/proc/${this.#process.pid}/status`, 'utf8');
    return Number(/VmRSS:\s*(\d+)/.exec(status)?.[1] ?? 0) / 1024;
  }

  /** MiB that are in use after a collection, in all threads. */
  async heap(): Promise<number> {
    const inspector = await Inspector.connect(await this.#inspector.promise);
    const bytes = await inspector.heap();
    inspector.close();
    return bytes / 1024 / 1024;
  }

  async end(): Promise<void> {
    const ended = once(this.#process, 'exit');
    // As editors do: a server that is killed does not keep its compiled code for the next start.
    await this.#connection.sendRequest('shutdown');
    await this.#connection.sendNotification('exit');
    await ended;
    this.#connection.dispose();
  }

  /** Servers that do not name the version send the diagnostics of the last one, after a pause. */
  #diagnosticsOf(wanted: number): Promise<void> {
    return new Promise(resolve => {
      this.#onDiagnostics = version => {
        if (version === undefined || version === wanted) resolve();
      };
    });
  }
}
