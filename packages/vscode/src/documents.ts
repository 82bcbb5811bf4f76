/** What is known about a document before any server looks at it. */
interface OpenDocument {
  readonly languageId: string;
  readonly path: string;
  readonly text: string;
}

/** The language mode of policies. */
export const POLICY_LANGUAGE = 'tollgate';

/** Languages of files that may be policies as a whole. */
const WHOLE = ['yaml', 'json', 'jsonc'];

/** Languages of files that may contain policies. */
const CARRIERS = ['markdown', 'mdx', 'terraform', 'opentofu', 'hcl', 'helm', 'dockercompose'];

const CARRIER_FILE = /\.(?:tf|tofu|mdx)$/;

const TOLLGATE_FILE = /(?:[\\/]|^)tollgate\.yaml$|\.(?:test|invariants)\.(?:ya?ml|json)$/;

/** `actions` as a key, also as one in an escaped string: every rule has it. */
const ACTIONS = /\bactions\\?["']?\s*[:=]/;

/** A phase as a key at the start of a line or of a JSON document, and the comment that says what a file is, as soon as they are typed. */
const BEGUN =
  /^(?:\{\s*)?"?(?:on_(?:tcp|http|event)_[a-z]+|inbound|outbound)"?[ \t]*:|^#[ \t]*tollgate:[ \t]*policy\b/m;

/** Returns true if the server should see a document. It decides what the document is; this only keeps it from being started in vain. */
export function mayContainPolicy({ languageId, path, text }: OpenDocument): boolean {
  if (languageId === POLICY_LANGUAGE || TOLLGATE_FILE.test(path)) return true;
  const isKnown = [...WHOLE, ...CARRIERS].includes(languageId) || CARRIER_FILE.test(path);
  return isKnown && (ACTIONS.test(text) || BEGUN.test(text));
}

/** Returns the languages whose documents are sent to the server, by the setting `tollgate.recognizePolicies`. */
export function languagesFor(recognize: string): readonly string[] {
  return recognize === 'off' ? [POLICY_LANGUAGE] : [POLICY_LANGUAGE, ...WHOLE, ...CARRIERS];
}

/** Returns true if a document of this language becomes one of {@link POLICY_LANGUAGE} once its content is known to be a policy. */
export function isConvertible(languageId: string, recognize: string): boolean {
  return recognize === 'language' && WHOLE.includes(languageId);
}

/** The part of an editor's document that saving needs. */
interface SavableDocument {
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
