import type { GeoField } from '../record/geo-in-record.ts';

/** Variable names that location modules and their manuals use; users choose `$geoip2_…` names, mostly after the value. */
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

/** Returns the location field of a variable such as `geoip2_country_code` or `MM_COUNTRY_CODE`. */
export function placeIn(name: string): GeoField | undefined {
  const lower = name.toLowerCase();
  if (!/^(?:geoip2?|mm)_/.test(lower)) return undefined;
  return PLACES.find(([pattern]) => pattern.test(lower))?.[1];
}
