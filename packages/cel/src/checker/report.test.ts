import { describe, expect, it } from 'vitest';
import { nearest } from './report.ts';

const GEO = ['CountryCode', 'Latitude', 'LatLongRadiusKm', 'Longitude'];

describe('nearest', () => {
  it.each([
    ['Countrycode', 'CountryCode'],
    ['Lattitude', 'Latitude'],
    ['Country', 'CountryCode'],
    ['country', 'CountryCode'],
    ['Lon', 'Longitude'],
  ])('suggests `%s` for `%s`', (name, meant) => {
    expect(nearest(name, GEO)).toBe(meant);
  });

  it.each(['Lat', 'Co', 'City', 'CountryCodeOfTheClient'])('suggests nothing for `%s`', name => {
    expect(nearest(name, GEO)).toBeUndefined();
  });

  it('prefers a small edit distance to a common prefix', () => {
    expect(nearest('Host', ['Hostname', 'Hots'])).toBe('Hots');
  });
});
