import { describe, expect, test } from 'vitest';
import { childrenOf, type Expr, type FunctionDecl, type TypedAst } from '../ast/ast.ts';
import { BOOL, DYN, formatType, INT, listOf, mapOf, STRING, type Type } from '../ast/types.ts';
import { check } from '../checker/check.ts';
import { createEnvironment, type EnvironmentOptions } from '../checker/environment.ts';
import { EXTENSION_LIBRARIES } from '../extension-libraries.ts';
import { unparse } from '../syntax/format-expression.ts';
import { parse } from '../syntax/parse.ts';
import { inlineBodies } from './inline-bodies.ts';

function define(signature: string, params: readonly Type[], result: Type, source: string): FunctionDecl {
  const [, target, name, names] = /^(?:(\w+)\.)?([\w.]+)\((.*)\)$/.exec(signature.replace('ns.', 'ns_'))!;
  const own = names === '' ? [] : names!.split(', ');
  const paramNames = target === undefined ? own : [target, ...own];
  const body = { paramNames, source };
  const id = name!.replace('ns_', 'ns.');
  return { name: id, doc: '', overloads: [{ id, member: target !== undefined, params, result, body }] };
}

const OPTIONS: EnvironmentOptions = {
  variables: [
    { name: 'headers', type: mapOf(STRING, listOf(STRING)) },
    { name: 'any', type: DYN },
    { name: 'key', type: STRING },
  ],
  functions: [
    define('hasHeader(name)', [STRING], BOOL, 'name in headers'),
    define('getHeader(name)', [STRING], listOf(STRING), 'hasHeader(name) ? headers[name] : []'),
    define('text.isOneOf(all)', [STRING, listOf(STRING)], BOOL, 'all.exists(x, x == text)'),
    define('ns.largest(a, b)', [INT, INT], INT, 'math.greatest(a, b)'),
  ],
};
const ENV = createEnvironment({ libraries: EXTENSION_LIBRARIES, ...OPTIONS });

function inlined(source: string): TypedAst {
  const { ast, diagnostics } = parse(source, ENV);
  const { typed, diagnostics: found } = check(ast, ENV);
  expect([...diagnostics, ...found]).toEqual([]);
  return inlineBodies(typed, ENV);
}

describe('a call of a function with a body', () => {
  test.each([
    ['hasHeader("A")', '"A" in .headers'],
    ['getHeader(key)', 'key in .headers ? .headers[key] : []'],
    ['ns.largest(1, 2)', 'math.greatest(1, 2)'],
    ['hasHeader("A") && [1].all(i, i > 0)', '"A" in .headers && [1].all(i, i > 0)'],
  ])('%s becomes %s', (source, expected) => {
    expect(unparse(inlined(source).ast)).toBe(expected);
  });

  test('binds an argument that is more than a name or a literal', () => {
    const typed = inlined('hasHeader(key + "x")');
    const bound = typed.ast.root;
    expect(bound).toMatchObject({
      kind: 'comprehension',
      iterVar: '#unused',
      iterRange: { kind: 'list', elements: [] },
    });
    expect(formatType(typed.resultType)).toBe('bool');
  });

  test('keeps names at the call out of the body, and names of the body out of the arguments', () => {
    const around = inlined('["a"].map(headers, hasHeader(headers))');
    expect(formatType(around.resultType)).toBe('list(bool)');
    expect(formatType(inlined('["a"].map(math, ns.largest(1, 2))').resultType)).toBe('list(int)');
    const within = inlined('["a"].map(x, x.isOneOf(["b"]))');
    const scopes = localScopes(within);
    expect(scopes.every(([name, owner]) => bindsName(within.ast.root, name, owner))).toBe(true);
  });

  test.each([
    ...['hasHeader("A") && getHeader(key)[0] == "x"', 'hasHeader(key + "x")', '"a".isOneOf(["a", key + "b"])'],
    ...[
      '["a"].exists(x, hasHeader(x) && getHeader(x).all(y, y.isOneOf([x])))',
      'ns.largest(1, 2) > 1',
      'hasHeader(any)',
    ],
  ])('%s has the types and references of a checked tree', source => {
    const found = inlined(source);
    const { typed, diagnostics } = check(found.ast, ENV);
    const factsOf = ({ types, references }: TypedAst) =>
      Array.from({ length: found.ast.nextId }, (_, id) => [types[id], references[id]]);
    expect(diagnostics).toEqual([]);
    expect(factsOf(found)).toEqual(factsOf(typed));
    expect(found.resultType).toEqual(typed.resultType);
  });

  test('gets new ids and the range of the call, and leaves other nodes unchanged', () => {
    const source = 'key == "x" && hasHeader("A")';
    const before = parse(source, ENV).ast;
    const { ast } = inlined(source);
    expect(idsOf(ast.root)).toEqual([...new Set(idsOf(ast.root))]);
    expect(Math.max(...idsOf(ast.root))).toBeLessThan(ast.nextId);
    expect(ast.root).toMatchObject({ id: before.root.id, args: [(before.root as { args?: unknown[] }).args![0], {}] });
    expect(childrenOf(ast.root)[1]).toMatchObject({ range: { start: 14, end: 28 } });
  });

  test('is not inlined if several overloads are possible', () => {
    const overloads = [
      { id: 'f_int', member: false, params: [INT], result: INT, body: { paramNames: ['a'], source: 'a + 1' } },
      { id: 'f_string', member: false, params: [STRING], result: INT, body: { paramNames: ['a'], source: 'a.size()' } },
    ];
    const env = createEnvironment({
      libraries: EXTENSION_LIBRARIES,
      ...OPTIONS,
      functions: [{ name: 'f', doc: '', overloads }],
    });
    const typed = check(parse('f(any)', env).ast, env).typed;
    expect(inlineBodies(typed, env)).toBe(typed);
    expect(unparse(inlineBodies(check(parse('f("a")', env).ast, env).typed, env).ast)).toBe('"a".size()');
  });
});

describe('an invalid body is rejected when it is declared', () => {
  test.each([
    ['f(a)', [INT], 'a + b', 'the body of `f` does not check: `b` is not declared'],
    ['f(a)', [INT], 'a +', 'the body of `f` does not check: expected an expression, found the end of the expression'],
    ['f(a)', [INT], '"a"', 'the body of `f` returns string, not int'],
    ['f(a, b)', [INT], 'a', 'the body of `f` has 2 parameters, not 1'],
    ['f(a)', [INT], 'f(a)', 'the body of `f` calls itself: f → f'],
  ])('%s %o as %s', (signature, params, source, message) => {
    const functions = [define(signature, params as Type[], INT, source)];
    expect(() => createEnvironment({ libraries: EXTENSION_LIBRARIES, functions })).toThrow(new TypeError(message));
  });
});

function idsOf(expr: Expr): number[] {
  return [expr.id, ...childrenOf(expr).flatMap(idsOf)];
}

function localScopes(typed: TypedAst): [name: string, scope: number][] {
  return typed.references.flatMap(reference =>
    reference?.kind === 'local' ? [[reference.name, reference.scope]] : [],
  );
}

function bindsName(expr: Expr, name: string, owner: number): boolean {
  const binds = expr.kind === 'comprehension' && expr.id === owner && [expr.iterVar, expr.accuVar].includes(name);
  return binds || childrenOf(expr).some(child => bindsName(child, name, owner));
}
