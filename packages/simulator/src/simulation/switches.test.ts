import { EDGE_V2, extendProfile, type ProfileSwitches } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy } from '@tollgate/policy';
import type { Exchange } from '@tollgate/traffic';
import { describe, expect, it } from 'vitest';
import { createSimulation } from './simulation.ts';

const EXCHANGE: Exchange = {
  place: { file: 'a.har', number: 1, unit: 'entry' },
  time: 0,
  clientIp: '203.0.113.7',
  tls: { version: 'TLS 1.3', cipherSuite: undefined, serverName: 'e.co' },
  method: 'GET',
  target: '/old?a=$1',
  url: 'https://e.co/old?a=$1',
  protocol: 'HTTP/1.1',
  requestHeaders: { fields: [{ name: 'Host', value: 'e.co' }], absent: [], complete: true, withheld: [] },
  response: undefined,
};

function decide(document: string, switches: Partial<ProfileSwitches>, exchange = EXCHANGE) {
  const profile = extendProfile(EDGE_V2, { switches });
  const { policy, diagnostics, environments } = analyzePolicy(new SourceText('p', document), {
    profile,
    endpoint: 'https-route',
  });
  expect(diagnostics).toEqual([]);
  return createSimulation(policy!, { profile, environments }).decide(exchange);
}

/** Returns the URL after the last rule. */
function urlOf(document: string, switches: Partial<ProfileSwitches>) {
  const last = decide(document, switches).rules.at(-1)!;
  return 'after' in last ? last.after.request.url : undefined;
}

const rule = (rest: string) => `{${rest}}`;
const rewrite = (from: string, to: string) => `{type: url-rewrite, config: {from: '${from}', to: '${to}'}}`;

describe('a switch', () => {
  const failing = `inbound: [${rule("expressions: [\"req.Headers['X'][0] == ''\"], actions: [type: deny]")}]`;

  it.each([
    [{}, ['passed']],
    [{ evaluationError: 'skip-rule' }, ['passed']],
    [{ evaluationError: 'fail-request' }, ['failed']],
  ] as const)('decides what a failing expression does: %j', (switches, kinds) => {
    expect(decide(failing, switches).outcomes.map(one => one.kind)).toEqual(kinds);
  });

  it('leaves it undetermined whether a request fails if an expression reads unknown inputs', () => {
    const unknown = { ...EXCHANGE, requestHeaders: { ...EXCHANGE.requestHeaders, complete: false } };
    const { outcomes } = decide(failing, { evaluationError: 'fail-request' }, unknown);
    expect(outcomes.map(one => one.kind).sort()).toEqual(['denied', 'failed', 'passed']);
  });

  const twice = `inbound: [${rule(`actions: [${rewrite('[?].*', '?b=2')}, ${rewrite('$', '&$args')}]`)}]`;

  it.each([
    [{}, 'https://e.co/old?b=2&b=2'],
    [{ requestVariables: 'current-url' }, 'https://e.co/old?b=2&b=2'],
    [{ requestVariables: 'original-url' }, 'https://e.co/old?b=2&a=$1'],
  ] as const)('decides which URL the parts of the request belong to: %j', (switches, url) => {
    expect(urlOf(twice, switches)).toBe(url);
  });

  const injected = `inbound: [${rule(`actions: [${rewrite('/(old).*', '/new?$args')}]`)}]`;

  it.each([
    [{}, 'https://e.co/new?a=$1'],
    [{ dollarsOfRequest: 'text' }, 'https://e.co/new?a=$1'],
    [{ dollarsOfRequest: 'expanded' }, 'https://e.co/new?a=old'],
  ] as const)('decides what dollar signs in a request mean: %j', (switches, url) => {
    expect(urlOf(injected, switches)).toBe(url);
  });

  it.each([
    [{}, 'TLS 1.3'],
    [{ tlsVersionSpelling: 'TLS 1.3' }, 'TLS 1.3'],
    [{ tlsVersionSpelling: '1.3' }, '1.3'],
    [{ tlsVersionSpelling: 'TLSv1.3' }, 'TLSv1.3'],
  ] as const)('decides how a TLS version is spelled: %j', (switches, spelling) => {
    const expression = `req.ClientTLS.Version == '${spelling}'`;
    const { rules } = decide(`inbound: [${rule(`expressions: ["${expression}"], actions: [type: log]`)}]`, switches);
    expect(rules[0]!.status).toBe('matched');
  });
});
