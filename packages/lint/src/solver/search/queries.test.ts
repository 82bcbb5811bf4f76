import { EDGE_V2, variablesAt } from '@tollgate/catalog';
import { checkCondition, createPhaseEnvironments } from '@tollgate/policy';
import { describe, expect, it } from 'vitest';
import type { Condition } from '../formula/condition.ts';
import { type ConditionContext, readCondition } from '../reader/read-condition.ts';
import { createVocabulary } from '../values/vocabulary.ts';
import { areDisjoint, covering, implies, isNeverFalse, isTautology, isUnsatisfiable } from './queries.ts';

const PLACE = { endpoint: 'https-route', phase: 'outbound' } as const;
const environment = createPhaseEnvironments(EDGE_V2, PLACE.endpoint)[PLACE.phase];
const ALWAYS_THERE = new Set(variablesAt(EDGE_V2, PLACE).map(fact => fact.path));

function reader(): (source: string) => Condition {
  const facts = { isAlwaysPresent: (path: string) => ALWAYS_THERE.has(path), isVolatile: () => false };
  const context: ConditionContext = { environment, facts, vocabulary: createVocabulary() };
  return source => {
    const { typed, diagnostics } = checkCondition(source, { profile: EDGE_V2, place: PLACE, environment });
    expect(diagnostics).toEqual([]);
    return readCondition(typed!, context);
  };
}

function read(source: string): Condition {
  return reader()(source);
}

describe('a condition that holds for no input', () => {
  it.each([
    ["req.Method == 'GET' && req.Method == 'POST'"],
    ["req.Method in ['GET', 'HEAD'] && req.Method == 'POST'"],
    ["req.Method == 'GET' && !(req.Method in ['GET', 'HEAD'])"],
    ["'GET' == req.Method && req.Method != 'GET'"],
    ['req.ContentLength > 500 && req.ContentLength < 400'],
    ['req.ContentLength > 500 && req.ContentLength < 501'],
    ['req.ContentLength > 1.5 && req.ContentLength < 2'],
    ['req.ContentLength > 9223372036854775807'],
    ['res.StatusCode < 200 && res.StatusCode >= 300'],
    ["res.StatusCode < '200' && res.StatusCode >= '300'"],
    ["res.StatusCode == '404' && res.StatusCode >= 500"],
    ['double(conn.Geo.Latitude) > 5.0 && double(conn.Geo.Latitude) < 4.5'],
    ["double(conn.Geo.Latitude) > 5.0 && conn.Geo.Latitude == '4.25'"],
    ['size(req.Headers) < 0'],
    ["req.Method == 'GET' && size(req.Method) > 3"],
    ["req.Method == 'é😀' && req.Method.size() != 2"],
    ["req.Path.startsWith('/a') && req.Path.startsWith('/b')"],
    ["req.Path.startsWith('/ab') && !req.Path.startsWith('/a')"],
    ["req.Path == '/x' && req.Path.startsWith('/y')"],
    ["req.Path == '/x' && req.Path.contains('y')"],
    ["req.Path.endsWith('.php') && req.Path.endsWith('.html')"],
    ["req.Path.endsWith('.php') && !req.Path.contains('ph')"],
    ["req.Path.startsWith('/admin/') && !req.Path.contains('admin')"],
    ["req.Path.matches('^/a') && req.Path.matches('^/b')"],
    ["req.Path.matches('^/a$') && req.Path != '/a'"],
    ["req.Path == '/abc' && req.Path.matches('^/[0-9]+$')"],
    ["inCidrRange(conn.ClientIP, '10.0.0.0/8') && inCidrRange(conn.ClientIP, '192.168.0.0/16')"],
    ["inCidrRange(conn.ClientIP, '10.1.0.0/16') && !inCidrRange(conn.ClientIP, '10.0.0.0/8')"],
    ["inCidrRange(conn.ClientIP, '10.0.0.0/8') && conn.ClientIP == '11.0.0.1'"],
    ["inCidrRange(conn.ClientIP, '2001:db8::/32') && conn.ClientIP == '10.0.0.1'"],
    ["inCidrRange(conn.ClientIP, '10.0.0.0/8') && !inCidrRanges(conn.ClientIP, ['10.0.0.0/9', '10.128.0.0/9', 'x'])"],
    ["inCidrRange(conn.ClientIP, 'everybody')"],
    ["!('X' in req.Headers) && req.Headers['X'][0] == 'a'"],
    ["!hasReqHeader('X') && req.Headers['X'][0] == 'a'"],
    ["req.Headers['X'][0] == 'a' && req.Headers['X'][0] == 'b'"],
    ['req.Method == req.Host && req.Host != req.Method'],
    ["req.Headers.exists(h, h == 'X') && !req.Headers.exists(h, h == 'X')"],
    ["['a', 'b'].exists(m, req.Method == m) && req.Method == 'c'"],
    ['1 + 1 == 3'],
    ["'a'.startsWith('b')"],
    ['1 / 0 == 1'],
    ["req.Method == 'GET' ? req.Host == 'a' && req.Host == 'b' : req.Method == 'GET'"],
  ])('%s', source => {
    expect(isUnsatisfiable(read(source))).toBe(true);
    expect(isTautology(read(source))).toBe(false);
  });
});

describe('a condition that may hold', () => {
  it.each([
    ["req.Method == 'GET' && req.Host == 'POST'"],
    ["!(req.Method == 'GET' && req.Method == 'POST')"],
    ['req.ContentLength > 500 && req.ContentLength < 502'],
    ['req.ContentLength > 9223372036854775806'],
    ["res.StatusCode == '404' && res.StatusCode >= 400"],
    ["res.StatusCode == '+404' && res.StatusCode >= 400"],
    ["req.Path.startsWith('/a') && req.Path.startsWith('/ab')"],
    ["req.Path.endsWith('b') && req.Path.endsWith('ab')"],
    ["req.Path.endsWith('.php') && !req.Path.contains('x')"],
    ["req.Path.startsWith('/a') && req.Path > '/ab' && req.Path < '/b'"],
    ["req.Path.matches('a') && req.Path.matches('b')"],
    ["inCidrRange(conn.ClientIP, '10.0.0.0/8') && inCidrRange(conn.ClientIP, '10.1.0.0/16')"],
    ["inCidrRange(conn.ClientIP, '2001:db8::/32') && conn.ClientIP == '2001:DB8:0::1'"],
    ["!inCidrRange(conn.ClientIP, '0.0.0.0/0') && !inCidrRange(conn.ClientIP, '::/0')"],
    ['double(conn.Geo.Latitude) != double(conn.Geo.Latitude)'],
    ['!(double(conn.Geo.Latitude) < 5.0) && !(double(conn.Geo.Latitude) >= 5.0)'],
  ])('%s', source => {
    expect(isUnsatisfiable(read(source))).toBe(false);
  });
});

describe('a condition that holds for every input', () => {
  it.each([
    ["req.Method != 'GET' || req.Method != 'POST'"],
    ["req.Method == 'GET' || req.Method != 'GET'"],
    ["req.Method < 'm' || req.Method >= 'm'"],
    ["req.Path.startsWith('')"],
    ['req.ContentLength < 5 || req.ContentLength > 4'],
    ['size(req.Headers) >= 0'],
    ["'X' in req.Headers || !hasReqHeader('X')"],
    ["req.Method == 'GET' ? true : req.Method != 'GET'"],
    ['1 / 0 == 1 || true'],
  ])('%s', source => {
    expect(isTautology(read(source))).toBe(true);
    expect(isUnsatisfiable(read(source))).toBe(false);
  });
});

describe('a condition that is not a tautology because of an evaluation error', () => {
  it.each([
    ["req.Headers['X'][0] == 'a' || req.Headers['X'][0] != 'a'"],
    ["!(req.Headers['X'][0] == 'a') || req.Headers['X'][0] == 'a'"],
    ['res.StatusCode < 300 || res.StatusCode >= 300'],
    ['double(conn.Geo.Latitude) < 5.0 || double(conn.Geo.Latitude) >= 5.0'],
    ["req.Headers['X'].size() >= 0"],
  ])('%s', source => {
    expect(isTautology(read(source))).toBe(false);
  });

  it.each([
    ["req.Headers['X'][0] != 'a' || req.Headers['X'][0] != 'b'"],
    ['res.StatusCode < 300 || res.StatusCode >= 300'],
  ])('is never false: %s', source => {
    expect(isNeverFalse(read(source))).toBe(true);
  });
});

describe('comparing conditions', () => {
  it.each([
    ["req.Method == 'GET'", "req.Method in ['GET', 'HEAD']", true],
    ["req.Method in ['GET', 'HEAD']", "req.Method == 'GET'", false],
    ["req.Method == 'GET' && req.Host == 'a'", "req.Host == 'a'", true],
    ["req.Headers['X'][0] == 'a'", "'X' in req.Headers", true],
    ["req.Headers['X'][0] != 'a'", "!(req.Headers['X'][0] == 'a')", true],
    ["!('X' in req.Headers)", "req.Headers['X'][0] != 'a'", false],
    ["inCidrRange(conn.ClientIP, '10.1.0.0/16')", "inCidrRange(conn.ClientIP, '10.0.0.0/8')", true],
    ["req.Path.startsWith('/admin/x')", "req.Path.startsWith('/admin')", true],
    ["req.Path.endsWith('.php')", "req.Path.contains('.ph')", true],
    ['true', "req.Method == 'GET'", false],
    ["req.Method == 'GET'", 'true', true],
    ['res.StatusCode == 404', 'res.StatusCode >= 400 && res.StatusCode < 500', true],
    ["req.Path.matches('[0-9]')", "req.Path.matches('[0-9]')", true],
  ])('%s implies %s: %s', (a, b, expected) => {
    const next = reader();
    expect(implies(next(a), next(b))).toBe(expected);
  });

  it('detects disjoint conditions', () => {
    const next = reader();
    const get = next("req.Method == 'GET'");
    expect(areDisjoint(get, next("req.Method == 'POST'"))).toBe(true);
    expect(areDisjoint(get, next("req.Host == 'a'"))).toBe(false);
  });

  it.each([
    [["req.Method == 'GET'", "req.Host == 'a'", "req.Method != 'GET'"], 'true', [0, 2]],
    [
      ["req.Method == 'GET'", "req.Method in ['HEAD', 'POST']", "req.Method == 'PUT'"],
      "req.Method in ['GET', 'POST']",
      [0, 1],
    ],
    [["req.Path == '/a'", "req.Path.startsWith('/')"], "req.Path.startsWith('/a')", [1]],
    [["req.Method == 'GET'", "req.Host == 'a'"], "req.Path == '/'", undefined],
    [["req.Headers['X'][0] == 'a'", "req.Headers['X'][0] != 'a'"], "req.Path == '/'", undefined],
    [["req.Headers['X'][0] == 'a'", "req.Headers['X'][0] != 'a'"], "req.Headers['X'][0].size() > 0", [0, 1]],
    [['req.ContentLength < 10', 'req.ContentLength > 100', 'req.ContentLength > 9'], 'true', [0, 2]],
    [
      ["inCidrRange(conn.ClientIP, '10.0.0.0/9')", "inCidrRange(conn.ClientIP, '10.128.0.0/9')"],
      "inCidrRange(conn.ClientIP, '10.0.0.0/8')",
      [0, 1],
    ],
  ])('%s together cover %s: %s', (conditions, covered, expected) => {
    const next = reader();
    expect(covering(conditions.map(next), next(covered))).toEqual(expected);
  });
});

it('gives up when the search exceeds its bound', () => {
  const next = reader();
  const pigeons = Array.from(
    { length: 9 },
    (_, i) => `(${Array.from({ length: 8 }, (_, j) => `p${i}${j}`).join(' || ')})`,
  );
  const source = [
    ...pigeons,
    ...Array.from({ length: 8 }, (_, j) =>
      Array.from({ length: 9 }, (_, a) => Array.from({ length: a }, (_, b) => `(!p${a}${j} || !p${b}${j})`)).flat(),
    ).flat(),
  ]
    .join(' && ')
    .replace(/p(\d\d)/g, "(req.Headers['$1'][0] == 'x')");
  expect(isUnsatisfiable(next(source))).toBe(false);
});
