// The connection to the language server's worker, which is started again if it ends, or if it takes too long.

import { LSPClient, type LSPClientExtension, type Transport } from '@codemirror/lsp-client';
import { ACTION_CAPABILITIES } from './code-actions.ts';
import { AllFiles, nameOf, type ServerRange, type ShowsFiles } from './workspace.ts';

/** A finding of the language server. */
export interface ServerFinding {
  readonly range: ServerRange;
  readonly severity?: 1 | 2 | 3 | 4;
  readonly code?: string | number;
  readonly message: string;
  readonly tags?: readonly number[];
}

interface PublishedFindings {
  readonly uri: string;
  readonly version?: number;
  readonly diagnostics: readonly ServerFinding[];
}

/** What the connection tells the page. */
interface ClientEvents {
  /** Called with all findings in a file. */
  readonly found: (name: string, findings: readonly ServerFinding[]) => void;
  /** Called when the checks had to be stopped, with the reason. */
  readonly stopped: (message: string) => void;
}

/** How long the server may take for the findings of one text, in ms. A policy of 60 rules takes less than 3 s. */
const PATIENCE_MS = 20_000;

/** After how many stops nothing is started again until the files change. */
const MAX_STOPS = 2;

/** Connects an editor to the language server. */
export class LanguageClient {
  readonly client: LSPClient;
  readonly files: AllFiles;
  readonly #script: string;
  readonly #events: ClientEvents;
  readonly #shown: () => object;
  #worker: Worker | undefined;
  #waiting: ReturnType<typeof setTimeout> | undefined;
  #stops = 0;

  /** @param shown returns the files and the profile, for the settings */
  constructor(script: string, editor: ShowsFiles, { events, shown }: { events: ClientEvents; shown: () => object }) {
    this.#script = script;
    this.#events = events;
    this.#shown = shown;
    let files: AllFiles | undefined;
    const capabilities: LSPClientExtension = { clientCapabilities: ACTION_CAPABILITIES };
    this.client = new LSPClient({
      rootUri: 'file:///play',
      initializationOptions: { trusted: false },
      // A request may wait for the first start.
      timeout: PATIENCE_MS,
      sanitizeHTML: sanitizeHtml,
      workspace: client => {
        files = new AllFiles(client, editor);
        return files;
      },
      extensions: [capabilities],
      notificationHandlers: {
        'textDocument/publishDiagnostics': (_, { uri, version, diagnostics }: PublishedFindings) => {
          this.#answered();
          // Those of an earlier text are at other places; those of this one follow.
          const isCurrent = version === undefined || version === files?.getFile(uri)?.version;
          if (isCurrent) events.found(nameOf(uri), diagnostics);
          return true;
        },
        'window/logMessage': () => true,
      },
    });
    this.files = files!;
  }

  /** Starts the server. */
  start(): void {
    const worker = new Worker(this.#script);
    this.#worker = worker;
    worker.onerror = event => {
      event.preventDefault();
      if (this.#worker === worker) this.#restart(`the checks ended: ${event.message}`);
    };
    this.#tellFiles();
    this.client.connect(transportOf(worker));
    this.expectFindings();
  }

  /** Tells the server that files were added, removed or replaced, or that settings changed. */
  filesChanged(): void {
    this.#stops = 0;
    if (!this.#worker) this.start();
    this.#tellFiles();
    this.files.update();
    this.client.notification('workspace/didChangeConfiguration', { settings: {} });
  }

  /** Tells the server that all files were replaced, by some that may have the same names. */
  filesReplaced(): void {
    this.files.closeAll();
    this.filesChanged();
    this.expectFindings();
  }

  /** Resolves when all checks of all files have been reported. */
  async settled(): Promise<void> {
    this.client.sync();
    const { files } = this.files;
    await Promise.all(files.map(({ uri }) => this.client.request('tollgate/settled', { textDocument: { uri } })));
  }

  /** Stops the server if it does not report findings in time. */
  expectFindings(): void {
    this.#waiting ??= setTimeout(() => {
      this.#waiting = undefined;
      this.#restart('the checks of this text were stopped after 20 s');
    }, PATIENCE_MS);
  }

  #answered(): void {
    clearTimeout(this.#waiting);
    this.#waiting = undefined;
  }

  #tellFiles(): void {
    this.#worker?.postMessage({ jsonrpc: '2.0', method: '$/tollgate/files', params: this.#shown() });
  }

  #restart(message: string): void {
    this.#answered();
    this.#worker?.terminate();
    this.#worker = undefined;
    this.client.disconnect();
    this.#stops++;
    const isLast = this.#stops > MAX_STOPS;
    this.#events.stopped(isLast ? `${message}; they start again when a file changes` : message);
    if (!isLast) this.start();
  }
}

/** The client writes strings, and the worker reads objects. Messages wait until somebody listens. */
function transportOf(worker: Worker): Transport {
  const listeners = new Set<(message: string) => void>();
  worker.onmessage = ({ data }) => {
    const text = JSON.stringify(data);
    for (const listener of listeners) listener(text);
  };
  return {
    send: message => worker.postMessage(JSON.parse(message)),
    subscribe: listener => void listeners.add(listener),
    unsubscribe: listener => void listeners.delete(listener),
  };
}

// HTML of documentation: a few elements, and no attributes but links. The text is that of the catalog, or of a policy that somebody sent.

const ALLOWED: ReadonlySet<string> = new Set(
  'A B BLOCKQUOTE BR CODE EM H1 H2 H3 H4 HR I LI OL P PRE SPAN STRONG TABLE TBODY TD TH THEAD TR UL'.split(' '),
);

/** Returns HTML without anything that could run, load or be submitted. */
function sanitizeHtml(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  clean(body);
  return body.innerHTML;
}

function clean(parent: Element): void {
  for (const element of [...parent.children]) {
    if (!ALLOWED.has(element.tagName)) {
      element.replaceWith(element.textContent ?? '');
      continue;
    }
    const link = element.tagName === 'A' ? element.getAttribute('href') : null;
    for (const { name } of [...element.attributes]) element.removeAttribute(name);
    if (link !== null && /^https:\/\//.test(link)) {
      element.setAttribute('href', link);
      element.setAttribute('target', '_blank');
      element.setAttribute('rel', 'noopener noreferrer');
    }
    clean(element);
  }
}
