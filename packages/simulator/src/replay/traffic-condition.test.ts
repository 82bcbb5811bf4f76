import { EDGE_V2 } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy, createPhaseEnvironments } from '@tollgate/policy';
import { type Exchange, NO_HEADER_KNOWN, TLS_UNKNOWN } from '@tollgate/traffic';
import { describe, expect, it } from 'vitest';
import { createSimulation } from '../simulation/simulation.ts';
import { decisionValuesOf, readTrafficCondition } from './traffic-condition.ts';

const ADMIN: Exchange = {
  ...{ place: { file: 'a.log', number: 1, unit: 'line' }, time: 0, clientIp: '192.0.2.1', tls: TLS_UNKNOWN },
  ...{ method: 'GET', target: '/admin/x', url: undefined, protocol: undefined, requestHeaders: NO_HEADER_KNOWN },
  response: { status: 404, headers: NO_HEADER_KNOWN, bodySize: undefined },
};

const context = {
  profile: EDGE_V2,
  endpoint: 'https-route',
  environments: createPhaseEnvironments(EDGE_V2, 'https-route'),
} as const;

function answer(expression: string, policy: string): boolean | undefined | readonly string[] {
  const { policy: analysed } = analyzePolicy(new SourceText('p.yaml', policy), context);
  const read = readTrafficCondition(expression, { ...context, decisions: ['decision'] });
  if ('diagnostics' in read) return read.diagnostics.map(({ message }) => message);
  const verdict = createSimulation(analysed!, context).begin().judge(ADMIN);
  return read.holds(ADMIN, { decision: decisionValuesOf(analysed!, EDGE_V2, 'decision')(ADMIN, verdict) });
}

const DENY = `inbound: [{ name: no admin, expressions: ["req.Path.startsWith('/admin')"], actions: [{ type: deny, config: { status_code: 403 } }] }]`;
const MAYBE = `inbound: [{ expressions: ["req.Host == 'a.co'"], actions: [{ type: deny, config: { status_code: 403 } }] }]`;

describe('a condition on traffic', () => {
  it.each([
    ["req.Path.startsWith('/admin') && res.StatusCode == '404'", true],
    ["req.Path == '/'", false],
    ["req.Host == 'a.co'", undefined],
    ["req.Path == '/' && req.Host == 'a.co'", false],
    ["req.Headers['X-A'][0] == '1'", undefined],
    ['int(req.Path) == 1', false],
    ["decision.outcome == 'denied' && decision.status == 403 && decision.action == 'deny'", true],
    ["'inbound 1' in decision.rules && 'no admin' in decision.names", true],
  ])('%s is %s', (expression, expected) => {
    expect(answer(expression, DENY)).toBe(expected);
  });

  it.each([
    ["decision.outcome == 'denied'", undefined],
    ["decision.outcome in ['denied', 'passed']", true],
    ["decision.outcome == 'redirected'", false],
    ['decision.status == 403', undefined],
    ['decision.status in [403, 404]', undefined],
    ['decision.rules.size() == 0', undefined],
  ])('%s is %s of an undetermined decision', (expression, expected) => {
    expect(answer(expression, MAYBE)).toBe(expected);
  });

  it('reports errors', () => {
    expect(answer("req.Pth == '/'", DENY)).toEqual(['`req` has no field `Pth`; did you mean `Path`?']);
    expect(answer('decision.outcme', DENY)).toEqual([
      '`tollgate.Decision` has no field `outcme`; did you mean `outcome`?',
    ]);
    expect(answer('req.Path', DENY)).toEqual(['the expression must be a bool, found string']);
  });
});
