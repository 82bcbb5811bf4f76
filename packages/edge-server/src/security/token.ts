import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { isKsuid } from '../store/port/ksuid.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 125 bits. */
const SECRET_LENGTH = 21;

/** A token in its two parts. */
export interface Token {
  /** The KSUID that the identifier of its key has too. */
  readonly ksuid: string;
  readonly secret: string;
}

/** The token of a new key: `<ksuid>_<secret>`. */
export function makeToken(ksuid: string): string {
  let secret = '';
  while (secret.length < SECRET_LENGTH) secret += ALPHABET[randomInt(ALPHABET.length)];
  return `${ksuid}_${secret}`;
}

/** The parts of what has the form of a token. */
export function parseToken(text: string): Token | undefined {
  const [, ksuid = '', secret = ''] = /^([0-9A-Za-z]{27})_([0-9A-Za-z]{21})$/.exec(text) ?? [];
  return isKsuid(ksuid) ? { ksuid, secret } : undefined;
}

/**
 * What the store keeps in place of a token. One round of SHA-256 is enough: a slow hash protects secrets that can be guessed,
 * and would let anyone make the server work for 50 ms a request; this one has 125 random bits.
 */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Takes the same time wherever the texts differ. */
export function isHashOf(hash: string, token: string): boolean {
  const expected = Buffer.from(hash, 'hex');
  const found = Buffer.from(hashToken(token), 'hex');
  return expected.length === found.length && timingSafeEqual(expected, found);
}
