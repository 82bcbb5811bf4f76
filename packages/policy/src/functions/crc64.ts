/** Upper half of the reversed ISO 3309 polynomial; the lower half is 0. */
const POLYNOMIAL_HIGH = 0xd8000000;

/** Returns the CRC-64 of ISO 3309, big-endian. No lookup table: it would be built at every start, and few policies hash. */
export function crc64(bytes: Uint8Array): Uint8Array {
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
