import {
  BOOL,
  CelMap,
  CelUint,
  check,
  compileClosures,
  compileToJavaScript,
  createEnvironment,
  Duration,
  DYN,
  type Environment,
  EXTENSION_LIBRARIES,
  extendEnvironment,
  type FunctionDecl,
  type ImplementationFunction,
  NonValue,
  Optional,
  type Overload,
  parse,
  Timestamp,
  type Type,
  TypeValue,
  Unknown,
} from '@tollgate/cel';
import { describe, expect, test } from 'vitest';
import { showOursExactly } from '../differential/engines.ts';

/** Values of every kind, including host data. */
const VALUES: readonly unknown[] = [
  ...[null, true, 1, -1, 2 ** 60, 1.5, Number.NaN, 'a', '10.0.0.1', '10.0.0.0/8', '', 5n, 1n << 70n],
  ...[new Uint8Array([1]), new CelUint(1), new Timestamp(0, 0), new Date(0), new Duration(1, 0), new TypeValue('int')],
  ...[[], [1], ['a', 1], [[1]], [null], [new Optional(1)], {}, { a: 1 }, new CelMap([[1, 'a']]), new Map([['a', 1]])],
  ...[
    new Optional(1),
    new Optional(undefined),
    new Optional(null),
    new Optional(new Optional('a')),
    new Set([1]),
    () => 1,
  ],
];

/** Returns a value for a parameter of the type. */
function sampleOf(type: Type): unknown {
  switch (type.kind) {
    case 'bool':
      return true;
    case 'double':
      return 1.5;
    case 'string':
      return '10.0.0.1';
    case 'bytes':
      return new Uint8Array([97]);
    case 'timestamp':
      return new Timestamp(0, 0);
    case 'duration':
      return new Duration(1, 0);
    case 'type':
      return new TypeValue('int');
    case 'list':
      return [sampleOf(type.element)];
    case 'map':
      return { a: sampleOf(type.value) };
    case 'optional':
      return new Optional(sampleOf(type.value) as never);
    default:
      return 1;
  }
}

/** Returns a call of the overload with the given operands; undefined for overloads that source cannot call. */
function callOf({ name }: FunctionDecl, { member }: Overload, operands: readonly string[]): string | undefined {
  const [a = '', b = '', c = ''] = operands;
  if (name === '@in') return `(${a} in ${b})`;
  if (name === '_[_]') return `${a}[${b}]`;
  if (name === '_[?_]') return `${a}[?${b}]`;
  if (name === '_?._') return `${a}.?a`;
  if (name === '_?_:_') return `(${a} ? ${b} : ${c})`;
  if (/^[!-]_$/.test(name)) return `${name[0]}(${a})`;
  const [, operator] = /^_(.+)_$/.exec(name) ?? [];
  if (operator !== undefined) return `(${a} ${operator} ${b})`;
  if (name.includes('@')) return undefined;
  return member ? `${a}.${name}(${operands.slice(1).join(', ')})` : `${name}(${operands.join(', ')})`;
}

const BASE = createEnvironment({ libraries: EXTENSION_LIBRARIES });
const OVERLOADS = [...BASE.functions.values()].flatMap(declaration =>
  declaration.overloads.map(overload => [overload.id, declaration, overload] as const),
);

function environmentOf(types: readonly Type[], implementations = {}): Environment {
  const variables = [...types.map((type, index) => ({ name: `x${index}`, type })), { name: 'chosen', type: BOOL }];
  return extendEnvironment(BASE, { variables, implementations, constantFolding: false });
}

/** Returns our evaluators' programs; undefined if the checker rejects the call. */
function compiled(source: string, env: Environment) {
  const { ast, diagnostics } = parse(source, env);
  const checked = check(ast, env);
  if ([...diagnostics, ...checked.diagnostics].length > 0) return undefined;
  return [compileClosures(checked.typed, env), compileToJavaScript(checked.typed, env)] as const;
}

type Programs = NonNullable<ReturnType<typeof compiled>>;

function agreed([closures, generated]: Programs, activation: Readonly<Record<string, unknown>>): unknown {
  const outcome = closures.evaluate(activation);
  expect(showOursExactly(generated.evaluate(activation))).toBe(showOursExactly(outcome));
  return outcome;
}

function activationOf(values: readonly unknown[]): Record<string, unknown> {
  return { chosen: true, ...Object.fromEntries(values.map((value, index) => [`x${index}`, value])) };
}

/** Replaces type parameters by a concrete type. */
function concrete(type: Type): Type {
  return type.kind === 'param' ? DYN : type;
}

/** Wraps the code of all overloads to fail the test if an argument is not a value. */
function watched(seen: unknown[]) {
  return Object.fromEntries(
    [...BASE.libraryImplementations].map(([id, implementation]) => {
      const run = implementation.call as (...args: readonly unknown[]) => unknown;
      const call = (...args: readonly unknown[]) => {
        seen.push(...args.filter(arg => arg instanceof NonValue));
        return run(...args);
      };
      return [id, { ...implementation, call: call as ImplementationFunction }];
    }),
  );
}

describe('every overload', () => {
  test.each(OVERLOADS)('%s is not given an unknown, wherever it comes from', (_id, declaration, overload) => {
    const seen: unknown[] = [];
    const types = overload.params.map(concrete);
    const env = environmentOf(types, watched(seen));
    for (const wrap of [
      (x: string) => x,
      (x: string) => `(chosen ? ${x} : ${x})`,
      (x: string) => `cel.bind(v, ${x}, v)`,
      (x: string) => `[${x}][0]`,
    ]) {
      const source = callOf(
        declaration,
        overload,
        types.map((_, index) => wrap(`x${index}`)),
      );
      const programs = source === undefined ? undefined : compiled(source, env);
      if (programs === undefined) continue;
      types.forEach((_, unknown) => {
        const values = types.map((type, index) => (index === unknown ? new Unknown(['x']) : sampleOf(type)));
        agreed(programs, activationOf(values));
      });
      agreed(programs, { ...activationOf(types.map(sampleOf)), chosen: new Unknown(['chosen']) });
    }
    expect(seen).toEqual([]);
  });

  test.each(OVERLOADS)('%s never throws, whatever the values are', (_id, declaration, overload) => {
    const samples = overload.params.map(type => sampleOf(concrete(type)));
    const source = callOf(
      declaration,
      overload,
      samples.map((_, index) => `x${index}`),
    );
    const types = [samples.map(() => DYN), overload.params.map(concrete)];
    for (const declared of source === undefined ? [] : types) {
      const programs = compiled(source as string, environmentOf(declared));
      if (programs === undefined) continue;
      samples.forEach((_, odd) => {
        for (const value of VALUES) agreed(programs, activationOf(samples.with(odd, value)));
      });
    }
  });

  test.each(OVERLOADS)(
    '%s refuses null where the checker lets it stand for something',
    (_id, declaration, overload) => {
      const types = overload.params.map(concrete);
      const env = environmentOf(types);
      types.forEach((_, nulled) => {
        const operands = types.map((_, index) => (index === nulled ? `(chosen ? null : x${index})` : `x${index}`));
        const source = callOf(declaration, overload, operands);
        const programs = source === undefined ? undefined : compiled(source, env);
        if (programs !== undefined) agreed(programs, activationOf(types.map(sampleOf)));
      });
    },
  );
});
