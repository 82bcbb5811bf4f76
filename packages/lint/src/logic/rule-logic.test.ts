import { EDGE_V2 } from '@tollgate/catalog';
import { check, parse } from '@tollgate/cel';
import { fieldPathsOf, inlineBodies } from '@tollgate/cel/tooling';
import { createPhaseEnvironments } from '@tollgate/policy';
import { expect, it } from 'vitest';
import { PathReader } from './rule-logic.ts';

const ENVIRONMENT = createPhaseEnvironments(EDGE_V2, 'https-route').inbound!;

/** Drops paths that another path contains. */
function wholes(paths: Iterable<string>): readonly string[] {
  const all = new Set(paths);
  return [...all].filter(path => ![...all].some(other => path.startsWith(`${other}.`))).toSorted();
}

it.each([
  "req.Path == '/a' && conn.Geo.CountryCode in ['A', req.Host]",
  "req.Headers['X'][0] == req.Method || 'Y' in req.Headers",
  "hasReqHeader('X') && getReqHeader(req.Host)[0] == 'a'",
  "hasReqHeader(req.Path + 'x') || inCidrRange(conn.ClientIP, '10.0.0.0/8')",
  "getReqHeader('User-Agent').exists(agent, agent.matches(req.Host))",
  "hasReqCookie('a') && req.Cookies.exists(c, c.Name == req.Method && c.Secure)",
  "getReqCookie(req.Host).Value == 'a'",
  "cel.bind(geo, conn.Geo, geo.CountryCode == 'DE')",
  "inCidrRanges(conn.ClientIP, ['10.0.0.0/8', req.Host])",
  "['a', 'b'].all(x, x == req.Path || [x].exists(y, y == req.Host))",
  'math.greatest(req.ContentLength, 5) > 3 && has(req.URL)',
  'true',
])('reads the same paths from %s as after inlining', source => {
  const { ast } = parse(source, ENVIRONMENT);
  const { typed, diagnostics } = check(ast, ENVIRONMENT);
  expect(diagnostics.filter(one => one.severity === 'error')).toEqual([]);
  const exact = fieldPathsOf(inlineBodies(typed, ENVIRONMENT));
  expect(wholes(new PathReader(ENVIRONMENT).read(typed))).toEqual(wholes(exact));
});
