import {
  type Disposable,
  EventEmitter,
  type LogOutputChannel,
  languages,
  type TextDocument,
  type Uri,
  window,
  workspace,
} from 'vscode';
import { type BaseLanguageClient, type LanguageClientOptions, Trace } from 'vscode-languageclient';
import { languagesFor, mayContainPolicy } from './documents.ts';

/** The program that serves the editor: a process, or a worker in a browser. */
export interface ServerProgram {
  /** Which one it is, such as `bundled`. */
  readonly origin: () => string;
  /** Schemes of the documents that it can read. */
  readonly schemes: () => readonly string[];
  /** Whether there is a command for traces and replays. */
  readonly runsCommands: boolean;
  readonly createClient: (options: LanguageClientOptions) => BaseLanguageClient;
}

/** What the server says about an open document: the answer to `tollgate/document`. */
export interface DocumentSummary {
  readonly kind: 'policy' | 'tests' | 'invariants' | 'edge' | 'project' | 'embedding' | 'other';
  readonly targets: readonly { readonly profile: string; readonly endpoint: string }[];
  readonly project: string | null;
  readonly failures: readonly string[];
}

/** A position of the protocol. */
interface ProtocolPosition {
  readonly line: number;
  readonly character: number;
}

/** A range of the protocol. */
export interface ProtocolRange {
  readonly start: ProtocolPosition;
  readonly end: ProtocolPosition;
}

/** A policy test in the answer to `tollgate/tests`. */
export interface ListedTest {
  readonly name: string;
  readonly nameRange: ProtocolRange;
  /** Of the whole test. */
  readonly range: ProtocolRange;
}

/** The language server, which is started when the first document needs it. */
export class PolicyServer implements Disposable {
  readonly #log: LogOutputChannel;
  readonly #program: ServerProgram;
  readonly #listeners: Disposable[] = [];
  readonly #changed = new EventEmitter<void>();
  #client: BaseLanguageClient | undefined;
  #starting: Promise<BaseLanguageClient | undefined> | undefined;

  /** Fires when the server has started or stopped. */
  readonly onDidChange = this.#changed.event;

  constructor(program: ServerProgram, log: LogOutputChannel) {
    this.#log = log;
    this.#program = program;
    this.#listeners.push(
      this.#changed,
      workspace.onDidOpenTextDocument(document => this.#consider(document)),
      // A document that is written from nothing becomes a policy while it is open.
      workspace.onDidChangeTextDocument(({ document }) => this.#consider(document)),
      workspace.onDidGrantWorkspaceTrust(() => this.restart()),
      workspace.onDidChangeConfiguration(event => {
        const isOurs = RESTARTING.some(name => event.affectsConfiguration(name));
        if (isOurs) void this.restart();
        else if (event.affectsConfiguration('tollgate.trace.server')) void this.#applyTrace();
      }),
    );
    for (const document of workspace.textDocuments) this.#consider(document);
  }

  /** Which server is in use, such as `bundled`. */
  get origin(): string {
    return this.#program.origin();
  }

  /** Whether there is a command for traces and replays. */
  get runsCommands(): boolean {
    return this.#program.runsCommands;
  }

  /** The version of the running server. */
  get version(): string | undefined {
    return this.#client?.initializeResult?.serverInfo?.version;
  }

  /** Returns what an open document is; undefined if the server does not know it, or is not needed. */
  async summarize(document: TextDocument): Promise<DocumentSummary | undefined> {
    if (!this.#isSent(document)) return undefined;
    const client = await this.#starting;
    return (
      (await client?.sendRequest<DocumentSummary | null>('tollgate/document', about(document.uri, client))) ?? undefined
    );
  }

  /** Returns the policy tests of a file, open or not; undefined for a file without any. */
  async listTests(uri: Uri): Promise<readonly ListedTest[] | undefined> {
    const client = await this.#start();
    return (await client?.sendRequest<readonly ListedTest[] | null>('tollgate/tests', about(uri, client))) ?? undefined;
  }

  /** Tells the server what a replay of a policy counted, so that it shows hits next to the rules. */
  async showHits(uri: Uri, part: string, report: object): Promise<void> {
    const client = await this.#starting;
    const fragment = encodeURIComponent(part).replaceAll('%2F', '/');
    const policy = part === '' ? uri.toString() : `${uri.toString()}#${fragment}`;
    await client?.sendNotification('tollgate/replayed', { textDocument: { uri: policy }, report });
  }

  async restart(): Promise<void> {
    const isNeeded = this.#starting !== undefined;
    await this.#stop();
    if (isNeeded) await this.#start();
    for (const document of workspace.textDocuments) this.#consider(document);
  }

  dispose(): void {
    for (const listener of this.#listeners) listener.dispose();
    void this.#stop();
  }

  #consider(document: TextDocument): void {
    if (!this.#isSent(document) || this.#starting) return;
    if (mayContainPolicy({ languageId: document.languageId, path: document.uri.path, text: document.getText() }))
      void this.#start();
  }

  #isSent(document: TextDocument): boolean {
    return languages.match(this.#selector(), document) > 0;
  }

  #start(): Promise<BaseLanguageClient | undefined> {
    this.#starting ??= this.#startClient();
    return this.#starting;
  }

  async #startClient(): Promise<BaseLanguageClient | undefined> {
    this.#log.info(`starting the ${this.origin} server`);
    const client = this.#program.createClient(this.#options());
    this.#client = client;
    try {
      await client.start();
      await this.#applyTrace();
      this.#changed.fire();
      return client;
    } catch (error) {
      this.#log.error(`the server did not start: ${String(error)}`);
      void window.showErrorMessage('Tollgate: the language server did not start; see the log for the reason.');
      return undefined;
    }
  }

  #options(): LanguageClientOptions {
    return {
      documentSelector: [...this.#selector()],
      initializationOptions: {
        trusted: workspace.isTrusted,
        ...(this.#program.runsCommands && { commands: 'client' }),
        workspaceDiagnostics: workspace.getConfiguration('tollgate').get('workspaceDiagnostics', 0),
      },
      outputChannel: this.#log,
      diagnosticCollectionName: 'tollgate',
    };
  }

  #selector() {
    return selectorFor(recognition(), this.#program.schemes());
  }

  async #applyTrace(): Promise<void> {
    const level = workspace.getConfiguration('tollgate').get('trace.server', 'off');
    await this.#client?.setTrace(Trace.fromString(level));
  }

  async #stop(): Promise<void> {
    const starting = this.#starting;
    this.#starting = undefined;
    this.#client = undefined;
    const client = await starting;
    await client?.dispose();
    this.#changed.fire();
  }
}

/** Settings that the server is started with. */
const RESTARTING = ['tollgate.server', 'tollgate.recognizePolicies', 'tollgate.workspaceDiagnostics'];

function recognition(): string {
  return workspace.getConfiguration('tollgate').get('recognizePolicies', 'language');
}

/** Files of ours by name, and all files in languages that may be or contain policies. */
function selectorFor(recognize: string, schemes: readonly string[]) {
  const inSchemes = (pattern: string) => schemes.map(scheme => ({ pattern, scheme }));
  return [
    ...languagesFor(recognize).flatMap(language => [...schemes, 'untitled'].map(scheme => ({ language, scheme }))),
    ...inSchemes('**/tollgate.yaml'),
    ...inSchemes('**/*.{test,invariants}.{yaml,yml,json}'),
    // Without an extension for them, these files are plain text.
    ...(recognize === 'off' ? [] : inSchemes('**/*.{tf,tofu,mdx}')),
  ];
}

function about(uri: Uri, client: BaseLanguageClient) {
  return { textDocument: { uri: client.code2ProtocolConverter.asUri(uri) } };
}
