import { expect, it } from 'vitest';
import { COUNTRY_CODES, MISTAKEN_COUNTRIES, SPECIAL_COUNTRIES } from './countries.ts';

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const PAIRS = LETTERS.flatMap(a => LETTERS.map(b => a + b));

/** Codes that have a name in the Unicode CLDR of Node, but are not assigned to a country by ISO 3166-1. */
const NOT_OF_ISO: ReadonlyMap<string, string> = new Map([
  ...['AC', 'CP', 'CQ', 'DG', 'EA', 'IC', 'TA'].map(
    code => [code, 'an island that ISO 3166-1 reserves the code for'] as const,
  ),
  ...['EU', 'EZ', 'UN'].map(code => [code, 'an organisation'] as const),
  ...['QO', 'XA', 'XB', 'XK', 'ZZ'].map(code => [code, 'a code for private use'] as const),
]);

/** Withdrawn codes and aliases have the name of their replacement. */
function isNamed(code: string): boolean {
  const canonical = new Intl.Locale(`und-${code}`).region;
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  return canonical === code && names.of(code) !== undefined;
}

it('country codes are those in the CLDR, except for its own additions', () => {
  const named = PAIRS.filter(code => isNamed(code) && !NOT_OF_ISO.has(code));
  const isOwn = (code: string) => new Intl.Locale(`und-${code}`).region !== code;
  expect({
    lacking: named.filter(code => !COUNTRY_CODES.has(code) && !isOwn(code)),
    tooMany: [...COUNTRY_CODES].filter(code => !named.includes(code)),
  }).toEqual({ lacking: [], tooMany: [] });
  expect(COUNTRY_CODES.size).toBe(249);
});

it('mistaken and special codes are not country codes, and map to one', () => {
  expect([...MISTAKEN_COUNTRIES.keys(), ...SPECIAL_COUNTRIES.keys()].filter(code => COUNTRY_CODES.has(code))).toEqual(
    [],
  );
  expect([...MISTAKEN_COUNTRIES.values()].filter(code => !COUNTRY_CODES.has(code))).toEqual([]);
  const renamed = [...MISTAKEN_COUNTRIES].filter(([code]) => /^(?:UK|FX|DD|SU|BU|ZR|TP)$/.test(code));
  expect(renamed.map(([code]) => new Intl.Locale(`und-${code}`).region)).toEqual(renamed.map(([, meant]) => meant));
});
