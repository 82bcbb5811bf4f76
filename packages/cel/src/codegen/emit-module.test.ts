import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { DYN, INT, STRING } from '../ast/types.ts';
import { check } from '../checker/check.ts';
import { createEnvironment } from '../checker/environment.ts';
import { EXTENSION_LIBRARIES } from '../extension-libraries.ts';
import { parse } from '../syntax/parse.ts';
import { compileToJavaScript, emitModule, type ModuleParts } from './compile.ts';
import { RUNTIME } from './scope.ts';

const DOUBLED = {
  name: 'doubled',
  doc: 'Twice the number.',
  overloads: [{ id: 'doubled_int', member: false, params: [INT], result: INT }],
};

const ENVIRONMENT = createEnvironment({
  libraries: EXTENSION_LIBRARIES,
  variables: [
    { name: 's', type: STRING },
    { name: 'd', type: DYN },
    { name: 'n', type: INT },
  ],
  functions: [DOUBLED],
  implementations: { doubled_int: { call: (n: number) => n * 2, total: true } },
});

function typedOf(source: string) {
  const checked = check(parse(source, ENVIRONMENT).ast, ENVIRONMENT);
  expect(checked.diagnostics).toEqual([]);
  return checked.typed;
}

/** Returns the exports of a module as a browser bundle has them. */
async function exportsOf(source: string): Promise<Record<string, (...args: unknown[]) => unknown>> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: import.meta.dirname, loader: 'js' },
    bundle: true,
    write: false,
    format: 'cjs',
    conditions: ['tollgate-source'],
    external: ['re2js'],
  });
  const module = { exports: {} };
  new Function('module', 'require', outputFiles[0]?.text ?? '')(module, () => ({}));
  return module.exports;
}

const SOURCES = [
  's.startsWith("a") && n in [1, 2, 3, 4, 5, 6, 7, 8]',
  'd.a[0] + 1.5',
  '[1u, 2u].map(x, x * 2u)',
  's.matches("^[a-z]+$") ? timestamp("2026-01-01T00:00:00Z") : timestamp(0)',
  'ip("10.0.0.1") == ip(s)',
  'd.missing',
  '9223372036854775807 + n',
  '"%s-%d".format([s, n])',
  'b"\\x00\\xff" + bytes(s)',
  'optional.of(n).orValue(2) == 1 ? type(n) : int',
];

test('an emitted module has the results of a compiled program', async () => {
  const programs = Object.fromEntries(SOURCES.map((source, i) => [`rule${i}`, typedOf(source)]));
  const module = await exportsOf(emitModule({ environment: ENVIRONMENT, programs }));
  const activation = { s: 'abc', n: 1, d: { a: [2.25] } };
  SOURCES.forEach((source, i) => {
    const expected = compileToJavaScript(typedOf(source), ENVIRONMENT).evaluate(activation);
    // The bundle has its own classes, so values are compared by content.
    expect([source, JSON.stringify(shown(module[`rule${i}`]?.(activation)))]).toEqual([
      source,
      JSON.stringify(shown(expected)),
    ]);
  });
});

function shown(value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (Array.isArray(value)) return value.map(shown);
  if (value instanceof Uint8Array) return [...value];
  return typeof value === 'object' && value !== null ? { ...value } : value;
}

test('exports conditions as one function', async () => {
  const rules = [[typedOf('s == "a"'), typedOf('n > 1')], [], [typedOf('n == 1')]];
  const module = await exportsOf(emitModule({ environment: ENVIRONMENT, conditions: { evaluateAll: rules } }));
  const results: unknown[] = [];
  module.evaluateAll?.({ s: 'a', n: 2 }, results);
  expect(results).toEqual([true, true, false]);
});

test('finds the first rule from a position on that is not false', async () => {
  const few = [[typedOf('s == "b"')], [typedOf('d.missing')], [], [typedOf('n == 1')]];
  const many = Array.from({ length: 100 }, (_, at) => (at % 45 === 44 ? [typedOf('n == 2')] : [typedOf('n == 1')]));
  const none = [[], []];
  const module = await exportsOf(emitModule({ environment: ENVIRONMENT, searches: { few, many, none } }));
  const found = (name: string, count: number) =>
    Array.from({ length: count + 1 }, (_, from) => {
      const results: unknown[] = [];
      const at = module[name]?.({ s: 'a', n: 2, d: {} }, results, from);
      return at === -1 ? -1 : [at, results[0] === true];
    });
  expect(found('few', 4)).toEqual([[1, false], [1, false], [2, true], -1, -1]);
  expect(found('many', 100)).toEqual(
    Array.from({ length: 101 }, (_, from) => (from <= 44 ? [44, true] : from <= 89 ? [89, true] : -1)),
  );
  expect(found('none', 2)).toEqual([[0, true], [1, true], -1]);
});

test('imports only what it uses, and only from the runtime', () => {
  const source = emitModule({ environment: ENVIRONMENT, programs: { rule: typedOf('s == "a"') } });
  expect(source.split('\n')[0]).toBe("import { Unknown, readString, resolve } from '@tollgate/cel/runtime';");
});

test('imports and guards a user implementation', () => {
  const programs = { rule: typedOf('doubled(n) == 2') };
  const implementations = { doubled_int: { module: './doubled.js', name: 'doubled' } };
  const source = emitModule({ environment: ENVIRONMENT, programs, implementations });
  expect(source).toContain('import { doubled as u0$ } from "./doubled.js";');
  expect(source).toContain('const u0=guardFunction("doubled",{["kind"]:"int"},u0$);');
  expect(() => emitModule({ environment: ENVIRONMENT, programs })).toThrow(TypeError);
});

test.each(['a b', '', 'x;throw 1', 'a"', 'é'])('rejects %j as an export name', name => {
  const parts: ModuleParts = { environment: ENVIRONMENT, programs: { [name]: typedOf('n == 1') } };
  expect(() => emitModule(parts)).toThrow(TypeError);
});

test('every implementation is exported under its name for modules to import', () => {
  const missing = [...ENVIRONMENT.libraryImplementations].flatMap(([id, { call, mixed }]) =>
    [call, mixed].some(code => code !== undefined && RUNTIME[code.name] !== code) ? [id] : [],
  );
  expect(missing).toEqual([]);
});
