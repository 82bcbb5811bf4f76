import { describe, expect, test } from 'vitest';
import {
  assign,
  BOOL,
  createBindings,
  DURATION,
  DYN,
  ERROR_TYPE,
  formatType,
  freshVariable,
  generalize,
  INT,
  isAssignable,
  listOf,
  mapOf,
  NULL,
  objectType,
  opaqueType,
  optionalOf,
  paramType,
  resolve,
  resolveFinally,
  STRING,
  TIMESTAMP,
  type Type,
  typeOf,
  typesEqual,
  undo,
  wrapperOf,
} from './types.ts';

const TYPES: readonly (readonly [text: string, type: Type])[] = [
  ['dyn', DYN],
  ['null', NULL],
  ['timestamp', TIMESTAMP],
  ['list(string)', listOf(STRING)],
  ['map(string, list(int))', mapOf(STRING, listOf(INT))],
  ['optional_type(int)', optionalOf(INT)],
  ['wrapper(int)', wrapperOf(INT)],
  ['type', typeOf(undefined)],
  ['type(int)', typeOf(INT)],
  ['Request', objectType('Request')],
  ['net.IP', opaqueType('net.IP')],
  ['pair(int, A)', opaqueType('pair', INT, paramType('A'))],
  ['!error!', ERROR_TYPE],
];

test.each(TYPES)('%s is written so, and equals no other type', (text, type) => {
  expect(formatType(type)).toBe(text);
  expect(TYPES.filter(([, other]) => typesEqual(type, structuredClone(other))).map(([name]) => name)).toEqual([text]);
});

describe('a value of type', () => {
  test.each<[Type, Type, boolean]>([
    [INT, INT, true],
    [INT, STRING, false],
    [DYN, INT, true],
    [INT, DYN, true],
    [ERROR_TYPE, INT, true],
    [listOf(DYN), listOf(INT), true],
    [listOf(INT), listOf(STRING), false],
    [listOf(INT), INT, false],
    [mapOf(STRING, INT), mapOf(STRING, INT), true],
    [mapOf(STRING, INT), mapOf(INT, INT), false],
    [wrapperOf(INT), INT, true],
    [INT, wrapperOf(INT), true],
    [wrapperOf(INT), NULL, true],
    [wrapperOf(INT), wrapperOf(STRING), false],
    [INT, NULL, false],
    [TIMESTAMP, NULL, true],
    [NULL, DURATION, true],
    [objectType('A'), NULL, true],
    [objectType('A'), objectType('B'), false],
    [typeOf(INT), typeOf(STRING), true],
    [opaqueType('set', INT), opaqueType('set', STRING), false],
    [opaqueType('set', INT), opaqueType('set', INT), true],
    [paramType('A'), INT, true],
  ])('accepted where %o is expected, %o: %s', (target, source, expected) => {
    expect(isAssignable(target, source)).toBe(expected);
  });
});

test.each<[Type, Type, Type]>([
  [INT, DYN, DYN],
  [wrapperOf(INT), INT, wrapperOf(INT)],
  [INT, wrapperOf(INT), wrapperOf(INT)],
  [NULL, TIMESTAMP, wrapperOf(TIMESTAMP)],
  [TIMESTAMP, NULL, wrapperOf(TIMESTAMP)],
  [NULL, wrapperOf(INT), wrapperOf(INT)],
  [wrapperOf(TIMESTAMP), TIMESTAMP, wrapperOf(TIMESTAMP)],
  [optionalOf(NULL), optionalOf(DURATION), optionalOf(wrapperOf(DURATION))],
  [wrapperOf(optionalOf(INT)), optionalOf(DYN), wrapperOf(optionalOf(DYN))],
  [listOf(INT), listOf(DYN), listOf(DYN)],
  [mapOf(INT, DYN), mapOf(DYN, INT), mapOf(DYN, DYN)],
  [optionalOf(DYN), optionalOf(INT), optionalOf(DYN)],
  [BOOL, ERROR_TYPE, BOOL],
])('%o and %o are both %o', (a, b, expected) => {
  expect(generalize(a, b)).toEqual(expected);
});

describe('unification', () => {
  test('binds a variable to the most general of the types it meets', () => {
    const bindings = createBindings();
    const variable = freshVariable(bindings);
    expect(assign(bindings, INT, variable)).toBe(true);
    expect(resolve(bindings, listOf(variable))).toEqual(listOf(INT));
    expect(assign(bindings, DYN, variable)).toBe(true);
    expect(resolve(bindings, variable)).toEqual(DYN);
    expect(assign(bindings, STRING, variable)).toBe(true);
  });

  test('rejects a type that contains itself', () => {
    const bindings = createBindings();
    const [a, b] = [freshVariable(bindings), freshVariable(bindings)];
    expect(assign(bindings, listOf(a), a)).toBe(false);
    expect(assign(bindings, a, listOf(b))).toBe(true);
    expect(assign(bindings, b, mapOf(STRING, a))).toBe(false);
  });

  test('can be undone', () => {
    const bindings = createBindings();
    const variable = freshVariable(bindings);
    assign(bindings, INT, variable);
    const before = bindings.trail.length;
    assign(bindings, DYN, variable);
    undo(bindings, before);
    expect(resolve(bindings, variable)).toEqual(INT);
    undo(bindings, 0);
    expect(resolve(bindings, variable)).toBe(variable);
    expect(resolveFinally(bindings, listOf(variable))).toEqual(listOf(DYN));
  });
});
