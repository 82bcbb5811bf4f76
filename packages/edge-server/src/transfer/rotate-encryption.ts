import { existsSync } from 'node:fs';
import { keyringOf, proveKeys, renewTest } from '../security/database-keys.ts';
import { makeKeyFile } from '../security/keyring.ts';
import { createSecretBox } from '../security/secret-box.ts';
import { ANSWERS_KEPT } from '../service/operations/write-once.ts';
import { type Rotation, rotateSecrets } from '../service/records/reseal-secrets.ts';
import type { ServerSettings } from '../settings/server-settings.ts';
import { isPostgres } from '../store/open-store.ts';
import type { Store } from '../store/port/store.ts';

/** The result of a rotation of encryption keys. */
export interface EncryptionRotation extends Rotation {
  /** The identifier of the key that all readable secrets are encrypted with now. */
  readonly keyId: string;
  /** The identifiers of the other keys that were given, which no secret needs any more. */
  readonly spareKeys: readonly string[];
  /** Until when answers to repeated requests may need them, in milliseconds since 1970; undefined if there are none. */
  readonly neededUntil: number | undefined;
}

/** What a rotation may do. */
interface RotationOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether secrets may be given up whose key is lost; if the key file is missing, it is created. */
  readonly giveUp: boolean;
}

/**
 * Encrypts the secrets of a database with the first of the given keys. Servers that use the database must have that key already.
 *
 * @throws ExternalError `settings/secret-key` if a key is missing, unless secrets may be given up
 */
export async function rotateEncryption(
  store: Store,
  settings: Pick<ServerSettings, 'database' | 'secretKeyFile'>,
  { env, giveUp }: RotationOptions,
): Promise<EncryptionRotation> {
  const { database, secretKeyFile } = settings;
  const isByDefault = env.TOLLGATE_SECRET_KEY === undefined && secretKeyFile === '' && !isPostgres(database);
  if (giveUp && isByDefault && !existsSync(`${database}.key`)) makeKeyFile(`${database}.key`);
  const keyring = await keyringOf(settings, env, store);
  const box = createSecretBox(keyring);
  if (!giveUp) await proveKeys(store, box);
  const rotation = await rotateSecrets({ store, box });
  await renewTest(store, box);
  const latest = await store.latestAnswer();
  const spareKeys = [...keyring.keys.keys()].filter(id => id !== keyring.current);
  return { ...rotation, keyId: keyring.current, spareKeys, neededUntil: latest && latest + ANSWERS_KEPT };
}
