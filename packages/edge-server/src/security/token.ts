import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { isKsuid } from '../store/port/ksuid.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 125 bits. */
const SECRET_LENGTH = 21;

/** The two parts of a token. */
interface Token {
  /** The KSUID in the identifier of the key. */
  readonly ksuid: string;
  readonly secret: string;
}

/** Generates the token of a new key: `<ksuid>_<secret>`. */
export function makeToken(ksuid: string): string {
  let secret = '';
  while (secret.length < SECRET_LENGTH) secret += ALPHABET[randomInt(ALPHABET.length)];
  return `${ksuid}_${secret}`;
}

/** Parses a token; undefined if malformed. */
export function parseToken(text: string): Token | undefined {
  const [, ksuid = '', secret = ''] = /^([0-9A-Za-z]{27})_([0-9A-Za-z]{21})$/.exec(text) ?? [];
  return isKsuid(ksuid) ? { ksuid, secret } : undefined;
}

/**
 * Returns the hash of a token for the store. One round of SHA-256 is enough for 125 random bits: a slow hash protects guessable secrets and
 * would let anyone cost the server 50 ms per request.
 */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Returns true if the hash is that of the token. Takes the same time wherever they differ. */
export function isHashOf(hash: string, token: string): boolean {
  const expected = Buffer.from(hash, 'hex');
  const found = Buffer.from(hashToken(token), 'hex');
  return expected.length === found.length && timingSafeEqual(expected, found);
}
