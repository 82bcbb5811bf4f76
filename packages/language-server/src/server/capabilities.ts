import { type ServerCapabilities, TextDocumentSyncKind } from 'vscode-languageserver';
import type { Client } from './client.ts';

/** Returns what the server offers to a client. */
export function capabilitiesFor(client: Client): ServerCapabilities {
  return {
    textDocumentSync: {
      openClose: true,
      change: TextDocumentSyncKind.Incremental,
      save: { includeText: false },
    },
    ...(client.pulls && {
      diagnosticProvider: { identifier: 'tollgate', interFileDependencies: true, workspaceDiagnostics: false },
    }),
    completionProvider: {
      triggerCharacters: ['.', '"', "'", '[', '$', '{', '/', ' ', ':', '-'],
      resolveProvider: true,
    },
    hoverProvider: true,
    signatureHelpProvider: { triggerCharacters: ['(', ','], retriggerCharacters: [')'] },
    workspace: { workspaceFolders: { supported: true, changeNotifications: client.folders } },
  };
}
