import { type Disposable, languages, type TextDocument, workspace } from 'vscode';
import { isConvertible, POLICY_LANGUAGE } from './documents.ts';
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
