import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { ExternalError } from '@tollgate/diagnostics';
import type { Keyring } from './keyring.ts';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const MARK = 'sealed:1:';

/** Encrypts secrets for the store, and decrypts them. */
export interface SecretBox {
  /** @param place where the secret is kept; a sealed text that is moved elsewhere does not open */
  readonly seal: (secret: string, place: string) => string;
  /** @throws ExternalError `store/secret` when the key is not at hand, or the text was changed */
  readonly open: (sealed: string, place: string) => string;
  /** Whether a sealed text is of the current key. */
  readonly isCurrent: (sealed: string) => boolean;
}

/** AES-256-GCM with a random nonce; the sealed text names its key, so that keys can be changed one secret at a time. */
export function createSecretBox({ current, keys }: Keyring): SecretBox {
  return {
    seal: (secret, place) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, keys.get(current)!, nonce).setAAD(Buffer.from(place));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return `${MARK}${current}:${Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64')}`;
    },
    open: (sealed, place) => {
      const [, id = '', payload = ''] = /^sealed:1:([0-9a-f]{8}):(.*)$/.exec(sealed) ?? [];
      const key = keys.get(id);
      if (!key)
        throw new ExternalError('store/secret', `the key \`${id}\` that a secret of \`${place}\` needs is not at hand`);
      return decrypt(key, Buffer.from(payload, 'base64'), place);
    },
    isCurrent: sealed => sealed.startsWith(`${MARK}${current}:`),
  };
}

function decrypt(key: Buffer, payload: Buffer, place: string): string {
  try {
    const nonce = payload.subarray(0, NONCE_BYTES);
    const tag = payload.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
    const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(place)).setAuthTag(tag);
    const text = Buffer.concat([decipher.update(payload.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
    return text.toString('utf8');
  } catch (cause) {
    throw new ExternalError('store/secret', `a secret of \`${place}\` cannot be decrypted`, { cause });
  }
}
