import { expect, test } from 'vitest';
import { BoundedCache } from './context.ts';

test('creates each value once while it fits, and drops the least recently used one', () => {
  const cache = new BoundedCache<string>(2);
  const made: string[] = [];
  const make = (text: string) => {
    made.push(text);
    return text.toUpperCase();
  };
  const got = ['a', 'b', 'a', 'c', 'a', 'b'].map(text => cache.get(text, make));
  expect(got).toEqual(['A', 'B', 'A', 'C', 'A', 'B']);
  expect(made).toEqual(['a', 'b', 'c', 'b']);
});

test('does not cache very long strings', () => {
  const cache = new BoundedCache<object>(2);
  const long = 'a'.repeat(1001);
  expect(cache.get(long, () => ({}))).not.toBe(cache.get(long, () => ({})));
});
