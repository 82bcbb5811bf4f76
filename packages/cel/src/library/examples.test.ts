import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { TypedAst } from '../ast/ast.ts';
import { DEFAULT_LIMITS } from '../ast/limits.ts';
import { formatType } from '../ast/types.ts';
import { check } from '../checker/check.ts';
import { createEnvironment, type Environment, type Program } from '../checker/environment.ts';
import { compileClosures } from '../closures/compile-closures.ts';
import { compileToJavaScript } from '../codegen/compile.ts';
import { EXTENSION_LIBRARIES } from '../extension-libraries.ts';
import { createRunContext } from '../runtime/context.ts';
import { equals } from '../runtime/equality.ts';
import { toHost } from '../runtime/host-access.ts';
import { parse } from '../syntax/parse.ts';
import { NonValue, runtimeTypeOf } from '../values/value.ts';
import type { Library } from './library.ts';
import { STANDARD_LIBRARY } from './standard.ts';

const env = createEnvironment({ libraries: EXTENSION_LIBRARIES });

function examplesOf(library: Library) {
  return library.functions.flatMap(decl =>
    decl.overloads.flatMap(({ id, examples = [] }) =>
      examples.map(example => ({ library: library.name, id, ...example })),
    ),
  );
}

function checked(source: string): TypedAst {
  const { ast, diagnostics } = parse(source, env);
  const { typed, diagnostics: typeDiagnostics } = check(ast, env);
  expect(
    [...diagnostics, ...typeDiagnostics].map(diagnostic => diagnostic.message),
    source,
  ).toEqual([]);
  return typed;
}

const examples = [STANDARD_LIBRARY, ...EXTENSION_LIBRARIES].flatMap(examplesOf);

test.each(examples)('the example of $id in $library passes the checker: $expression', ({ expression, value }) => {
  const types = [checked(expression), checked(value)].map(({ resultType }) => formatType(resultType));
  if (!types.includes('dyn')) expect(types[0]).toBe(types[1]);
});

/** The evaluators that run the examples; each must return the stated value. */
const BACK_ENDS: readonly (readonly [string, (typed: TypedAst, env: Environment) => Program])[] = [
  ['closures', compileClosures],
  ['generated JavaScript', compileToJavaScript],
];

describe.each(BACK_ENDS)('run as %s', (_, compile) => {
  const run = (source: string) => compile(checked(source), env).evaluate({});

  test.each(examples)('the example of $id in $library has its value: $expression', ({ expression, value }) => {
    const [actual, expected] = [run(expression), run(value)];
    if (actual instanceof NonValue || expected instanceof NonValue) expect.fail(`${expression} failed`);
    expect(runtimeTypeOf(actual).name).toBe(runtimeTypeOf(expected).name);
    expect(
      equals(createRunContext(DEFAULT_LIMITS), actual, expected),
      `${expression} gave ${inspect(toHost(actual))}`,
    ).toBe(true);
  });
});
