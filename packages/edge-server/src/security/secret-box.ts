import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { ExternalError } from '@tollgate/diagnostics';
import type { Keyring } from './keyring.ts';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** What every ciphertext begins with. */
export const SEALED_MARK = 'sealed:1:';

/** Encrypts and decrypts secrets in the store. */
export interface SecretBox {
  /** @param place where the secret is stored; it can be decrypted only there */
  readonly seal: (secret: string, place: string) => string;
  /** @throws ExternalError `store/secret` if the key is missing or the ciphertext was modified */
  readonly open: (sealed: string, place: string) => string;
  /** Returns the secret, or why it cannot be decrypted. */
  readonly tryOpen: (sealed: string, place: string) => OpenedSecret;
  /** Returns true if the string is a ciphertext; what was stored before its field became a secret is none. */
  readonly isSealed: (stored: string) => boolean;
  /** Returns true if the ciphertext was encrypted with the current key. */
  readonly isCurrent: (sealed: string) => boolean;
}

/** A decrypted secret, or why it cannot be decrypted. */
export type OpenedSecret = { readonly secret: string } | { readonly reason: string };

/** Creates a secret box with AES-256-GCM and random nonces. The ciphertext names its key, so that keys can be rotated gradually. */
export function createSecretBox({ current, keys }: Keyring): SecretBox {
  return {
    seal: (secret, place) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, keys.get(current)!, nonce).setAAD(Buffer.from(place));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return `${SEALED_MARK}${current}:${Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64')}`;
    },
    open: (sealed, place) => {
      const opened = tryOpen(keys, sealed, place);
      if ('secret' in opened) return opened.secret;
      throw new ExternalError('store/secret', `a secret in \`${place}\` cannot be decrypted: ${opened.reason}`);
    },
    tryOpen: (sealed, place) => tryOpen(keys, sealed, place),
    isSealed: stored => stored.startsWith(SEALED_MARK),
    isCurrent: sealed => sealed.startsWith(`${SEALED_MARK}${current}:`),
  };
}

/** Returns the id of the key that a ciphertext was made with. */
export function keyIdOf(sealed: string): string {
  return SEALED.exec(sealed)?.[1] ?? '';
}

const SEALED = /^sealed:1:([0-9a-f]{8}):(.*)$/;

function tryOpen(keys: Keyring['keys'], sealed: string, place: string): OpenedSecret {
  const [, id = '', payload = ''] = SEALED.exec(sealed) ?? [];
  const key = keys.get(id);
  return key ? decrypt(key, Buffer.from(payload, 'base64'), place) : { reason: `the encryption key ${id} is missing` };
}

function decrypt(key: Buffer, payload: Buffer, place: string): OpenedSecret {
  try {
    const nonce = payload.subarray(0, NONCE_BYTES);
    const tag = payload.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
    const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(place)).setAuthTag(tag);
    const text = Buffer.concat([decipher.update(payload.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
    return { secret: text.toString('utf8') };
  } catch {
    return { reason: 'it was changed or moved' };
  }
}
