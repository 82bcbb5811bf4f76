import { existsSync } from 'node:fs';
import { ExternalError } from '@tollgate/diagnostics';
import type { ServerSettings } from '../settings/server-settings.ts';
import { isPostgres } from '../store/open-store.ts';
import type { Store } from '../store/port/store.ts';
import { type Keyring, makeKeyFile, parseKeyring, readKeyring } from './keyring.ts';
import { keyIdOf, SEALED_MARK, type SecretBox } from './secret-box.ts';

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
