import { describe, expect, test } from 'vitest';
import { childrenOf, type Expr } from '../ast/ast.ts';
import { BOOL, DYN, INT, STRING, TIMESTAMP } from '../ast/types.ts';
import { check } from '../checker/check.ts';
import { createEnvironment } from '../checker/environment.ts';
import { compileClosures } from '../closures/compile-closures.ts';
import { compileToJavaScript, functionCode } from '../codegen/compile.ts';
import { createModuleScope } from '../codegen/scope.ts';
import { EXTENSION_LIBRARIES } from '../extension-libraries.ts';
import { unparse } from '../syntax/format-expression.ts';
import { parse } from '../syntax/parse.ts';
import { CidrRange, Duration, IpAddress, Timestamp } from '../values/value.ts';
import { foldConstants } from './fold-constants.ts';

const ENV = createEnvironment({
  libraries: EXTENSION_LIBRARIES,
  variables: [
    { name: 'address', type: STRING },
    { name: 'n', type: INT },
    { name: 'now', type: TIMESTAMP },
    { name: 'any', type: DYN },
  ],
  functions: [
    { name: 'isSmall', doc: '', overloads: [own('is_small', 'n < 10 * 10')] },
    { name: 'draw', doc: '', overloads: [own('draw')] },
  ],
  implementations: { draw: { call: () => true, total: true } },
});

function own(id: string, source?: string) {
  const overload = { id, member: false, params: [INT], result: BOOL };
  return source === undefined ? overload : { ...overload, body: { paramNames: ['n'], source } };
}

function folded(source: string) {
  const checked = check(parse(source, ENV).ast, ENV);
  expect(checked.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return foldConstants(checked.typed, ENV);
}

function nodesOf(expr: Expr): Expr[] {
  return [expr, ...childrenOf(expr).flatMap(nodesOf)];
}

describe('folding', () => {
  test.each([
    ['n < 10 * 1024', 'n < 10240'],
    ['n in [60 * 60, 24 * 60 * 60]', 'n in [3600, 86400]'],
    ['double(n) > 1.0 / 4.0', 'double(n) > 0.25'],
    ['n + int(duration("1h").getSeconds())', 'n + 3600'],
    ['n == 1 || cidr("10.0.0.0/8").containsIP(ip("10.1.2.3"))', 'n == 1 || true'],
    ['timestamp("2026-01-01T00:00:00Z").getDayOfWeek("Europe/Berlin") == n', '4 == n'],
    ['"a1".matches("[0-9]") && n > 0', 'true && n > 0'],
    ['"café".size() < n', '4 < n'],
    ['address.matches("^" + "[a-z]".replace("z", "f"))', 'address.matches("^[a-f]")'],
  ])('%s becomes %s', (source, expected) => {
    expect(unparse(folded(source).ast)).toBe(expected);
  });

  test.each([
    ['cidr("10.0.0.0/8").containsIP(address)', [new CidrRange(new IpAddress(new Uint8Array([10, 0, 0, 0])), 8)]],
    ['ip(address) == ip("::1")', [new IpAddress(new Uint8Array([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]))]],
    ['now - duration("1h") < timestamp(0)', [new Duration(3600, 0), new Timestamp(0, 0)]],
  ])('keeps values that no literal can express: %s', (source, values) => {
    const { ast, constants } = folded(source);
    expect(unparse(ast)).toBe(source);
    expect([...constants.values()]).toEqual(values);
  });

  test.each([
    ['what fails', 'n > 0 || 9223372036854775807 + 1 > 0'],
    ['a failing conversion of a string', 'now < timestamp("tomorrow")'],
    ['long texts', `address == "a" + "${'b'.repeat(1000)}"`],
    ['lists that are made', 'lists.range(1000000).size() > n'],
    ['functions of the user', 'draw(1)'],
    ['what is of several types', 'any == dyn(1) + 2'],
    ['operators that choose', 'true || n > 0'],
  ])('does not fold %s: %s', (_, source) => {
    const { ast, constants } = folded(source);
    expect([unparse(ast), constants.size]).toEqual([source, 0]);
  });
});

describe.each([
  ['closures', compileClosures],
  ['generated', compileToJavaScript],
] as const)('%s', (_, compile) => {
  const run = (source: string, activation: object) =>
    compile(check(parse(source, ENV).ast, ENV).typed, ENV).evaluate({ ...activation });

  test('have the same results as without folding', () => {
    const within = 'cidr("10.0.0.0/8").containsIP(address)';
    expect(run(within, { address: '10.255.0.1' })).toBe(true);
    expect(run(within, { address: '11.0.0.1' })).toBe(false);
    expect(run('now - timestamp("2026-01-01T00:00:00Z")', { now: new Date('2026-01-01T01:00:00.5Z') })).toEqual(
      new Duration(3600, 500_000_000),
    );
    expect(run('[timestamp(0), 2.0 * 3.0, 1u + 1u, dyn(1 + 1)]', {})).toEqual(
      run('[timestamp(n), double(2 + n) * 3.0, uint(n + 2), dyn(2)]', { n: 0 }),
    );
  });

  test('locate an error in a constant', () => {
    const source = 'n > 0 || 9223372036854775807 + 1 > 0';
    const addition = nodesOf(parse(source, ENV).ast.root).find(node => node.kind === 'call' && node.function === '_+_');
    expect(run(source, { n: 0 })).toMatchObject({ code: 'eval/overflow', exprId: addition?.id });
  });

  test('inline function bodies first', () => {
    expect([run('isSmall(n)', { n: 99 }), run('isSmall(n)', { n: 100 })]).toEqual([true, false]);
  });
});

test('generated code contains the values, not the calls', () => {
  const scope = createModuleScope();
  const { typed } = check(parse('cidr("10.0.0.0/8").containsIP(address) && now < timestamp(0)', ENV).ast, ENV);
  const code = functionCode(scope, typed, ENV);
  expect(code).not.toMatch(/stringToCidr|intToTimestamp/);
  expect(scope.declarations).toContain('new CidrRange(new IpAddress(new Uint8Array([10,0,0,0])),8)');
});
