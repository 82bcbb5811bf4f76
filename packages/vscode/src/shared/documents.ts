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
const EMBEDDINGS = ['markdown', 'mdx', 'terraform', 'opentofu', 'hcl', 'helm', 'dockercompose'];

const EMBEDDING_FILE = /\.(?:tf|tofu|mdx)$/;

const TOLLGATE_FILE = /(?:[\\/]|^)tollgate\.yaml$|\.(?:test|invariants)\.(?:ya?ml|json)$/;

/** `actions` as a key, also as one in an escaped string: every rule has it. */
const ACTIONS = /\bactions\\?["']?\s*[:=]/;

/** A phase as a key at the start of a line or of a JSON document, and the comment that says what a file is, as soon as they are typed. */
const BEGUN =
  /^(?:\{\s*)?"?(?:on_(?:tcp|http|event)_[a-z]+|inbound|outbound)"?[ \t]*:|^#[ \t]*tollgate:[ \t]*policy\b/m;

/** Returns true if the server should see a document. It decides what the document is; this only keeps it from being started in vain. */
export function mayContainPolicy({ languageId, path, text }: OpenDocument): boolean {
  if (languageId === POLICY_LANGUAGE || TOLLGATE_FILE.test(path)) return true;
  const isKnown = [...WHOLE, ...EMBEDDINGS].includes(languageId) || EMBEDDING_FILE.test(path);
  return isKnown && (ACTIONS.test(text) || BEGUN.test(text));
}

/** Returns the languages whose documents are sent to the server, by the setting `tollgate.recognizePolicies`. */
export function languagesFor(recognize: string): readonly string[] {
  return recognize === 'off' ? [POLICY_LANGUAGE] : [POLICY_LANGUAGE, ...WHOLE, ...EMBEDDINGS];
}

/** Returns true if a document of this language becomes one of {@link POLICY_LANGUAGE} once its content is known to be a policy. */
export function isConvertible(languageId: string, recognize: string): boolean {
  return recognize === 'language' && WHOLE.includes(languageId);
}
