import { expect, test } from 'vitest';
import { EXTENSION_LIBRARIES } from './extension-libraries.ts';
import { STANDARD_LIBRARY } from './library/standard.ts';

const functions = EXTENSION_LIBRARIES.flatMap(library => library.functions);

test('every overload id of the standard and extension libraries is unique', () => {
  const ids = [...STANDARD_LIBRARY.functions, ...functions].flatMap(decl => decl.overloads.map(({ id }) => id));
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test('every extension library has its own name', () => {
  expect(EXTENSION_LIBRARIES.map(({ name }) => name)).toEqual([
    'strings',
    'math',
    'lists',
    'sets',
    'encoders',
    'bindings',
    'optionals',
    'two-variable-comprehensions',
    're2',
    'regex',
    'network',
    'block',
    'function-bodies',
  ]);
});

test('every function has a sentence of documentation and, unless macros expand to it, an example', () => {
  const hidden = new Set(['@sortByAssociatedKeys', 'cel.@block', 'cel.@mapInsert']);
  for (const { name, doc, overloads } of functions) {
    expect(doc, name).toMatch(/^[A-Z-].*\.$/);
    expect(
      overloads.some(({ examples }) => examples !== undefined),
      name,
    ).toBe(!hidden.has(name));
  }
});

test('the first parameter of every member overload is its target', () => {
  const members = functions.flatMap(decl => decl.overloads).filter(({ member }) => member);
  expect(members.filter(({ params }) => params.length === 0)).toEqual([]);
});
