import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { ExternalError } from '@tollgate/diagnostics';

const KEY_BYTES = 32;

/** The keys that secrets are encrypted with, by their identifiers. */
export interface Keyring {
  /** The one that new secrets are encrypted with. */
  readonly current: string;
  readonly keys: ReadonlyMap<string, Buffer>;
}

/**
 * Reads keys of 32 bytes in base64, one a line. The first encrypts, all decrypt, so that a new one is put on top. Empty
 * lines and those that begin with `#` are nothing.
 *
 * @param origin how messages call the place that the text is from
 * @throws ExternalError `settings/secret-key`; its message never holds a key
 */
export function parseKeyring(text: string, origin: string): Keyring {
  const lines = text.split(/\r?\n/).map((line, index) => ({ text: line.trim(), number: index + 1 }));
  const keys = new Map<string, Buffer>();
  for (const line of lines) {
    if (line.text === '' || line.text.startsWith('#')) continue;
    const key = Buffer.from(line.text, 'base64');
    if (key.length !== KEY_BYTES || !/^[A-Za-z0-9+/]{43}=?$/.test(line.text)) {
      throw invalid(
        `${origin}, line ${line.number}: expected ${KEY_BYTES} bytes in base64, found ${line.text.length} signs`,
      );
    }
    keys.set(identify(key), key);
  }
  const [current] = keys.keys();
  if (current === undefined) throw invalid(`${origin} holds no key`);
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

/** Makes a file with a new key that only its owner may read; one that another process has just made is left as it is. */
export function makeKeyFile(path: string): void {
  try {
    writeFileSync(path, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') return;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ExternalError('settings/secret-key', `cannot make the key file \`${path}\`: ${reason}`, { cause });
  }
}

/** Says nothing about the key to those who do not have it. */
function identify(key: Buffer): string {
  return createHash('sha256').update('tollgate key id').update(key).digest('hex').slice(0, 8);
}

function invalid(message: string): ExternalError {
  return new ExternalError('settings/secret-key', message);
}
