import { EDGE_V2 } from '@tollgate/catalog';
import { check, parse, traceExpression, Unknown } from '@tollgate/cel';
import { inlineBodies } from '@tollgate/cel/tooling';
import { ANSI, PLAIN } from '@tollgate/diagnostics';
import { createPhaseEnvironments } from '@tollgate/policy';
import { describe, expect, it } from 'vitest';
import { drawExpression } from './draw-expression.ts';
import { subExpressions } from './sub-expression.ts';
import { whyFalse } from './trace-view.ts';

const ENVIRONMENT = createPhaseEnvironments(EDGE_V2, 'https-route').inbound;

const TRAFFIC = {
  conn: { Geo: { CountryCode: new Unknown(['conn.Geo.CountryCode']) } },
  req: { Path: '/x', Method: 'GET', Host: '例え.テスト', Headers: { A: ['v'.repeat(200)], B: ['1', '2'] } },
};

function rootOf(source: string) {
  const typed = inlineBodies(check(parse(source, ENVIRONMENT).ast, ENVIRONMENT).typed, ENVIRONMENT);
  return subExpressions(typed, { ...traceExpression(typed, ENVIRONMENT)(TRAFFIC), typed });
}

function drawn(source: string, width = 100): string {
  return drawExpression(rootOf(source), source, { paint: PLAIN, width }).join('\n');
}

describe('the drawing of an expression', () => {
  it('shows each value below its name or operator', () => {
    expect(drawn("req.Method == 'POST' && req.Path == '/x'")).toBe(
      [
        "req.Method == 'POST' && req.Path == '/x'",
        '│          │         │  ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄',
        '"GET"      false     │  not evaluated',
        '                     false',
      ].join('\n'),
    );
  });

  it('counts columns, not characters', () => {
    expect(drawn("'例え' in [req.Host] || req.Host == '例え.テスト'")).toBe(
      [
        "'例え' in [req.Host] || req.Host == '例え.テスト'",
        '       │  ││         │  │        │',
        '       │  ││         │  │        true',
        '       │  ││         │  "例え.テスト"',
        '       │  ││         true',
        '       │  │"例え.テスト"',
        '       │  ["例え.テスト"]',
        '       false',
      ].join('\n'),
    );
  });

  it('breaks lines that are too wide, after operators if there are any', () => {
    expect(drawn("req.Method == 'POST' || req.Path.startsWith('/some/where') || req.Path == '/x'", 60)).toBe(
      [
        "req.Method == 'POST' ||",
        '│          │         │',
        '"GET"      false     false',
        "req.Path.startsWith('/some/where') ||",
        '│        │                         │',
        '"/x"     false                     true',
        "req.Path == '/x'",
        '│        │',
        '"/x"     true',
      ].join('\n'),
    );
  });

  it('continues in the next row what was not evaluated', () => {
    expect(drawn("req.Method == 'POST' && (req.Path == '/a' ||\n  req.Path == '/b')")).toBe(
      [
        "req.Method == 'POST' && (req.Path == '/a' ||",
        '│          │         │   ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄',
        '"GET"      false     │   not evaluated',
        '                     false',
        "  req.Path == '/b')",
        '  ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄',
      ].join('\n'),
    );
  });

  it('truncates long values, and shows what began where', () => {
    expect(drawn("req.Headers['A'][0] == 'b' || conn.Geo.CountryCode == 'DE'", 80).split('\n').slice(2)).toEqual([
      '│          │    │   false  │  │                    unknown',
      '│          │    │          │  unknown: conn.Geo.CountryCode',
      '│          │    │          unknown',
      `│          │    "${'v'.repeat(58)}…`,
      `│          ["${'v'.repeat(57)}…`,
      `{"A": ["${'v'.repeat(51)}…`,
    ]);
  });

  it('leaves lines without values unchanged', () => {
    expect(drawn('// a comment\n\nreq.Path != req.Path // so\n')).toBe(
      ['// a comment', 'req.Path != req.Path // so', '│        │  │', '"/x"     │  "/x"', '         false'].join('\n'),
    );
  });

  it('is the same with colours as without', () => {
    const source = "req.Headers['B'].exists(b, b == '2') && req.Path.matches('y') && req.Method != ''";
    const coloured = drawExpression(rootOf(source), source, { paint: ANSI, width: 100 }).join('\n');
    expect(coloured).toContain('\u001b[2m');
    expect(coloured.replaceAll(/\u001b\[[\d;]*m/g, '')).toBe(drawn(source));
  });
});

describe('the reason why a condition is false', () => {
  it.each([
    ["req.Method == 'POST'", '`req.Method` was "GET"'],
    ["req.Path.startsWith('/a')", '`req.Path` was "/x"'],
    ["req.Path == '/x' && req.Method == 'POST' && req.Host == ''", '`req.Method` was "GET"'],
    ["req.Path == '/y' || req.Method == 'POST'", '`req.Path` was "/x" and `req.Method` was "GET"'],
    ["!(req.Path == '/x' || req.Method == 'POST')", '`req.Path` was "/x"'],
    ["!(req.Path == '/x' && req.Method == 'GET')", '`req.Path` was "/x" and `req.Method` was "GET"'],
    ["req.Method == 'GET' ? req.Path == '/y' : true", '`req.Method` was "GET" and `req.Path` was "/x"'],
    ["'C' in req.Headers", "`'C' in req.Headers` was false"],
    ['has(req.Headers.C)', '`has(req.Headers.C)` was false'],
    ["getReqHeader('B').exists(b, b == '3')", '`getReqHeader(\'B\')` was ["1", "2"]'],
    ["getReqHeader('A') == []", "`getReqHeader('A') == []` was false"],
    ['size(req.Headers) > 5', '`size(req.Headers)` was 2'],
    [
      "req.Path == '1' || req.Path == '2' || req.Host == '3' || req.Method == '4' || size(req.Path) > 9",
      '`req.Path` was "/x" and `req.Host` was "例え.テスト" and `req.Method` was "GET", and 1 more',
    ],
    ['false', '`false` was false'],
  ])('names the values that decided it: %s', (source, reason) => {
    expect(whyFalse(rootOf(source))).toBe(reason);
  });
});
