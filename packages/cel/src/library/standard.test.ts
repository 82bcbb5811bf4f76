import { expect, test } from 'vitest';
import { STANDARD_LIBRARY } from './standard.ts';

const overloads = STANDARD_LIBRARY.functions.flatMap(decl => decl.overloads);

test('every overload id of the standard library is unique', () => {
  const ids = overloads.map(overload => overload.id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  expect(ids).toHaveLength(162);
});

test('every function has a sentence of documentation and, except for macro helpers, an example', () => {
  for (const { name, doc, overloads } of STANDARD_LIBRARY.functions) {
    expect(doc, name).toMatch(/^[A-Z].*\.$/);
    if (name.startsWith('@not')) continue;
    expect(
      overloads.some(overload => overload.examples !== undefined),
      name,
    ).toBe(true);
  }
});

test('names every type of the specification', () => {
  expect(STANDARD_LIBRARY.constants.map(constant => constant.name)).toEqual([
    'bool',
    'bytes',
    'double',
    'google.protobuf.Duration',
    'google.protobuf.Timestamp',
    'int',
    'list',
    'map',
    'null_type',
    'string',
    'type',
    'uint',
  ]);
});
