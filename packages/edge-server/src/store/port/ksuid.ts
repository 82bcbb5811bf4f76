import { randomFillSync } from 'node:crypto';

/** Seconds between the Unix epoch and the KSUID epoch. */
const EPOCH = 1_400_000_000;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 27;
const PAYLOAD_BITS = 128n;
const PAYLOAD_LIMIT = 1n << PAYLOAD_BITS;

/** Generates KSUIDs: 27 characters that sort by the second of their creation. */
export type KsuidSource = () => string;

/**
 * Creates a source whose identifiers also sort by creation within a second, because the random part grows by a random step, and when the
 * clock goes back.
 */
export function createKsuidSource(now: () => number = Date.now): KsuidSource {
  const randomBits = createRandomBits();
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

/** Returns true if the string has the form of a KSUID. */
export function isKsuid(text: string): boolean {
  return /^[0-9A-Za-z]{27}$/.test(text) && text <= 'aWgEPTl1tmebfsQzFP4bxwgy80V';
}

/** Returns the creation time of a KSUID in milliseconds since 1970, with a resolution of one second. */
export function ksuidTime(ksuid: string): number {
  let value = 0n;
  for (const sign of ksuid) value = value * 62n + BigInt(ALPHABET.indexOf(sign));
  return (Number(value >> PAYLOAD_BITS) + EPOCH) * 1000;
}

/** The number of random bytes fetched at a time, because each fetch costs microseconds. */
const POOL_SIZE = 4096;

/** Creates a source of random numbers with this many bytes, a multiple of 8. */
function createRandomBits(): (bytes: number) => bigint {
  const pool = Buffer.alloc(POOL_SIZE);
  let used = POOL_SIZE;
  return bytes => {
    if (used + bytes > POOL_SIZE) {
      randomFillSync(pool);
      used = 0;
    }
    let bits = 0n;
    for (const end = used + bytes; used < end; used += 8) bits = (bits << 64n) | pool.readBigUInt64BE(used);
    return bits;
  };
}

/** The number of digits that fit into a safe integer; arithmetic on bigints is slow. */
const CHUNK = 8;
const CHUNK_SIZE = 62n ** BigInt(CHUNK);

function encode(value: bigint): string {
  let rest = value;
  let text = '';
  while (text.length < LENGTH) {
    let chunk = Number(rest % CHUNK_SIZE);
    rest /= CHUNK_SIZE;
    for (let digits = 0; digits < CHUNK && text.length < LENGTH; digits += 1) {
      text = ALPHABET[chunk % 62] + text;
      chunk = Math.floor(chunk / 62);
    }
  }
  return text;
}
