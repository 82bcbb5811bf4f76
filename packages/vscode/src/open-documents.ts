import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type Disposable, languages, type TextDocument, Uri, workspace } from 'vscode';
import { isConvertible, POLICY_LANGUAGE } from './documents.ts';
import type { PolicyServer } from './policy-server.ts';
import type { ShownText } from './tollgate-program.ts';

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

/**
 * Returns the path by which commands name a document: that of its file, or the one that it may get in the first folder. Only the editor has
 * the text of the latter.
 */
export function pathOf({ uri, languageId }: Pick<TextDocument, 'uri' | 'languageId'>): string {
  if (uri.scheme === 'file') return uri.fsPath;
  const [folder] = workspace.workspaceFolders ?? [];
  return join(folder?.uri.fsPath ?? tmpdir(), `${basename(uri.path)}.${languageId === 'json' ? 'json' : 'yaml'}`);
}

/** Returns the URI of what commands call by a path. */
export function uriOf(path: string): Uri {
  const untitled = workspace.textDocuments.find(one => one.uri.scheme === 'untitled' && pathOf(one) === path);
  return untitled?.uri ?? Uri.file(path);
}

/** Returns what the editor shows of files with unsaved changes, and of those that were never saved: commands read this instead. */
export function unsavedTexts(): readonly ShownText[] {
  const edited = workspace.textDocuments.filter(
    ({ isDirty, uri: { scheme } }) => scheme === 'untitled' || (isDirty && scheme === 'file'),
  );
  return edited.map(document => ({ path: pathOf(document), text: document.getText() }));
}
