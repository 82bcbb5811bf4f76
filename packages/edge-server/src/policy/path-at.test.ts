import { expect, it } from 'vitest';
import { pathAt } from './path-at.ts';

const TEXT = '{"module":{"inbound":[{"expressions":["a","b c"]},{"actions":[{"type":"deny","config":{"x":1}}]}]}}';

it.each([
  ['"b c"', ['module', 'inbound', 0, 'expressions', 1]],
  ['deny', ['module', 'inbound', 1, 'actions', 0, 'type']],
  ['"x"', ['module', 'inbound', 1, 'actions', 0, 'config', 'x']],
  ['"config"', ['module', 'inbound', 1, 'actions', 0, 'config']],
])('finds the path of %s', (part, path) => {
  expect(pathAt(TEXT, TEXT.indexOf(part) + 1)).toEqual(path);
});

it('finds no path in an empty document', () => {
  expect(pathAt('', 0)).toEqual([]);
});
