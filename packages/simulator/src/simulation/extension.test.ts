import { EDGE_V2, extendProfile } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy } from '@tollgate/policy';
import { NO_HEADER_KNOWN } from '@tollgate/traffic';
import { expect, it } from 'vitest';
import { createSimulation } from './simulation.ts';

const profile = extendProfile(EDGE_V2, {
  variables: [{ path: 'req.Tenant', type: 'string' }],
  actions: [{ type: 'audit' }, { type: 'vet', terminates: 'on-refusal' }, { type: 'drop', terminates: 'always' }],
});

const EXCHANGE = {
  place: { file: 'a', number: 1, unit: 'entry' },
  time: 0,
  clientIp: undefined,
  tls: { version: undefined, cipherSuite: undefined, serverName: undefined },
  method: 'GET',
  target: '/',
  url: 'https://e.co/',
  protocol: undefined,
  requestHeaders: NO_HEADER_KNOWN,
  response: undefined,
} as const;

it.each([
  ['{actions: [type: audit]}', ['passed'], []],
  ['{actions: [type: vet]}', ['refused', 'passed'], ['what `vet` does']],
  ['{actions: [type: drop]}', ['refused'], []],
  ['{expressions: ["req.Tenant == \'a\'"], actions: [type: deny]}', ['denied', 'passed'], ['req.Tenant']],
])('what an extension adds is unknown except for its declaration: %s', (rule, kinds, needs) => {
  const source = new SourceText('p', `inbound: [${rule}]`);
  const { policy, diagnostics, environments } = analyzePolicy(source, { profile, endpoint: 'https-route' });
  expect(diagnostics).toEqual([]);
  const decision = createSimulation(policy!, { profile, environments }).decide(EXCHANGE);
  expect(decision.outcomes.map(one => one.kind)).toEqual(kinds);
  expect(decision.needs).toEqual(needs);
});
