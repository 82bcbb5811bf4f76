import { EDGE_V2 } from '@tollgate/catalog';
import { check, parse, traceExpression } from '@tollgate/cel';
import { inlineBodies } from '@tollgate/cel/tooling';
import { createPhaseEnvironments } from '@tollgate/policy';
import { describe, expect, it } from 'vitest';
import { type SubExpression, subExpressions } from './sub-expression.ts';
import { valueText } from './value-text.ts';

const ENVIRONMENT = createPhaseEnvironments(EDGE_V2, 'https-route').inbound;

const TRAFFIC = {
  conn: { ClientIP: '203.0.113.7' },
  req: { Path: '/x', Method: 'GET', Headers: { 'User-Agent': ['ab', 'cd'] } },
};

function viewOf(source: string): SubExpression {
  const typed = inlineBodies(check(parse(source, ENVIRONMENT).ast, ENVIRONMENT).typed, ENVIRONMENT);
  return subExpressions(typed, { ...traceExpression(typed, ENVIRONMENT)(TRAFFIC), typed });
}

/** All subexpressions with their values, the outermost first. */
function parts(part: SubExpression): readonly (readonly [string, ...string[]])[] {
  const { text, results, children } = part;
  return [[text, ...results.map(result => valueText(result))], ...children.flatMap(parts)];
}

describe('the subexpressions of an expression', () => {
  it.each<[string, readonly (readonly [string, ...string[]])[]]>([
    [
      "req.Method == 'POST' && req.Path == '/a'",
      [
        ["req.Method == 'POST' && req.Path == '/a'", 'false'],
        ["req.Method == 'POST'", 'false'],
        ['req.Method', '"GET"'],
        ["'POST'", '"POST"'],
        ["req.Path == '/a'"],
        ['req.Path'],
        ["'/a'"],
      ],
    ],
    [
      "getReqHeader('User-Agent').exists(agent, agent.startsWith('c'))",
      [
        ["getReqHeader('User-Agent').exists(agent, agent.startsWith('c'))", 'true'],
        ["getReqHeader('User-Agent')", '["ab", "cd"]'],
        ["'User-Agent'", '"User-Agent"'],
        ["agent.startsWith('c')", 'false', 'true'],
        ['agent', '"ab"', '"cd"'],
        ["'c'", '"c"', '"c"'],
      ],
    ],
    ['has(req.Headers)', [['has(req.Headers)', 'true']]],
    [
      "req.Headers['X'][0] == 'a'",
      [
        ["req.Headers['X'][0] == 'a'", 'error: the map has no key "X"'],
        ["req.Headers['X'][0]", 'error: the map has no key "X"'],
        ["req.Headers['X']", 'error: the map has no key "X"'],
        ['req.Headers', '{"User-Agent": ["ab", "cd"]}'],
        ["'X'", '"X"'],
        ['0'],
        ["'a'"],
      ],
    ],
  ])('follow the source, each with its value: %s', (source, expected) => {
    expect(parts(viewOf(source))).toEqual(expected);
  });

  const all = (part: SubExpression): readonly SubExpression[] => [part, ...part.children.flatMap(all)];

  it.each([
    ["req.Method == 'POST'", ['==', 'req.Method', "'POST'"]],
    ["!inCidrRange(conn.ClientIP, '10.0.0.0/8')", ['!inC', 'inCidrRange', 'conn.ClientIP', "'10.0"]],
    ["req.Headers['X'][0]", ['[0]', "['X']", 'req.Headers', "'X'", '0]']],
    ["req.Path.matches('a')", ['matches', 'req.Path', "'a'"]],
    ["getReqHeader('A').all(a, a != '')", ['all', 'getReqHeader', "'A'", '!=', 'a !=', "''"]],
  ])('have their values below their name or operator: %s', (source, expected) => {
    const found = all(viewOf(source)).map(({ anchor }) => source.slice(anchor));
    expect(found.map((text, index) => text.startsWith(expected[index]!))).toEqual(expected.map(() => true));
  });

  it('show where an error originates', () => {
    const origins = all(viewOf("req.Headers['X'][0] == 'a'")).filter(({ isOrigin }) => isOrigin);
    expect(origins.map(({ text }) => text)).toEqual(["req.Headers['X']"]);
  });
});
