import { MODERN } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy } from '@tollgate/policy';
import type { Exchange, HeaderField } from '@tollgate/traffic';
import { describe, expect, it } from 'vitest';
import { createSimulation } from '../simulation/simulation.ts';
import { SIGNATURE_HEADERS } from './authentication.ts';

interface Given {
  readonly headers?: readonly HeaderField[];
  readonly complete?: boolean;
  readonly clientIp?: string;
}

function decide(type: string, config: object, { headers = [], complete = true, clientIp = '192.0.2.1' }: Given) {
  const source = new SourceText('p.json', JSON.stringify({ on_http_request: [{ actions: [{ type, config }] }] }));
  const { policy, environments, diagnostics } = analyzePolicy(source, { profile: MODERN, endpoint: 'http-endpoint' });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const exchange: Exchange = {
    place: { file: 'a', number: 1, unit: 'line' },
    ...{ time: 0, clientIp, tls: { version: '', cipherSuite: '', serverName: '' }, method: 'POST', target: '/' },
    ...{ url: 'http://e.co/', protocol: 'HTTP/1.1', response: undefined },
    requestHeaders: { fields: headers, absent: [], complete, withheld: [] },
  };
  const { outcomes, rules } = createSimulation(policy!, { profile: MODERN, environments }).decide(exchange);
  const [rule] = rules;
  const notes = rule !== undefined && 'actions' in rule ? rule.actions.flatMap(action => action.notes) : [];
  return { ends: outcomes.map(({ kind, status }) => `${kind} ${status ?? ''}`.trim()), notes };
}

function token(header: object | string, payload: object | string, signature = 'c2lnbmVk'): string {
  const part = (value: object | string) =>
    typeof value === 'string' ? value : Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part(header)}.${part(payload)}.${signature}`;
}

const CONFIG = {
  issuer: { allow_list: [{ value: 'https://id.example' }] },
  audience: { allow_list: [{ value: 'shop' }, { value: "${req.headers['x-audience'][0]}" }] },
  http: { tokens: [{ type: 'jwt', method: 'header', name: 'authorization', prefix: 'Bearer ' }] },
  jws: { allowed_algorithms: ['RS256'] },
};
const RIGHT = { iss: 'https://id.example', aud: 'shop' };
const AUDIENCE = { name: 'X-Audience', value: 'partners' };

function validate(text: string, given: Given = {}, config: object = CONFIG) {
  const headers = [{ name: 'Authorization', value: `Bearer ${text}` }, ...(given.headers ?? [AUDIENCE])];
  return decide('jwt-validation', config, { ...given, headers });
}

describe('a token', () => {
  it.each([
    ['alg none', token({ alg: 'none' }, RIGHT, ''), '`alg` is `none`, which is not an allowed algorithm'],
    ['alg None', token({ alg: 'None' }, RIGHT), '`alg` is `None`, which is not an allowed algorithm'],
    ['no alg', token({}, RIGHT), '`alg` is missing, which is not an allowed algorithm'],
    [
      'the algorithm of a shared key',
      token({ alg: 'HS256' }, RIGHT),
      '`alg` is `HS256`, which is not an allowed algorithm',
    ],
    [
      'a wrong issuer',
      token({ alg: 'RS256' }, { ...RIGHT, iss: 'https://id.example/' }),
      '`iss` is `https://id.example/`, which is not an allowed issuer',
    ],
    ['no issuer', token({ alg: 'RS256' }, { aud: 'shop' }), '`iss` is missing, which is not an allowed issuer'],
    [
      'a wrong audience',
      token({ alg: 'RS256' }, { ...RIGHT, aud: ['a', 'b'] }),
      '`aud` is `a, b`, which is not an allowed audience',
    ],
    ['no audience', token({ alg: 'RS256' }, { iss: RIGHT.iss }), '`aud` is missing, which is not an allowed audience'],
    ['two parts', token({ alg: 'RS256' }, RIGHT).replace(/\.\w*$/, ''), 'it is not a JSON Web Token'],
    ['a payload that is not JSON', token({ alg: 'RS256' }, 'e30x'), 'it is not a JSON Web Token'],
    ['a payload that is no object', token({ alg: 'RS256' }, 'W10'), 'it is not a JSON Web Token'],
  ])('with %s is certainly refused', (_, text, reason) => {
    expect(validate(text)).toEqual({ ends: ['refused 401'], notes: [{ kind: 'invalid-token', reason }] });
  });

  it.each([
    ['a right one', token({ alg: 'RS256' }, RIGHT), {}],
    ['one of several audiences', token({ alg: 'RS256' }, { ...RIGHT, aud: ['x', 'shop'] }), {}],
    ['an audience of the request', token({ alg: 'RS256' }, { ...RIGHT, aud: 'partners' }), {}],
    [
      'an audience that may be of the request',
      token({ alg: 'RS256' }, { ...RIGHT, aud: 'other' }),
      { headers: [], complete: false },
    ],
  ])('may be valid: %s', (_, text, given) => {
    expect(validate(text, given).ends).toEqual(['refused 401', 'passed']);
  });

  it('may be opaque if it is an access token', () => {
    const config = { ...CONFIG, http: { tokens: [{ ...CONFIG.http.tokens[0], type: 'access_token' }] } };
    expect(validate('opaque', {}, config).ends).toEqual(['refused 401', 'passed']);
    expect(validate(token({ alg: 'none' }, RIGHT), {}, config).ends).toEqual(['refused 401']);
  });
});

describe('a webhook', () => {
  it.each(['twitter', 'worldline'])('of %s may be an unsigned handshake', provider => {
    expect(decide('verify-webhook', { provider, secret: 's' }, {}).ends).toEqual(['refused 403', 'passed']);
  });

  it.each(Object.entries(SIGNATURE_HEADERS))('of %s is certainly refused without its signature', (provider, [name]) => {
    const config = { provider, secret: 's', enforce: true };
    expect(decide('verify-webhook', config, {}).ends).toEqual(['refused 403']);
    const signed = decide('verify-webhook', config, { headers: [{ name: name!, value: 'x' }] });
    expect(signed.ends).toEqual(['refused 403', 'passed']);
    expect(decide('verify-webhook', config, { complete: false }).ends).toEqual(['refused 403', 'passed']);
  });

  it('passes without its signature if that is not enforced', () => {
    const found = decide('verify-webhook', { provider: 'github', secret: 's', enforce: false }, {});
    expect(found).toEqual({ ends: ['passed'], notes: [{ kind: 'not-enforced' }] });
  });
});

describe('an address', () => {
  it.each([
    [{ enforce: true, allow: ['192.0.2.0/24'] }, '192.0.2.1', 'passed', { verdict: 'allow', range: '192.0.2.0/24' }],
    [{ enforce: true, allow: ['192.0.2.0/24'] }, '203.0.113.7', 'refused 403', { verdict: 'deny', range: undefined }],
    [
      { enforce: true, allow: ['0.0.0.0/0'], deny: ['203.0.113.0/24'] },
      '203.0.113.7',
      'refused 403',
      { verdict: 'deny', range: '203.0.113.0/24' },
    ],
  ])('is reported once as allowed or denied: %j', (config, clientIp, end, admission) => {
    const found = decide('restrict-ips', config, { clientIp });
    expect(found).toEqual({ ends: [end], notes: [{ kind: 'admission', ...admission }] });
  });
});
