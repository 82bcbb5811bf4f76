import { isIP } from 'node:net';
import { ExternalError } from '@tollgate/diagnostics';
import { normalizeAddress } from '../exchange/address.ts';
import type { GeoFacts, LocateAddress } from '../exchange/geo-facts.ts';
import { openFile } from '../input/byte-source.ts';
import { recordReader } from './geo-record.ts';

/** The number of addresses whose locations are cached: decoding a record takes about ten times as long as a look-up. */
const KEPT = 50_000;

/**
 * Loads MaxMind DB files into memory and returns a look-up in all of them; the first one that knows a field wins. Throws an `ExternalError`:
 * `file/…`, or `traffic/malformed-geo-database` for a file that is not such a database or, during a look-up, a damaged one.
 */
export async function openGeoDatabases(files: readonly string[]): Promise<LocateAddress> {
  const databases = await Promise.all(files.map(openDatabase));
  const kept = new Map<string, GeoFacts>();
  return address => {
    const known = kept.get(address);
    if (known !== undefined) return known;
    const facts: GeoFacts = Object.assign({}, ...databases.map(locate => locate(address)).reverse());
    if (kept.size >= KEPT) kept.clear();
    kept.set(address, facts);
    return facts;
  };
}

async function openDatabase(file: string): Promise<LocateAddress> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of openFile(file)) chunks.push(Buffer.from(chunk));
  // Loaded on demand, because most replays do not need it.
  const { Reader } = await import('mmdb-lib');
  return guarded(file, () => {
    const content = Buffer.concat(chunks);
    const reader = new Reader(content);
    const { databaseType, ipVersion, searchTreeSize } = reader.metadata;
    if (!(searchTreeSize < content.length)) throw new RangeError('its search tree is cut off');
    const read = recordReader(databaseType);
    return address => guarded(file, () => read(find(reader, address, ipVersion)));
  });
}

/** The reader accepts any string as an address, and walks an IPv4 tree by the bits of an IPv6 address. */
function find(reader: { get(address: string): unknown }, address: string, ipVersion: number): unknown {
  const known = normalizeAddress(address) ?? '';
  const version = isIP(known);
  return version === 0 || version > ipVersion ? undefined : reader.get(known);
}

function guarded<T>(file: string, run: () => T): T {
  try {
    return run();
  } catch (cause) {
    if (cause instanceof ExternalError) throw cause;
    const reason = 'expected an undamaged MaxMind DB file';
    throw new ExternalError('traffic/malformed-geo-database', `cannot read \`${file}\`: ${reason}`, { cause });
  }
}
