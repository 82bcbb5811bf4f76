import { isIP } from 'node:net';
import { ExternalError } from '@tollgate/diagnostics';
import type { GeoFacts, LocateAddress } from '../exchange/geo-facts.ts';
import { openFile } from '../input/byte-source.ts';
import { normalizeAddress } from '../record/values/address.ts';
import { recordReader } from './geo-record.ts';

/** Addresses whose facts are kept: decoding a record takes some ten times longer than finding it here. */
const KEPT = 50_000;

/**
 * Reads MaxMind DB files into memory and gives what they know of addresses together; of what two of them know, the first counts. Throws a
 * `ExternalError`: `file/…`, or `traffic/malformed-geo-database` for a file that is no such database or, later, one that is damaged.
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
  // Loaded where it is needed only: most replays need none.
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

/** The reader takes any text for an address, and walks a tree of IPv4 by the bits of IPv6. */
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
    const reason = 'expected a MaxMind DB file, undamaged';
    throw new ExternalError('traffic/malformed-geo-database', `cannot read \`${file}\`: ${reason}`, { cause });
  }
}
