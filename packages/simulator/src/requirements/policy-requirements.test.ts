import { MODERN } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy } from '@tollgate/policy';
import { describe, expect, it } from 'vitest';
import { policyRequirements } from './policy-requirements.ts';

function requirements(policy: object) {
  const source = new SourceText('p.json', JSON.stringify(policy));
  const analysis = analyzePolicy(source, { profile: MODERN, endpoint: 'http-endpoint' });
  expect(analysis.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return policyRequirements(analysis.policy!, { profile: MODERN, environments: analysis.environments });
}

describe('the requirements of a policy', () => {
  it('are listed for each rule, in the order of the policy', () => {
    const deny = { type: 'deny' };
    const found = requirements({
      on_http_response: [
        { expressions: ["res.headers['x-a'][0] == '1'", 'res.status_code > 499'], actions: [{ type: 'log' }] },
      ],
      on_http_request: [
        { name: 'first', expressions: ["req.method == 'GET' && hasReqHeader('X-Key')"], actions: [deny] },
        { expressions: ["'tier' in vars && actions.ngrok.rate_limit.limited"], actions: [deny] },
      ],
    });
    expect(found).toEqual([
      {
        ...{ phase: 'on_http_request', index: 0, name: 'first', conditions: ['req.headers["x-key"]', 'req.method'] },
        actions: [{ type: 'deny', needs: [] }],
      },
      {
        ...{ phase: 'on_http_request', index: 1, name: undefined, conditions: [] },
        actions: [{ type: 'deny', needs: [] }],
      },
      {
        ...{ phase: 'on_http_response', index: 0, name: undefined },
        conditions: ['res.headers["x-a"]', 'res.status_code'],
        actions: [{ type: 'log', needs: [] }],
      },
    ]);
  });

  it.each([
    [
      'log',
      { metadata: { who: '${conn.client_ip}', what: { path: ['${req.url.path}'] } } },
      ['conn.client_ip', 'req.url.path'],
    ],
    ['add-headers', { headers: { 'x-a': '${req.headers["x-b"][0]}' } }, ['req.headers["x-b"]']],
    ['redirect', { from: '/a', to: '/b' }, ['req.url']],
    ['url-rewrite', { from: '/a', to: '/b?${req.method}' }, ['req.method', 'req.url']],
    ['restrict-ips', { allow: ['10.0.0.0/8'] }, ['conn.client_ip']],
    ['basic-auth', { credentials: ['ada:correct-horse'] }, ['req.headers["authorization"]']],
    ['oauth', { provider: 'google' }, ['whether the client has signed in']],
    [
      'rate-limit',
      { name: 'a', algorithm: 'sliding_window', capacity: 1, rate: '60s', bucket_key: ['conn.client_ip'] },
      ['conn.client_ip', 'the time of the exchange'],
    ],
    ['deny', undefined, []],
  ])('name what the action %s %j depends on', (type, config, needs) => {
    const [rule] = requirements({ on_http_request: [{ actions: [{ type, ...(config && { config }) }] }] });
    expect(rule!.actions).toEqual([{ type, needs }]);
  });
});
