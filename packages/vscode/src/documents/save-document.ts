/** The part of an editor's document that saving needs. */
export interface SavableDocument {
  readonly isDirty: boolean;
  readonly save: () => PromiseLike<boolean>;
}

/**
 * Writes what the editor shows to the file; false if that is impossible. While VS Code saves a document by itself (`files.autoSave`, the default
 * in browsers), it refuses to save it for anybody else, and says no more than `false`. This waits for the running save, and tries again.
 *
 * @param nextSave resolves once the document has been saved by anyone, or when there is no point in waiting any longer
 */
export async function saveDocument<Document extends SavableDocument>(
  document: Document,
  nextSave: (document: Document) => Promise<void>,
): Promise<boolean> {
  for (let attempt = 1; document.isDirty; attempt += 1) {
    if (await document.save()) return true;
    if (attempt === ATTEMPTS) return !document.isDirty;
    if (document.isDirty) await nextSave(document);
  }
  return true;
}

/** What is typed during a save needs another one. */
const ATTEMPTS = 3;
