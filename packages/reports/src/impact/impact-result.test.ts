import { expect, it } from 'vitest';
import { transitionFigures } from './impact-result.ts';

const NO_KEYS = { top: [], distinct: 0, unknown: 0 };

it.each([
  ['2 exchanges, 2 clients', [2, 2], 2, 0],
  ['1 exchange, 1 client', [1, 1], 1, 0],
  ['3 exchanges, at least 2 clients', [3, 3], 2, 1],
  ['2–5 exchanges, at least 1 client', [2, 5], 1, 0],
  ['0–5 exchanges', [0, 5], 0, 0],
  ['3 exchanges', [3, 3], 0, 3],
  ['50,000 exchanges, more than 20,000 clients', [50_000, 50_000], undefined, 0],
  ['50,000–60,000 exchanges, more than 20,000 clients', [50_000, 60_000], undefined, 0],
] as const)('says %s', (text, [least, most], distinct, unknown) => {
  const keys = { clients: { top: [], distinct, unknown }, paths: NO_KEYS, prefixes: NO_KEYS, countries: NO_KEYS };
  expect(transitionFigures({ count: { least, most }, keys })).toBe(text);
});
