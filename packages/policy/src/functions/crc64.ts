/** The polynomial of ISO 3309, reversed: its upper and lower half. The lower one is 0. */
const POLYNOMIAL_HIGH = 0xd8000000;

/** For each byte, the upper and the lower half of its remainder: 64 bits do not fit in a number. */
const TABLE = Uint32Array.from({ length: 512 }, (_, index) => remainderOf(index >> 1)[index & 1]!);

function remainderOf(byte: number): readonly [high: number, low: number] {
  let [high, low] = [0, byte];
  for (let bit = 0; bit < 8; bit++) {
    const isOdd = low & 1;
    low = (low >>> 1) | (high << 31);
    high = (high >>> 1) ^ (isOdd ? POLYNOMIAL_HIGH : 0);
  }
  return [high >>> 0, low >>> 0];
}

/** CRC-64 as of ISO 3309, big-endian. */
export function crc64(bytes: Uint8Array): Uint8Array {
  let [high, low] = [0xffffffff, 0xffffffff];
  for (const byte of bytes) {
    const at = ((low ^ byte) & 0xff) << 1;
    low = ((low >>> 8) | (high << 24)) ^ TABLE[at + 1]!;
    high = (high >>> 8) ^ TABLE[at]!;
  }
  const sum = new DataView(new ArrayBuffer(8));
  sum.setUint32(0, ~high >>> 0);
  sum.setUint32(4, ~low >>> 0);
  return new Uint8Array(sum.buffer);
}
