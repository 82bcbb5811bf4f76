import {
  type FileOperationRegistrationOptions,
  type ServerCapabilities,
  TextDocumentSyncKind,
} from 'vscode-languageserver';
import { CodeActionKind } from 'vscode-languageserver-types';
import type { ServerSetup } from '../project/server-setup.ts';
import { FIX_ALL, LEGEND, LENS_COMMANDS } from '../protocol/announced-names.ts';
import type { Client } from './client.ts';

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
export function capabilitiesFor(
  client: Client,
  { runsCommands }: Pick<ServerSetup, 'runsCommands'>,
): ServerCapabilities {
  return {
    ...(runsCommands &&
      !client.runsCommands && {
        executeCommandProvider: { commands: Object.values(LENS_COMMANDS), workDoneProgress: true },
      }),
    textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: { includeText: false } },
    ...(client.pulls && {
      diagnosticProvider: { identifier: 'tollgate', interFileDependencies: true, workspaceDiagnostics: true },
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
    codeLensProvider: { resolveProvider: true },
    codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, FIX_ALL], resolveProvider: false },
    documentFormattingProvider: true,
    documentRangeFormattingProvider: true,
    documentOnTypeFormattingProvider: { firstTriggerCharacter: '\n' },
    workspace: {
      workspaceFolders: { supported: true, changeNotifications: client.folders },
      fileOperations: { didCreate: FILES, willRename: FILES, didRename: FILES, didDelete: FILES },
    },
  };
}
