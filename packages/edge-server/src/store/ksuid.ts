// Identifiers that sort by the time of creation.

import { randomFillSync } from 'node:crypto';

/** Seconds between the Unix epoch and the KSUID epoch. */
const EPOCH = 1_400_000_000;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PAYLOAD_BITS = 128n;
/** Digits that fit into a safe integer: arithmetic on bigints, for each of which memory is allocated, costs five times as much. */
const CHUNK = 8;
const CHUNK_SIZE = 62 ** CHUNK;

/** Generates KSUIDs: 27 characters that sort by the second of their creation. */
export type KsuidSource = () => string;

/**
 * Creates a source whose identifiers also sort by creation within a second, because the random part grows by a random step of up to 63 bits,
 * and when the clock goes back.
 */
export function createKsuidSource(now: () => number = Date.now): KsuidSource {
  const random = createRandomBytes();
  let second = 0;
  let [head, middle, last] = ['', 0, 0];
  const begin = (value: bigint): void => {
    const size = BigInt(CHUNK_SIZE);
    second = Number(value >> PAYLOAD_BITS);
    last = Number(value % size);
    middle = Number((value / size) % size);
    head = digits(Number(value / size ** 3n), 3) + digits(Number((value / size ** 2n) % size), CHUNK);
  };
  return () => {
    const current = Math.floor(now() / 1000) - EPOCH;
    if (current > second) {
      // Half of the range is left for steps.
      const payload = BigInt(`0x${random(16).toString('hex')}`) >> 1n;
      begin((BigInt(current) << PAYLOAD_BITS) | payload);
    } else {
      const bytes = random(8);
      last += 1 + bytes.readUIntLE(0, 6);
      middle += bytes.readUInt16LE(6) + Math.floor(last / CHUNK_SIZE);
      last %= CHUNK_SIZE;
      if (middle >= CHUNK_SIZE)
        begin(parsed(head) * BigInt(CHUNK_SIZE) ** 2n + BigInt(middle) * BigInt(CHUNK_SIZE) + BigInt(last));
    }
    return head + digits(middle, CHUNK) + digits(last, CHUNK);
  };
}

/** Returns true if the string has the form of a KSUID. */
export function isKsuid(text: string): boolean {
  return /^[0-9A-Za-z]{27}$/.test(text) && text <= 'aWgEPTl1tmebfsQzFP4bxwgy80V';
}

function parsed(text: string): bigint {
  let value = 0n;
  for (const digit of text) value = value * 62n + BigInt(ALPHABET.indexOf(digit));
  return value;
}

function digits(value: number, length: number): string {
  let rest = value;
  let text = '';
  for (let count = 0; count < length; count += 1) {
    text = ALPHABET[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

/** The number of random bytes fetched at a time, because each fetch costs microseconds. */
const POOL_SIZE = 4096;

/** Creates a source of random bytes. They are valid until the next call. */
function createRandomBytes(): (count: number) => Buffer {
  const pool = Buffer.alloc(POOL_SIZE);
  let used = POOL_SIZE;
  return count => {
    if (used + count > POOL_SIZE) {
      randomFillSync(pool);
      used = 0;
    }
    used += count;
    return pool.subarray(used - count, used);
  };
}
