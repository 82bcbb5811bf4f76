import { expect, it } from 'vitest';
import { pathFinder } from './path-finder.ts';

const TEXT = '{"module":{"inbound":[{"expressions":["a","b c"]},{"actions":[{"type":"deny","config":{"x":1}}]}]}}';

it.each([
  ['"b c"', ['module', 'inbound', 0, 'expressions', 1]],
  ['deny', ['module', 'inbound', 1, 'actions', 0, 'type']],
  ['"x"', ['module', 'inbound', 1, 'actions', 0, 'config', 'x']],
  ['"config"', ['module', 'inbound', 1, 'actions', 0, 'config']],
])('finds the path of %s', (part, path) => {
  expect(pathFinder(TEXT)(TEXT.indexOf(part) + 1)).toEqual(path);
});

it('finds no path in an empty document', () => {
  expect(pathFinder('')(0)).toEqual([]);
});

it('finds the path of every value and key of a document', () => {
  const find = pathFinder(TEXT);
  const at = (offset: number) =>
    find(offset).reduce<unknown>((value, key) => Reflect.get(Object(value), key), JSON.parse(TEXT));
  for (const { index, 0: text } of TEXT.matchAll(/(?<=[:,[])(?:"[^"]*"|\d+)(?!:)/g))
    expect(at(index)).toBe(JSON.parse(text));
  for (const { index, 1: key } of TEXT.matchAll(/"([^"]*)":/g)) expect(find(index + 1).at(-1)).toBe(key);
});

it('parses a document once for all of its paths', () => {
  const rules = Array.from({ length: 2000 }, (_, index) => ({ expressions: [`${index}`] }));
  const text = JSON.stringify({ inbound: rules });
  const find = pathFinder(text);
  const paths = [...text.matchAll(/"\d+"/g)].map(({ index }) => find(index + 1));
  expect(paths).toEqual(rules.map((_, index) => ['inbound', index, 'expressions', 0]));
});
