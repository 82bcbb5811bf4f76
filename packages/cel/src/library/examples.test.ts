import { expect, test } from 'vitest';
import { check } from '../checker/check.ts';
import type { TypedAst } from '../checker/typed-ast.ts';
import { createEnvironment } from '../environment.ts';
import { parse } from '../syntax/parse.ts';
import { formatType } from '../types/format.ts';
import { EXTENSION_LIBRARIES } from './extension-libraries.ts';
import type { Library } from './library.ts';
import { STANDARD_LIBRARY } from './standard.ts';

const env = createEnvironment();

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
