import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { ExternalError } from '@tollgate/diagnostics';

const KEY_BYTES = 32;

/** The encryption keys, by identifier. */
export interface Keyring {
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
    const reason = cause instanceof Error ? cause.message : String(cause);
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
    const reason = cause instanceof Error ? cause.message : String(cause);
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
