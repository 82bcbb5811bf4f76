import { isIP } from 'node:net';

/** Values that a record may hold. */
type GeoValue = string | number | boolean | readonly GeoValue[] | { readonly [key: string]: GeoValue };

/** A database to be written. */
export interface GeoDatabase {
  /** `GeoLite2-City`. */
  readonly type: string;
  /** What it holds of networks such as `192.0.2.0/24`. */
  readonly networks: Readonly<Record<string, GeoValue>>;
}

const MARKER = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
const SEPARATOR_BYTES = 16;

type Tree = [left: Tree | number | undefined, right: Tree | number | undefined];

/** Writes a file in the format MaxMind DB, version 2.0, with a tree of IPv6 in which IPv4 stands below `::/96`. */
export function geoDatabase({ type, networks }: GeoDatabase): Buffer {
  const root: Tree = [undefined, undefined];
  const data: Buffer[] = [];
  let dataLength = 0;
  for (const [network, value] of Object.entries(networks)) {
    insert(root, bitsOf(network), dataLength);
    data.push(encode(value));
    dataLength += data.at(-1)!.length;
  }
  const tree = writeTree(root);
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_767_225_600,
    database_type: type,
    description: { en: 'made for a test' },
    ip_version: 6,
    languages: ['en'],
    node_count: tree.length / 6,
    record_size: 24,
  });
  return Buffer.concat([tree, Buffer.alloc(SEPARATOR_BYTES), ...data, MARKER, metadata]);
}

function bitsOf(network: string): number[] {
  const [address, length] = network.split('/') as [string, string];
  const isShort = isIP(address) === 4;
  const bytes = isShort ? [...Array<number>(12).fill(0), ...address.split('.').map(Number)] : bytesOf(address);
  const bits = bytes.flatMap(byte => Array.from({ length: 8 }, (_, at) => (byte >> (7 - at)) & 1));
  return bits.slice(0, Number(length) + (isShort ? 96 : 0));
}

function bytesOf(address: string): number[] {
  const [left = '', right] = address.split('::');
  const groups = (text = '') => (text === '' ? [] : text.split(':').map(group => Number.parseInt(group, 16)));
  const gap = right === undefined ? 0 : 8 - groups(left).length - groups(right).length;
  return [...groups(left), ...Array<number>(gap).fill(0), ...groups(right)].flatMap(group => [group >> 8, group & 255]);
}

function insert(root: Tree, bits: readonly number[], offset: number): void {
  let node = root;
  for (const bit of bits.slice(0, -1)) {
    const next = node[bit] ?? [undefined, undefined];
    if (typeof next === 'number') throw new Error('networks overlap');
    node[bit] = next;
    node = next;
  }
  node[bits.at(-1)!] = offset;
}

function writeTree(root: Tree): Buffer {
  const nodes: Tree[] = [root];
  for (const node of nodes) for (const child of node) if (typeof child === 'object') nodes.push(child);
  const index = new Map(nodes.map((node, at) => [node, at]));
  const bytes = Buffer.alloc(nodes.length * 6);
  nodes.forEach((node, at) => {
    node.forEach((child, side) => {
      const leaf = typeof child === 'number' ? nodes.length + SEPARATOR_BYTES + child : nodes.length;
      bytes.writeUIntBE(typeof child === 'object' ? index.get(child)! : leaf, at * 6 + side * 3, 3);
    });
  });
  return bytes;
}

const [TEXT, DOUBLE, UINT32, MAP, ARRAY, BOOLEAN] = [2, 3, 6, 7, 11, 14];

function encode(value: GeoValue): Buffer {
  if (typeof value === 'string') return Buffer.concat([control(TEXT, Buffer.byteLength(value)), Buffer.from(value)]);
  if (typeof value === 'boolean') return control(BOOLEAN, Number(value));
  if (typeof value === 'number') return encodeNumber(value);
  if (isList(value)) return Buffer.concat([control(ARRAY, value.length), ...value.map(encode)]);
  const entries = Object.entries(value);
  return Buffer.concat([control(MAP, entries.length), ...entries.flatMap(([key, one]) => [encode(key), encode(one)])]);
}

function isList(value: object): value is readonly GeoValue[] {
  return Array.isArray(value);
}

function encodeNumber(value: number): Buffer {
  const isWhole = Number.isInteger(value) && value >= 0;
  const bytes = Buffer.alloc(isWhole ? 4 : 8);
  if (isWhole) bytes.writeUInt32BE(value);
  else bytes.writeDoubleBE(value);
  return Buffer.concat([control(isWhole ? UINT32 : DOUBLE, bytes.length), bytes]);
}

/** Types above 7 stand in a byte of their own; sizes from 29 to 284 have one more byte. */
function control(type: number, size: number): Buffer {
  const low = Math.min(size, 29);
  const first = type > 7 ? [low, type - 7] : [(type << 5) | low];
  return Buffer.from(size < 29 ? first : [...first, size - 29]);
}
