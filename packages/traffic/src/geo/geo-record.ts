import type { GeoFacts } from '../exchange/geo-facts.ts';
import { isRecord, numberOf, textOf } from '../input/json.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Fields of {@link GeoFacts} that are texts. */
type TextField = {
  readonly [Name in keyof GeoFacts]-?: NonNullable<GeoFacts[Name]> extends string ? Name : never;
}[keyof GeoFacts];

/** What every database of a kind holds of the addresses that it knows; those that lack it are known to have none. */
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
 * Gives how records of a database are read, in the layout of MaxMind's own and of those that follow it. What databases of the kind hold, by
 * their type, and a record lacks, is empty; of other types, only what a record holds is known.
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
    ...placeOf(record),
    countryCode: text(country, 'iso_code'),
    country: name(country),
    isInEu: flag(country),
    registeredCountryCode: text(registered, 'iso_code'),
    registeredCountry: name(registered),
    isRegisteredInEu: flag(registered),
    timeZone: text(location, 'time_zone'),
    metroCode: number(location, 'metro_code')?.toString(),
    // Databases hold four decimals.
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

function placeOf({ continent, subdivisions, city, postal }: Fields) {
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

/** Left out of records where it is false. */
function flag(record: unknown): boolean | undefined {
  return isRecord(record) ? record.is_in_european_union === true : undefined;
}
