import { describe, expect, it } from 'vitest';
import { nearest } from './did-you-mean.ts';

const GEO = ['CountryCode', 'Latitude', 'LatLongRadiusKm', 'Longitude'];

describe('nearest', () => {
  it.each([
    ['Countrycode', 'CountryCode'],
    ['Lattitude', 'Latitude'],
    ['Country', 'CountryCode'],
    ['country', 'CountryCode'],
    ['Lon', 'Longitude'],
  ])('takes `%s` for `%s`', (name, meant) => {
    expect(nearest(name, GEO)).toBe(meant);
  });

  it.each(['Lat', 'Co', 'City', 'CountryCodeOfTheClient'])('takes `%s` for none', name => {
    expect(nearest(name, GEO)).toBeUndefined();
  });

  it('prefers few slips to a beginning', () => {
    expect(nearest('Host', ['Hostname', 'Hots'])).toBe('Hots');
  });
});
