import {
  createConnection,
  type FileOperationRegistrationOptions,
  type InitializeParams,
  type MessageStrategy,
  type ServerCapabilities,
  TextDocumentSyncKind,
} from 'vscode-languageserver';
import { createProtocolConnection, type Message, type MessageWriter } from 'vscode-languageserver-protocol';
import { CodeActionKind } from 'vscode-languageserver-types';
import type { AskClient, ServerSetup, Transport } from '../host.ts';
import { FIX_ALL, LEGEND, LENS_COMMANDS } from '../protocol.ts';
import { type Client, readClient } from './client.ts';
import type { OpenSession } from './open-session.ts';

/**
 * Serves a client until it says so or is gone. Returns true if the client asked the server to shut down first. The answer to
 * `initialize` does not wait for analysis and lint rules to be loaded; all later messages do.
 */
export async function startServer(setup: ServerSetup, transport: Transport): Promise<boolean> {
  const ending = Promise.withResolvers<void>();
  const watchDog = { shutdownReceived: false, initialize: () => {}, exit: () => ending.resolve() };
  const answer = Promise.withResolvers<void>();
  const writer = withFirst(transport.writer, answer.resolve);
  const gate = new MessageGate();
  const connection = createConnection(
    logger => createProtocolConnection(transport.reader, writer, logger, { messageStrategy: gate }),
    watchDog,
  );
  let session: OpenSession | undefined;
  connection.onInitialize((params: InitializeParams) => {
    const client = readClient(params);
    const load = async () => {
      await answer.promise;
      const ask: AskClient = (method, params) => connection.sendRequest(method, params);
      const [{ openSession }, host] = await Promise.all([import('./open-session.ts'), setup.loadHost(ask)]);
      session = openSession({ connection, host, client, afterInput: transport.afterInput }, params);
    };
    gate.closeUntil(load()).catch(ending.reject);
    return { capabilities: capabilitiesFor(client, setup), serverInfo: { name: 'tollgate', version: setup.version } };
  });
  transport.onEnd(ending.resolve);
  connection.listen();
  await ending.promise;
  session?.end();
  connection.dispose();
  transport.end();
  return watchDog.shutdownReceived;
}

/** Returns a writer that calls back when the first message, which is the answer to `initialize`, has been sent. */
function withFirst(writer: MessageWriter, onFirst: () => void): MessageWriter {
  return {
    onError: writer.onError,
    onClose: writer.onClose,
    write: async message => {
      await writer.write(message);
      onFirst();
    },
    end: () => writer.end(),
    dispose: () => writer.dispose(),
  };
}

type Next = Parameters<MessageStrategy['handleMessage']>[1];

/** Holds messages back, in their order, until what handles them is there. */
class MessageGate implements MessageStrategy {
  #opening: Promise<void> | undefined;

  async closeUntil(opening: Promise<void>): Promise<void> {
    this.#opening = opening;
    await opening;
    this.#opening = undefined;
  }

  handleMessage(message: Message, next: Next): ReturnType<Next> {
    return this.#opening ? this.#opening.then(() => next(message)) : next(message);
  }
}

/** Files whose names policies, tests and settings may contain, and directories of them. */
const FILES: FileOperationRegistrationOptions = {
  filters: [
    { scheme: 'file', pattern: { glob: '**/*.{yaml,yml,json,ts,js,mjs,cjs}' } },
    { scheme: 'file', pattern: { glob: '**', matches: 'folder' } },
  ],
};

/** Characters after which suggestions change. */
const TRIGGERS = ['.', '"', "'", '[', '$', '{', '/', ' ', ':', '-'];

/** Returns what the server offers to a client. */
function capabilitiesFor(client: Client, { runsCommands }: Pick<ServerSetup, 'runsCommands'>): ServerCapabilities {
  return {
    ...(runsCommands &&
      !client.runsCommands && {
        executeCommandProvider: { commands: Object.values(LENS_COMMANDS), workDoneProgress: true },
      }),
    positionEncoding: client.columns,
    textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: { includeText: false } },
    ...(client.pulls && {
      // A client that may ask about the workspace may ask about nothing else when it is told to ask again, as Neovim 0.12 does.
      diagnosticProvider: {
        identifier: 'tollgate',
        interFileDependencies: true,
        workspaceDiagnostics: client.workspaceFiles > 0,
      },
    }),
    completionProvider: { triggerCharacters: TRIGGERS, resolveProvider: true },
    hoverProvider: true,
    signatureHelpProvider: { triggerCharacters: ['(', ','], retriggerCharacters: [')'] },
    definitionProvider: true,
    referencesProvider: true,
    documentHighlightProvider: true,
    linkedEditingRangeProvider: true,
    renameProvider: { prepareProvider: true },
    documentSymbolProvider: true,
    workspaceSymbolProvider: true,
    foldingRangeProvider: true,
    selectionRangeProvider: true,
    documentLinkProvider: { resolveProvider: false },
    semanticTokensProvider: { legend: LEGEND, full: true, range: true },
    inlayHintProvider: { resolveProvider: true },
    // Somebody must run what they name.
    ...((runsCommands || client.runsCommands) && { codeLensProvider: { resolveProvider: true } }),
    codeActionProvider: {
      codeActionKinds: [CodeActionKind.QuickFix, FIX_ALL, CodeActionKind.Refactor],
      resolveProvider: client.resolvesActions,
    },
    documentFormattingProvider: true,
    documentRangeFormattingProvider: true,
    documentOnTypeFormattingProvider: { firstTriggerCharacter: '\n' },
    workspace: {
      workspaceFolders: { supported: true, changeNotifications: client.folders },
      fileOperations: { didCreate: FILES, willRename: FILES, didRename: FILES, didDelete: FILES },
    },
  };
}
