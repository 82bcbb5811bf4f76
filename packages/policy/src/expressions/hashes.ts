import { md5, sha1 } from '@noble/hashes/legacy.js';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { EvaluationError } from '@tollgate/cel';
import { bytesToBase64, bytesToHex, utf8ToBytes } from '@tollgate/diagnostics/portable';

type Digest = (bytes: Uint8Array) => Uint8Array;

/** By name in the catalog. */
export const HASHES: Readonly<Record<string, Digest>> = {
  crc32,
  crc64,
  xxhash64,
  md5: bytes => md5(bytes),
  sha1: bytes => sha1(bytes),
  sha256: bytes => sha256(bytes),
  sha512: bytes => sha512(bytes),
};

const BAD_FORMAT = new EvaluationError('eval/bad-hash-format', 'a hash format must be `hex` or `base64`');

/** Returns the hash of a string's UTF-8 bytes in the given format. */
export function hashString(digest: Digest, text: string, format: string): string | EvaluationError {
  if (format !== 'hex' && format !== 'base64') return BAD_FORMAT;
  const hash = digest(utf8ToBytes(text));
  return format === 'hex' ? bytesToHex(hash) : bytesToBase64(hash);
}

/** The reversed polynomial of IEEE 802.3. */
const POLYNOMIAL_32 = 0xedb88320;

/** Returns the CRC-32 of IEEE 802.3, as in zlib, big-endian. No lookup table: it would be built at every start, and few policies hash. */
function crc32(bytes: Uint8Array): Uint8Array {
  let sum = -1;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? POLYNOMIAL_32 : 0);
  }
  const found = new DataView(new ArrayBuffer(4));
  found.setUint32(0, ~sum >>> 0);
  return new Uint8Array(found.buffer);
}

/** Upper half of the reversed ISO 3309 polynomial; the lower half is 0. */
const POLYNOMIAL_HIGH = 0xd8000000;

/** Returns the CRC-64 of ISO 3309, big-endian. */
function crc64(bytes: Uint8Array): Uint8Array {
  // 64 bits do not fit into a number.
  let [high, low] = [0xffffffff, 0xffffffff];
  for (const byte of bytes) {
    low ^= byte;
    for (let bit = 0; bit < 8; bit++) {
      const isOdd = low & 1;
      low = (low >>> 1) | (high << 31);
      high = (high >>> 1) ^ (isOdd ? POLYNOMIAL_HIGH : 0);
    }
  }
  const sum = new DataView(new ArrayBuffer(8));
  sum.setUint32(0, ~high >>> 0);
  sum.setUint32(4, ~low >>> 0);
  return new Uint8Array(sum.buffer);
}

// https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md, XXH64 with seed 0; the steps are named as there.

const MASK = 0xffffffffffffffffn;
const PRIME_1 = 0x9e3779b185ebca87n;
const PRIME_2 = 0xc2b2ae3d27d4eb4fn;
const PRIME_3 = 0x165667b19e3779f9n;
const PRIME_4 = 0x85ebca77c2b2ae63n;
const PRIME_5 = 0x27d4eb2f165667c5n;
const STRIPE = 32;

/** Returns the XXH64 hash, big-endian. */
function xxhash64(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const whole = bytes.length - (bytes.length % STRIPE);
  const start = bytes.length < STRIPE ? PRIME_5 : mergeStripes(view, whole);
  const sum = new DataView(new ArrayBuffer(8));
  sum.setBigUint64(0, avalanche(consumeRest(view, whole, times(start + BigInt(bytes.length), 1n))));
  return new Uint8Array(sum.buffer);
}

function mergeStripes(view: DataView, end: number): bigint {
  const lanes = [PRIME_1 + PRIME_2, PRIME_2, 0n, -PRIME_1].map(lane => lane & MASK);
  for (let at = 0; at < end; at += STRIPE) {
    for (let lane = 0; lane < 4; lane++) lanes[lane] = round(lanes[lane]!, view.getBigUint64(at + lane * 8, true));
  }
  const rotations = [1n, 7n, 12n, 18n];
  const sum = lanes.reduce((total, lane, index) => total + rotate(lane, rotations[index]!), 0n) & MASK;
  return lanes.reduce((merged, lane) => times(merged ^ round(0n, lane), PRIME_1, PRIME_4), sum);
}

function consumeRest(view: DataView, from: number, start: bigint): bigint {
  let [at, sum] = [from, start];
  for (; at + 8 <= view.byteLength; at += 8) {
    sum = times(rotate(sum ^ round(0n, view.getBigUint64(at, true)), 27n), PRIME_1, PRIME_4);
  }
  if (at + 4 <= view.byteLength) {
    sum = times(rotate(sum ^ times(BigInt(view.getUint32(at, true)), PRIME_1), 23n), PRIME_2, PRIME_3);
    at += 4;
  }
  for (; at < view.byteLength; at++) sum = times(rotate(sum ^ times(BigInt(view.getUint8(at)), PRIME_5), 11n), PRIME_1);
  return sum;
}

function avalanche(sum: bigint): bigint {
  const first = times(sum ^ (sum >> 33n), PRIME_2);
  const second = times(first ^ (first >> 29n), PRIME_3);
  return second ^ (second >> 32n);
}

function round(lane: bigint, input: bigint): bigint {
  return times(rotate((lane + input * PRIME_2) & MASK, 31n), PRIME_1);
}

function rotate(value: bigint, by: bigint): bigint {
  return ((value << by) | (value >> (64n - by))) & MASK;
}

/** Multiplies and adds modulo 2^64. */
function times(value: bigint, factor: bigint, plus = 0n): bigint {
  return (value * factor + plus) & MASK;
}
