import type { GeoField } from '../record/geo-in-record.ts';

/**
 * The names that the modules for databases of places and their manuals give to variables; `$geoip2_…` are named by users, mostly after
 * what they hold.
 */
const PLACES: readonly (readonly [pattern: RegExp, field: GeoField])[] = [
  [/country_(?:iso_)?code$/, 'country'],
  [/continent_(?:code|name)$/, 'continent'],
  [/(?:region|subdivision)_name$/, 'region'],
  [/city(?:_name)?$/, 'city'],
  [/postal_code$/, 'postal_code'],
  [/(?:timezone|time_zone)$/, 'time_zone'],
  [/latitude$/, 'latitude'],
  [/longitude$/, 'longitude'],
  [/(?:asn|as_number|autonomous_system_number)$/, 'asn'],
];

/** Which place a variable is, such as `geoip2_country_code` or `MM_COUNTRY_CODE`. */
export function placeIn(name: string): GeoField | undefined {
  const lower = name.toLowerCase();
  if (!/^(?:geoip2?|mm)_/.test(lower)) return undefined;
  return PLACES.find(([pattern]) => pattern.test(lower))?.[1];
}
