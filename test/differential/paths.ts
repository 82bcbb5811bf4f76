import fc from 'fast-check';

/** The fields of the object types of the differential tests with their types, by type name. */
export const FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Person: {
    name: 'string',
    age: 'int',
    rate: 'double',
    tags: 'list(string)',
    home: 'Place',
    scores: 'map(string, int)',
  },
  Place: { city: 'string', rooms: 'list(Room)', open: 'bool' },
  Room: { size: 'int', names: 'map(string, string)' },
};

const KEYS = ['.a', '.b', '.ab', '["a"]', '["x-key"]', '.toString'];
const POSITIONS = ['[0]', '[1]', '[2]'];

/** Returns a path from a value of one type to a part of another by fields, keys and indices; undefined if there is none. */
export function pathTo(from: string, wanted: string, take: fc.GeneratorValue): string | undefined {
  const ways = waysTo(from, wanted, 4);
  if (ways.length === 0) return undefined;
  const pick = <T>(values: readonly T[]): T => values[take(fc.nat, values.length - 1)] as T;
  return pick(ways)
    .map(step => (step === 'position' ? pick(POSITIONS) : step === 'key' ? pick(KEYS) : `.${step}`))
    .join('');
}

/** Returns every sequence of steps: field names, and `key` and `position` for arbitrary ones. */
function waysTo(from: string, wanted: string, left: number): string[][] {
  if (from === wanted) return [[]];
  if (left === 0) return [];
  return partsOf(from).flatMap(([step, part]) => waysTo(part, wanted, left - 1).map(way => [step, ...way]));
}

function partsOf(type: string): readonly (readonly [step: string, part: string])[] {
  const [, element] = /^list\((.*)\)$/.exec(type) ?? [];
  if (element !== undefined) return [['position', element]];
  const [, value] = /^map\(string, (.*)\)$/.exec(type) ?? [];
  if (value !== undefined) return [['key', value]];
  return Object.entries(FIELDS[type] ?? {});
}
