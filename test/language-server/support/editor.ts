import { PassThrough, type Readable, type Writable } from 'node:stream';
import { type Host, startServer } from '@tollgate/language-server';
import { streamTransport } from '@tollgate/language-server/node';
import {
  type ClientCapabilities,
  createProtocolConnection,
  type Diagnostic,
  type InitializeResult,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';

/** A server that waits for a client. */
export interface RunningServer {
  readonly input: Writable;
  readonly output: Readable;
  /** Resolves with true if the server was shut down before it ended. */
  readonly ended: Promise<boolean>;
}

/** A client of the language server over streams, which waits for events instead of time. */
export class Editor {
  readonly connection: ProtocolConnection;
  /** All diagnostics that were sent, in order. */
  readonly published: PublishDiagnosticsParams[] = [];
  readonly result: InitializeResult;
  readonly #waiting = new Set<() => void>();
  readonly #ended: Promise<boolean>;
  readonly #versions = new Map<string, number>();

  private constructor(connection: ProtocolConnection, result: InitializeResult, ended: Promise<boolean>) {
    this.connection = connection;
    this.result = result;
    this.#ended = ended;
    connection.onNotification('textDocument/publishDiagnostics', (params: PublishDiagnosticsParams) => {
      this.published.push(params);
      for (const wake of [...this.#waiting]) wake();
    });
  }

  /** Starts a server and a client with these capabilities. */
  static start(host: Host, capabilities: ClientCapabilities = {}, options: object = {}): Promise<Editor> {
    const [toServer, toClient] = [new PassThrough(), new PassThrough()];
    const setup = { version: 'test', runsCommands: host.runCommand !== undefined, loadHost: async () => host };
    const ended = startServer(setup, streamTransport({ input: toServer, output: toClient }));
    return Editor.connect({ input: toServer, output: toClient, ended }, capabilities, options);
  }

  /** Starts a client of a server that is running. */
  static async connect(
    { input, output, ended }: RunningServer,
    capabilities: ClientCapabilities = {},
    options: object = {},
  ): Promise<Editor> {
    const connection = createProtocolConnection(new StreamMessageReader(output), new StreamMessageWriter(input));
    connection.listen();
    const params = { processId: null, rootUri: 'file:///w', capabilities, ...options };
    const result = await connection.sendRequest<InitializeResult>('initialize', params);
    const editor = new Editor(connection, result, ended);
    await connection.sendNotification('initialized', {});
    return editor;
  }

  async open(uri: string, text: string, languageId = 'yaml'): Promise<void> {
    this.#versions.set(uri, 1);
    await this.connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, version: 1, languageId, text },
    });
  }

  /** Sends changes of the content and returns the new version. */
  async change(uri: string, ...contentChanges: readonly object[]): Promise<number> {
    const version = (this.#versions.get(uri) ?? 0) + 1;
    this.#versions.set(uri, version);
    await this.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version },
      contentChanges,
    });
    return version;
  }

  request<T>(method: string, params: object): Promise<T> {
    return this.connection.sendRequest<T>(method, params);
  }

  /** Waits until diagnostics of a document satisfy the condition. */
  async diagnostics(uri: string, isWanted: (found: readonly Diagnostic[], version: number) => boolean = () => true) {
    for (;;) {
      const last = this.published.findLast(one => one.uri === uri);
      if (last && isWanted(last.diagnostics, last.version ?? 0)) return last.diagnostics;
      await new Promise<void>(resolve => {
        const wake = () => {
          this.#waiting.delete(wake);
          resolve();
        };
        this.#waiting.add(wake);
      });
    }
  }

  /** Saves a document, waits until all lint rules have run, and returns the diagnostics. */
  async pullSettled(uri: string): Promise<readonly Diagnostic[]> {
    await this.connection.sendNotification('textDocument/didSave', { textDocument: { uri } });
    await this.request('tollgate/settled', { textDocument: { uri } });
    return this.published.findLast(one => one.uri === uri)?.diagnostics ?? [];
  }

  /** Ends the session. Returns true if the server saw the request. */
  async end(): Promise<boolean> {
    await this.connection.sendRequest('shutdown');
    await this.connection.sendNotification('exit');
    const result = await this.#ended;
    this.connection.dispose();
    return result;
  }
}
