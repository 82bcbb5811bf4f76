import { parseIp } from '../runtime/network/parse-ip.ts';
import type { CidrRange } from '../values/value.ts';

/** Finds which of many address ranges contain an address, with one lookup for each prefix length. */
export class AddressIndex {
  /** Positions of ranges by their leading bits, per family and prefix length. */
  readonly #tables: Table[] = [];

  constructor(ranges: readonly CidrRange[]) {
    for (const [position, { ip, prefixLength }] of ranges.entries()) {
      const table = this.#tableOf(ip.bytes.length, prefixLength);
      const key = firstBits(ip.bytes, prefixLength);
      const known = table.positions.get(key);
      if (known === undefined) table.positions.set(key, [position]);
      else known.push(position);
    }
  }

  /** Adds the positions of the ranges that contain the address to `out`; returns false if the string is not an address. */
  find(text: string, out: number[]): boolean {
    const ip = parseIp(text);
    if (ip === undefined) return false;
    for (const { size, length, positions } of this.#tables) {
      if (size !== ip.bytes.length) continue;
      const found = positions.get(firstBits(ip.bytes, length));
      if (found !== undefined) out.push(...found);
    }
    return true;
  }

  #tableOf(size: number, length: number): Table {
    const known = this.#tables.find(table => table.size === size && table.length === length);
    if (known !== undefined) return known;
    const made = { size, length, positions: new Map<number | string, number[]>() };
    this.#tables.push(made);
    return made;
  }
}

interface Table {
  /** Bytes of an address. */
  readonly size: number;
  /** Bits of the prefix. */
  readonly length: number;
  readonly positions: Map<number | string, number[]>;
}

/** Returns a number for IPv4. */
function firstBits(bytes: Uint8Array, length: number): number | string {
  if (bytes.length === 4) {
    const address = ((bytes[0]! << 24) | (bytes[1]! << 16) | (bytes[2]! << 8) | bytes[3]!) >>> 0;
    return length === 0 ? 0 : address >>> (32 - length);
  }
  const whole = length >> 3;
  let key = '';
  for (let i = 0; i < whole; i++) key += String.fromCharCode(bytes[i]!);
  return length % 8 === 0 ? key : `${key}${bytes[whole]! >> (8 - (length % 8))}`;
}
