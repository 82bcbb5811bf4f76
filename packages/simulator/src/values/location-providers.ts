import type { GeoFacts } from '@tollgate/traffic';
import { ifRecorded, type Providers } from './provide.ts';

type Rows = Readonly<Record<string, keyof GeoFacts>>;

const PLACE: Rows = {
  city: 'city',
  country: 'country',
  country_code: 'countryCode',
  latitude: 'latitude',
  longitude: 'longitude',
  radius: 'radius',
  subdivision: 'subdivision',
};

/** The client's location, with the names of all profiles. */
export const LOCATION_PROVIDERS: Providers = {
  ...below('conn.Geo', {
    CountryCode: 'countryCode',
    Latitude: 'latitude',
    Longitude: 'longitude',
    LatLongRadiusKm: 'radius',
  }),
  ...below('conn.geo', PLACE),
  ...below('conn.client_ip.as', { number: 'asNumber', organization: 'asOrganization' }),
  ...below('conn.client_ip.geo.location', {
    ...PLACE,
    continent: 'continent',
    is_eu: 'isInEu',
    metro_code: 'metroCode',
    postal_code: 'postalCode',
    timezone: 'timeZone',
  }),
  ...below('conn.client_ip.geo.registered_location', {
    country: 'registeredCountry',
    country_code: 'registeredCountryCode',
    is_eu: 'isRegisteredInEu',
  }),
};

function below(path: string, rows: Rows): Providers {
  return Object.fromEntries(
    Object.entries(rows).map(([name, field]) => ifRecorded(`${path}.${name}`, ({ exchange }) => exchange.geo?.[field])),
  );
}
