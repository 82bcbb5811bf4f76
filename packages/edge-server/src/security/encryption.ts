import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { ExternalError, fileProblem } from '@tollgate/diagnostics';
import type { ServerSettings } from '../settings/settings.ts';
import { isPostgres } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';

// Which encryption keys a process uses for a database, and whether they are those that its secrets were encrypted with.

/** The property of the database with a ciphertext of a known text, and the place that it is encrypted for. */
const TEST = 'sealed-test';

/** Where the keys come from. */
type KeySettings = Pick<ServerSettings, 'database' | 'secretKeyFile'>;

/**
 * Reads the keyring from the environment, or else the key file. For an SQLite database, a key file is created next to it, unless the database
 * has secrets: a new key opens none of them.
 *
 * @throws ExternalError `settings/secret-key`
 */
export async function keyringOf(
  { database, secretKeyFile }: KeySettings,
  env: Readonly<Record<string, string | undefined>>,
  store: Pick<Store, 'property' | 'contains'>,
): Promise<Keyring> {
  const given = env.TOLLGATE_SECRET_KEY;
  if (given !== undefined) return parseKeyring(given, '`TOLLGATE_SECRET_KEY`');
  if (secretKeyFile !== '') return readKeyring(secretKeyFile);
  if (isPostgres(database)) {
    const message =
      'no key for secrets: several processes may share the database; set `TOLLGATE_SECRET_KEY` or `--secret-key-file`';
    throw new ExternalError('settings/secret-key', message);
  }
  const path = `${database}.key`;
  if (!existsSync(path) && (await hasSecrets(store))) throw lostKey(path, await store.property(TEST));
  makeKeyFile(path);
  return readKeyring(path);
}

async function hasSecrets(store: Pick<Store, 'property' | 'contains'>): Promise<boolean> {
  return (await store.property(TEST)) !== undefined || (await store.contains(`"${SEALED_MARK}`));
}

function lostKey(path: string, test: string | undefined): ExternalError {
  const key = test === undefined ? 'the key' : `the key ${keyIdOf(test)}`;
  return new ExternalError(
    'settings/secret-key',
    `the key file \`${path}\` is missing, and the database has secrets that were encrypted with ${key}; restore it${IF_LOST}`,
  );
}

const IF_LOST =
  ', or, if it is lost, create a new key file and run `tollgate keys rotate-encryption --give-up-lost-keys`';

/**
 * Decrypts the test value of the database, which the first process has put there, so that a process with other keys does not start.
 *
 * @throws ExternalError `settings/secret-key`
 */
export async function proveKeys(store: Pick<Store, 'property' | 'setProperty'>, box: SecretBox): Promise<void> {
  const test = await store.property(TEST);
  if (test !== undefined) {
    const opened = box.tryOpen(test, TEST);
    if (!('secret' in opened)) {
      throw new ExternalError(
        'settings/secret-key',
        `the encryption keys are not those of the database: ${opened.reason}; add it to the keys of this process${IF_LOST}`,
      );
    }
    if (box.isCurrent(test)) return;
  }
  await renewTest(store, box);
}

/** Encrypts the test value with the current key. */
export async function renewTest(store: Pick<Store, 'setProperty'>, box: SecretBox): Promise<void> {
  await store.setProperty(TEST, box.seal('tollgate', TEST));
}

const KEY_BYTES = 32;

/** The encryption keys, by identifier. */
interface Keyring {
  /** The id of the key that encrypts new secrets. */
  readonly current: string;
  readonly keys: ReadonlyMap<string, Buffer>;
}

/**
 * Parses keys of 32 bytes in base64, one per line. The first key encrypts and all decrypt, so a new key is added at the top. Empty lines
 * and lines that start with `#` are ignored.
 *
 * @param origin the source of the keys in messages
 * @throws ExternalError `settings/secret-key`; the message never contains a key
 */
export function parseKeyring(text: string, origin: string): Keyring {
  const lines = text.split(/\r?\n/).map((line, index) => ({ text: line.trim(), number: index + 1 }));
  const keys = new Map<string, Buffer>();
  for (const line of lines) {
    if (line.text === '' || line.text.startsWith('#')) continue;
    const key = Buffer.from(line.text, 'base64');
    if (key.length !== KEY_BYTES || !/^[A-Za-z0-9+/]{43}=?$/.test(line.text)) {
      throw invalid(
        `${origin}, line ${line.number}: expected ${KEY_BYTES} bytes in base64, found ${line.text.length} characters`,
      );
    }
    keys.set(identify(key), key);
  }
  const [current] = keys.keys();
  if (current === undefined) throw invalid(`${origin} contains no key`);
  return { current, keys };
}

/** Reads the keys of a file. */
export function readKeyring(path: string): Keyring {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    const reason = fileProblem(cause);
    throw new ExternalError('settings/secret-key', `cannot read the key file \`${path}\`: ${reason}`, { cause });
  }
  return parseKeyring(text, `the key file \`${path}\``);
}

/** Creates a file with a new key that only its owner can read, unless the file exists. */
export function makeKeyFile(path: string): void {
  try {
    writeFileSync(path, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') return;
    const reason = fileProblem(cause);
    throw new ExternalError('settings/secret-key', `cannot create the key file \`${path}\`: ${reason}`, { cause });
  }
}

/** Returns the id of a key, which reveals nothing about it. */
function identify(key: Buffer): string {
  return createHash('sha256').update('tollgate key id').update(key).digest('hex').slice(0, 8);
}

function invalid(message: string): ExternalError {
  return new ExternalError('settings/secret-key', message);
}

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** What every ciphertext begins with. */
const SEALED_MARK = 'sealed:1:';

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
