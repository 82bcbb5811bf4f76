import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { ServerCapabilities } from 'vscode-languageserver-protocol';
import { Editor } from './support/editor.ts';
import { memoryHost } from './support/memory-host.ts';

/** Whether a capability is announced, by method. */
const ANNOUNCED: Readonly<Record<string, (given: ServerCapabilities) => unknown>> = {
  'textDocument/publishDiagnostics': () => true,
  'textDocument/diagnostic': given => given.diagnosticProvider,
  'workspace/diagnostic': given => given.diagnosticProvider?.workspaceDiagnostics,
  'textDocument/completion': given => given.completionProvider,
  'completionItem/resolve': given => given.completionProvider?.resolveProvider,
  'textDocument/hover': given => given.hoverProvider,
  'textDocument/signatureHelp': given => given.signatureHelpProvider,
  'textDocument/definition': given => given.definitionProvider,
  'textDocument/references': given => given.referencesProvider,
  'textDocument/documentHighlight': given => given.documentHighlightProvider,
  'textDocument/linkedEditingRange': given => given.linkedEditingRangeProvider,
  'textDocument/prepareRename': given =>
    typeof given.renameProvider === 'object' && given.renameProvider.prepareProvider,
  'textDocument/rename': given => given.renameProvider,
  'textDocument/documentSymbol': given => given.documentSymbolProvider,
  'workspace/symbol': given => given.workspaceSymbolProvider,
  'textDocument/foldingRange': given => given.foldingRangeProvider,
  'textDocument/selectionRange': given => given.selectionRangeProvider,
  'textDocument/documentLink': given => given.documentLinkProvider,
  'textDocument/semanticTokens/full': given => given.semanticTokensProvider?.full,
  'textDocument/semanticTokens/range': given => given.semanticTokensProvider?.range,
  'textDocument/inlayHint': given => given.inlayHintProvider,
  'inlayHint/resolve': given =>
    typeof given.inlayHintProvider === 'object' && 'resolveProvider' in given.inlayHintProvider,
  'textDocument/codeLens': given => given.codeLensProvider,
  'codeLens/resolve': given => given.codeLensProvider?.resolveProvider,
  'workspace/executeCommand': given => given.executeCommandProvider,
  'textDocument/codeAction': given => given.codeActionProvider,
  'textDocument/formatting': given => given.documentFormattingProvider,
  'textDocument/rangeFormatting': given => given.documentRangeFormattingProvider,
  'textDocument/onTypeFormatting': given => given.documentOnTypeFormattingProvider,
  'workspace/willRenameFiles': given => given.workspace?.fileOperations?.willRename,
  'workspace/didCreateFiles': given => given.workspace?.fileOperations?.didCreate,
  'workspace/didRenameFiles': given => given.workspace?.fileOperations?.didRename,
  'workspace/didDeleteFiles': given => given.workspace?.fileOperations?.didDelete,
  'workspace/didChangeWatchedFiles': () => true,
  'workspace/didChangeConfiguration': () => true,
  'workspace/didChangeWorkspaceFolders': given => given.workspace?.workspaceFolders?.changeNotifications,
};

/** What `yaml-language-server` 2.0 announces. */
const YAML_LANGUAGE_SERVER = `textDocument/completion textDocument/hover textDocument/definition textDocument/prepareRename textDocument/rename
textDocument/documentSymbol textDocument/formatting textDocument/onTypeFormatting textDocument/foldingRange textDocument/selectionRange
textDocument/documentLink textDocument/codeLens textDocument/codeAction`;

/** What the server of Regal announces (August 2026). */
const REGAL = `textDocument/completion completionItem/resolve textDocument/hover textDocument/definition textDocument/signatureHelp
textDocument/references textDocument/documentHighlight textDocument/prepareRename textDocument/rename textDocument/documentSymbol
workspace/symbol textDocument/formatting textDocument/foldingRange textDocument/selectionRange textDocument/documentLink
textDocument/semanticTokens/full textDocument/inlayHint inlayHint/resolve textDocument/codeLens textDocument/codeAction
textDocument/diagnostic workspace/diagnostic textDocument/linkedEditingRange workspace/didCreateFiles workspace/didRenameFiles
workspace/didDeleteFiles`;

const CLIENT = {
  textDocument: { diagnostic: {} },
  workspace: { diagnostics: { refreshSupport: true }, workspaceFolders: true },
};

const HOST = {
  ...memoryHost(new Map()),
  runCommand: async () => ({ code: 0, output: '', errors: '', report: '' }),
};

it('announces exactly the methods in the guide, and all that comparable servers offer', async () => {
  const guide = readFileSync(new URL('../../docs/guide/editors.md', import.meta.url), 'utf8');
  const table = guide.slice(guide.indexOf('## Methods'));
  const documented = [
    ...table.matchAll(/`((?:textDocument|workspace|completionItem|inlayHint|codeLens)\/[\w/]+)`/g),
  ].map(one => one[1]!);
  expect([...documented].sort()).toEqual(Object.keys(ANNOUNCED).sort());
  const editor = await Editor.start(HOST, CLIENT, { initializationOptions: { workspaceDiagnostics: 1000 } });
  const { capabilities } = editor.result;
  await editor.end();
  expect(documented.filter(method => !ANNOUNCED[method]!(capabilities))).toEqual([]);
  const others = `${YAML_LANGUAGE_SERVER} ${REGAL}`.split(/\s+/);
  expect(others.filter(method => !documented.includes(method))).toEqual([]);
});
