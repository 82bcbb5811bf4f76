/** Databases in MaxMind's format, which locate the addresses of clients. */
import { isIP } from 'node:net';
import { ExternalError } from '@tollgate/diagnostics';
import { type GeoFacts, type LocateAddress, normalizeAddress } from '@tollgate/traffic';
import { isRecord, numberOf, textOf } from '@tollgate/traffic/reading';
import { openFile } from './open-file.ts';

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

type Fields = Readonly<Record<string, unknown>>;

/** The string fields of {@link GeoFacts}. */
type TextField = {
  readonly [Name in keyof GeoFacts]-?: NonNullable<GeoFacts[Name]> extends string ? Name : never;
}[keyof GeoFacts];

/** The fields that every database of a kind covers; an address without them is known to have none. */
interface Coverage {
  readonly kind: RegExp;
  readonly texts: readonly TextField[];
  readonly isEu: boolean;
}

const COUNTRY = ['countryCode', 'country', 'continent', 'registeredCountryCode', 'registeredCountry'] as const;
const CITY = [
  ...COUNTRY,
  ...(['subdivision', 'city', 'postalCode', 'metroCode', 'timeZone', 'latitude', 'longitude', 'radius'] as const),
];

const COVERAGES: readonly Coverage[] = [
  { kind: /Country/i, texts: COUNTRY, isEu: true },
  { kind: /City|Insights|Precision/i, texts: CITY, isEu: true },
  { kind: /Enterprise/i, texts: [...CITY, 'asOrganization'], isEu: true },
  { kind: /ASN|ISP/i, texts: ['asOrganization'], isEu: false },
];

/**
 * Returns a reader for records of a database in MaxMind's layout. If a database of this type covers a field and a record lacks it, the field
 * is empty; for other types, only the fields of a record are known.
 */
function recordReader(databaseType: string): (record: unknown) => GeoFacts {
  const coverage = COVERAGES.find(({ kind }) => kind.test(databaseType));
  const empty: Record<string, string | boolean> = Object.fromEntries((coverage?.texts ?? []).map(name => [name, '']));
  if (coverage?.isEu === true) Object.assign(empty, { isInEu: false, isRegisteredInEu: false });
  return record => (isRecord(record) ? { ...empty, ...held(record) } : empty);
}

function held(record: Fields): GeoFacts {
  const { country, registered_country: registered, location, traits } = record;
  const facts: Record<keyof GeoFacts, string | number | boolean | undefined> = {
    ...locationOf(record),
    countryCode: text(country, 'iso_code'),
    country: name(country),
    isInEu: flag(country),
    registeredCountryCode: text(registered, 'iso_code'),
    registeredCountry: name(registered),
    isRegisteredInEu: flag(registered),
    timeZone: text(location, 'time_zone'),
    metroCode: number(location, 'metro_code')?.toString(),
    // Databases have four decimals.
    latitude: number(location, 'latitude')?.toFixed(4),
    longitude: number(location, 'longitude')?.toFixed(4),
    radius: number(location, 'accuracy_radius')?.toString(),
    asNumber: number(record, AS_NUMBER) ?? number(traits, AS_NUMBER),
    asOrganization: text(record, AS_ORGANIZATION) ?? text(traits, AS_ORGANIZATION),
  };
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}

const AS_NUMBER = 'autonomous_system_number';
const AS_ORGANIZATION = 'autonomous_system_organization';

function locationOf({ continent, subdivisions, city, postal }: Fields) {
  return {
    continent: name(continent),
    subdivision: name(Array.isArray(subdivisions) ? subdivisions[0] : undefined),
    city: name(city),
    postalCode: text(postal, 'code'),
  };
}

function name(record: unknown): string | undefined {
  return isRecord(record) ? text(record.names, 'en') : undefined;
}

function text(record: unknown, key: string): string | undefined {
  return isRecord(record) ? textOf(record[key]) : undefined;
}

function number(record: unknown, key: string): number | undefined {
  return isRecord(record) ? numberOf(record[key]) : undefined;
}

/** Records omit it if it is false. */
function flag(record: unknown): boolean | undefined {
  return isRecord(record) ? record.is_in_european_union === true : undefined;
}
