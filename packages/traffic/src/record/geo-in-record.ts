import type { GeoFacts } from '../exchange/geo-facts.ts';
import { numberIn, stringIn } from './values/read-value.ts';

/** Location fields, with their names in records. */
export const GEO_FIELDS = [
  'country',
  'continent',
  'region',
  'city',
  'postal_code',
  'time_zone',
  'latitude',
  'longitude',
  'asn',
  'as_organization',
] as const;

/** One of {@link GEO_FIELDS}. */
export type GeoField = (typeof GEO_FIELDS)[number];

const CONTINENTS: Readonly<Record<string, string>> = {
  AF: 'Africa',
  AN: 'Antarctica',
  AS: 'Asia',
  EU: 'Europe',
  NA: 'North America',
  OC: 'Oceania',
  SA: 'South America',
};

/** Returns the recorded location of a client; undefined if there is none. */
export function geoIn(read: (field: GeoField) => unknown): GeoFacts | undefined {
  if (!GEO_FIELDS.some(field => (read(field) ?? undefined) !== undefined)) return undefined;
  const text = (field: GeoField) => stringIn(read(field)) || undefined;
  const [country, continent] = [text('country'), text('continent')];
  const isCode = country !== undefined && /^[A-Za-z]{2}$/.test(country);
  const facts: GeoFacts = {
    countryCode: isCode ? country.toUpperCase() : undefined,
    country: isCode ? undefined : country,
    continent: CONTINENTS[continent ?? ''] ?? continent,
    subdivision: text('region'),
    city: text('city'),
    postalCode: text('postal_code'),
    timeZone: text('time_zone'),
    latitude: degrees(read('latitude')),
    longitude: degrees(read('longitude')),
    asNumber: numberIn(stringIn(read('asn'))?.replace(/^AS/i, '')),
    asOrganization: text('as_organization'),
  };
  return isCode || Object.values(facts).some(value => value !== undefined) ? facts : undefined;
}

/** Returns a string as recorded, and a number with the decimals of location databases. */
function degrees(value: unknown): string | undefined {
  return typeof value === 'number' ? value.toFixed(4) : stringIn(value) || undefined;
}
