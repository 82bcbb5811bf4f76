import { randomFillSync } from 'node:crypto';

/** Seconds between the epochs of Unix and of KSUIDs. */
const EPOCH = 1_400_000_000;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 27;
const PAYLOAD_BITS = 128n;
const PAYLOAD_LIMIT = 1n << PAYLOAD_BITS;

/** Makes KSUIDs: 27 signs that sort as text by the second they were made in. */
export type KsuidSource = () => string;

/**
 * A source whose identifiers also sort by the order in which it made them: within a second, the random part grows by a
 * random step. A clock that goes back does not take the identifiers with it.
 */
export function createKsuidSource(now: () => number = Date.now): KsuidSource {
  let second = 0;
  let payload = 0n;
  return () => {
    const current = Math.floor(now() / 1000) - EPOCH;
    if (current > second) {
      second = current;
      payload = randomBits(16);
    } else {
      payload += 1n + randomBits(8);
      if (payload >= PAYLOAD_LIMIT) {
        second += 1;
        payload = randomBits(16) >> 1n;
      }
    }
    return encode((BigInt(second) << PAYLOAD_BITS) | payload);
  };
}

/** Whether a text has the form of a KSUID. */
export function isKsuid(text: string): boolean {
  return /^[0-9A-Za-z]{27}$/.test(text) && text <= 'aWgEPTl1tmebfsQzFP4bxwgy80V';
}

/** When a KSUID was made, in milliseconds since 1970, to the second. */
export function ksuidTime(ksuid: string): number {
  let value = 0n;
  for (const sign of ksuid) value = value * 62n + BigInt(ALPHABET.indexOf(sign));
  return (Number(value >> PAYLOAD_BITS) + EPOCH) * 1000;
}

function randomBits(bytes: number): bigint {
  return BigInt(`0x${randomFillSync(Buffer.alloc(bytes)).toString('hex')}`);
}

function encode(value: bigint): string {
  let rest = value;
  let text = '';
  while (text.length < LENGTH) {
    text = ALPHABET[Number(rest % 62n)] + text;
    rest /= 62n;
  }
  return text;
}
