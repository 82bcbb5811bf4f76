import { type Disposable, languages, type TextDocument, workspace } from 'vscode';
import { isConvertible, POLICY_LANGUAGE, saveDocument } from './documents.ts';
import type { PolicyServer } from './policy-server.ts';

/**
 * Gives YAML and JSON documents that are policies beyond doubt the language mode of policies, once per document, so that whoever changes it
 * back is left alone.
 */
export class LanguageMode implements Disposable {
  readonly #server: PolicyServer;
  readonly #listeners: readonly Disposable[];
  readonly #seen = new Set<string>();

  constructor(server: PolicyServer) {
    this.#server = server;
    const all = () => {
      for (const document of workspace.textDocuments) void this.#recognize(document);
    };
    this.#listeners = [
      workspace.onDidOpenTextDocument(document => void this.#recognize(document)),
      workspace.onDidSaveTextDocument(document => void this.#recognize(document)),
      server.onDidChange(all),
    ];
    all();
  }

  dispose(): void {
    for (const listener of this.#listeners) listener.dispose();
  }

  async #recognize(document: TextDocument): Promise<void> {
    const recognize = workspace.getConfiguration('tollgate', document).get('recognizePolicies', 'language');
    const key = document.uri.toString();
    if (this.#seen.has(key) || !isConvertible(document.languageId, recognize)) return;
    const summary = await this.#server.summarize(document);
    if (summary?.kind !== 'policy' || document.isClosed || this.#seen.has(key)) return;
    this.#seen.add(key);
    await languages.setTextDocumentLanguage(document, POLICY_LANGUAGE);
  }
}

/** How long a save that VS Code began by itself is waited for, in ms: other extensions may take part in it. */
const PATIENCE = 5_000;

/** Saves all files with unsaved changes, because the command reads files from the disk. Returns those that could not be saved. */
export async function saveOpenFiles(): Promise<readonly TextDocument[]> {
  const edited = workspace.textDocuments.filter(({ isDirty, uri }) => isDirty && uri.scheme === 'file');
  const saved = await Promise.all(edited.map(document => saveDocument(document, nextSave)));
  return edited.filter((_, index) => !saved[index]);
}

function nextSave(document: TextDocument): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(end, PATIENCE);
    const listening = workspace.onDidSaveTextDocument(one => {
      if (one === document) end();
    });
    function end() {
      clearTimeout(timer);
      listening.dispose();
      resolve();
    }
  });
}
