import type { ColumnUnit } from '@tollgate/diagnostics';
import type { InitializeParams } from 'vscode-languageserver';
import { InsertTextMode } from 'vscode-languageserver-types';
import type { Trust } from '../host.ts';
import type { DiagnosticSupport, Indentation } from '../protocol.ts';

/** What the client can do, as far as it matters to the server. */
export interface Client {
  readonly diagnostics: DiagnosticSupport;
  /** What characters of positions count: bytes of UTF-8 only for clients that prefer them. */
  readonly columns: ColumnUnit;
  /** True if the client asks for diagnostics, and again when it is told to. All others are sent diagnostics. */
  readonly pulls: boolean;
  /** Up to how many files of the workspace are checked for a client that asks about all of them; 0 if none are. */
  readonly workspaceFiles: number;
  readonly snippets: boolean;
  readonly indents: Indentation;
  /** True if document symbols may be nested. */
  readonly nestedSymbols: boolean;
  /** True if the edit of a code action may be asked for once it is chosen. */
  readonly resolvesActions: boolean;
  /** True if edits may create files. */
  readonly createsFiles: boolean;
  /** True if edits may name versions of documents. */
  readonly versionedEdits: boolean;
  /** True if the client announces that it answers questions about its settings. */
  readonly configuration: boolean;
  readonly watchesFiles: boolean;
  readonly folders: boolean;
  readonly progress: boolean;
  readonly showsDocuments: boolean;
  /** True if the client runs the commands of lenses itself. */
  readonly runsCommands: boolean;
  readonly refreshesHints: boolean;
  readonly refreshesLenses: boolean;
  readonly refreshesTokens: boolean;
}

/** Reads the capabilities of a client. Every one of them may be missing. */
export function readClient(params: Pick<InitializeParams, 'capabilities' | 'initializationOptions'>): Client {
  const { general, textDocument, workspace, window } = params.capabilities;
  const published = textDocument?.publishDiagnostics;
  const pulled = textDocument?.diagnostic;
  const item = textDocument?.completion?.completionItem;
  const action = textDocument?.codeAction;
  const pulls = pulled !== undefined && workspace?.diagnostics?.refreshSupport === true;
  const reading = pulls ? pulled : published;
  return {
    diagnostics: {
      related: reading?.relatedInformation === true || published?.relatedInformation === true,
      tags: reading?.tagSupport !== undefined || published?.tagSupport !== undefined,
      links: reading?.codeDescriptionSupport === true || published?.codeDescriptionSupport === true,
    },
    columns: general?.positionEncodings?.[0] === 'utf-8' ? 'utf-8' : 'utf-16',
    pulls,
    workspaceFiles: pulls ? countIn(optionsIn(params).workspaceDiagnostics) : 0,
    snippets: item?.snippetSupport === true,
    indents: indentationIn(optionsIn(params).indents, item?.insertTextModeSupport?.valueSet),
    nestedSymbols: textDocument?.documentSymbol?.hierarchicalDocumentSymbolSupport === true,
    resolvesActions: action?.dataSupport === true && action.resolveSupport?.properties.includes('edit') === true,
    createsFiles:
      workspace?.workspaceEdit?.documentChanges === true &&
      workspace.workspaceEdit.resourceOperations?.includes('create') === true,
    versionedEdits: workspace?.workspaceEdit?.documentChanges === true,
    configuration: workspace?.configuration === true,
    watchesFiles: workspace?.didChangeWatchedFiles?.dynamicRegistration === true,
    folders: workspace?.workspaceFolders === true,
    progress: window?.workDoneProgress === true,
    showsDocuments: window?.showDocument?.support === true,
    runsCommands: optionsIn(params).commands === 'client',
    refreshesHints: workspace?.inlayHint?.refreshSupport === true,
    refreshesLenses: workspace?.codeLens?.refreshSupport === true,
    refreshesTokens: workspace?.semanticTokens?.refreshSupport === true,
  };
}

/** Returns which code may run, from `initializationOptions` such as `{ "trusted": false }`. */
export function trustIn(params: Pick<InitializeParams, 'initializationOptions'>): Trust {
  const { trusted } = optionsIn(params);
  if (trusted === true) return 'always';
  return trusted === false ? 'never' : 'by-directory';
}

function optionsIn({ initializationOptions: options }: Pick<InitializeParams, 'initializationOptions'>): {
  readonly trusted?: unknown;
  readonly commands?: unknown;
  readonly workspaceDiagnostics?: unknown;
  readonly indents?: unknown;
} {
  return typeof options === 'object' && options !== null ? options : {};
}

function indentationIn(option: unknown, modes: readonly InsertTextMode[] | undefined): Indentation {
  if (option === 'as-is' || option === 'line' || option === 'column') return option;
  return modes?.includes(InsertTextMode.asIs) ? 'as-is' : 'line';
}

function countIn(value: unknown): number {
  return typeof value === 'number' && value > 0 ? Math.floor(value) : 0;
}

/** Returns the URIs of the directories that the client opened. */
export function foldersIn({ workspaceFolders, rootUri, rootPath }: InitializeParams): readonly string[] {
  if (workspaceFolders && workspaceFolders.length > 0) return workspaceFolders.map(({ uri }) => uri);
  return [rootUri ?? rootPath].flatMap(one => one ?? []);
}
