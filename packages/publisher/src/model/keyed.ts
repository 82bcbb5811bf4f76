import { createHmac, createSecretKey } from 'node:crypto';
import { canonicalText, type Json } from './json.ts';

/**
 * Keyed hashes. A plain hash of a module would reveal a secret in it to whoever can guess the secret; with a key that is stored neither in
 * plans nor in the journal, it does not.
 */
export interface Keyed {
  /** Identifies the key without revealing it. */
  readonly keyId: string;
  readonly fingerprint: (value: Json) => string;
}

/** Creates keyed hashes: HMAC-SHA-256, cut to 128 bits. */
export function createKeyed(key: Uint8Array): Keyed {
  const secret = createSecretKey(key);
  const hash = (text: string) => createHmac('sha256', secret).update(text).digest('base64url').slice(0, 22);
  return { keyId: hash('key id').slice(0, 8), fingerprint: value => hash(canonicalText(value)) };
}
