import { expect, it } from 'vitest';
import { canonicalHeaderName } from './explain-errors.ts';

it.each([
  ['user-agent', 'User-Agent'],
  ['x-API-key', 'X-Api-Key'],
  ['ETag', 'Etag'],
  ['__proto__', '__proto__'],
  ['bad name', 'bad name'],
  ['größe', 'größe'],
  ['-a--b', '-A--B'],
])('canonicalizes the header name %j to %j', (name, canonical) => {
  expect(canonicalHeaderName(name)).toBe(canonical);
});
