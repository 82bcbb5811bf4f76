import type { GeoFacts } from '../exchange/geo-facts.ts';
import { isRecord, numberOf, textOf } from '../input/json.ts';

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
export function recordReader(databaseType: string): (record: unknown) => GeoFacts {
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
