import { createHmac, type webcrypto } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EDGE_V2, MODERN, type Profile } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { createEnforcer, type DecisionRecord, type Enforcer, type EnforcerOptions } from '@tollgate/enforce';
import { FETCH_HOST, fetchHandler } from '@tollgate/enforce/fetch';
import { liveExchange, NODE_HOST, nodeMiddleware } from '@tollgate/enforce/node';
import { type ActionAssumptions, analyzePolicy } from '@tollgate/policy';
import { createSimulation } from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import { exportJWK, exportSPKI, generateKeyPair, type JWK, SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { compiledPolicy, exportsOf } from '../simulation/compiled-module.ts';
import { expectSameReplay, recordedExchanges } from './decision-logs.ts';

// Tokens are validated with the keys of their issuer before a decision, which is the simulator's if it is told whether they are valid.

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

async function listening(handle: RequestListener): Promise<number> {
  const server = createServer(handle);
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

const AUDIENCE = 'https://api.example';
const rsa = await generateKeyPair('RS256', { extractable: true });
const ec = await generateKeyPair('ES256');
const other = await generateKeyPair('RS256');
const rotated = await generateKeyPair('RS256');
const jwk = async (key: webcrypto.CryptoKey, kid: string, alg: string): Promise<JWK> => ({
  ...(await exportJWK(key)),
  kid,
  alg,
});
const KEYS = [await jwk(rsa.publicKey, 'rsa', 'RS256'), await jwk(ec.publicKey, 'ec', 'ES256')];

/** What the server of the issuer does at a path. */
const issuerServer: { keys: JWK[]; answer?: RequestListener | undefined; asked: string[] } = { keys: KEYS, asked: [] };
let issuer = '';
beforeAll(async () => {
  const port = await listening((request, response) => {
    issuerServer.asked.push(request.url!);
    if (issuerServer.answer !== undefined) issuerServer.answer(request, response);
    else if (request.url === '/keys.json') response.end(JSON.stringify({ keys: issuerServer.keys }));
    else if (request.url === '/.well-known/openid-configuration')
      response.end(JSON.stringify({ issuer, jwks_uri: `${issuer}keys.json` }));
    else response.writeHead(404).end();
  });
  issuer = `http://127.0.0.1:${port}/`;
});
afterEach(() => void vi.useRealTimers());
beforeEach(() => Object.assign(issuerServer, { keys: KEYS, answer: undefined, asked: [] }));

/** Requests for the keys that an issuer names. */
const PATHS = ['/.well-known/openid-configuration', '/keys.json'];

interface Settings {
  readonly keySets?: readonly string[];
  readonly algorithms?: readonly string[];
  readonly token?: object;
}

function validation({ keySets = [`${issuer}keys.json`], algorithms = ['RS256', 'ES256'], token = {} }: Settings) {
  const config = {
    issuer: { allow_list: [{ value: issuer }] },
    audience: { allow_list: [{ value: AUDIENCE }] },
    http: { tokens: [{ type: 'jwt', method: 'header', name: 'Authorization', prefix: 'Bearer ', ...token }] },
    jws: {
      allowed_algorithms: algorithms,
      ...(keySets.length > 0 && { keys: { sources: { additional_jkus: keySets } } }),
    },
  };
  return { type: 'jwt-validation', config };
}

const TOKENS = 'actions.ngrok.jwt_validation.tokens';
const policyWith = (settings: Settings = {}) => ({
  on_http_request: [
    { expressions: ["req.url.path.startsWith('/api')"], actions: [validation(settings)] },
    {
      expressions: [`${TOKENS}[0].payload.role == 'admin' && ${TOKENS}[0].payload.exp > 1000`],
      actions: [{ type: 'add-headers', config: { headers: { 'x-admin': `\${${TOKENS}[0].payload.sub}` } } }],
    },
    {
      expressions: [`'nobody' in ${TOKENS}[0].payload.groups`],
      actions: [{ type: 'custom-response', config: { status_code: 202, body: `\${${TOKENS}[0].header.kid}` } }],
    },
  ],
});

function analysed(document: object, profile: Profile = MODERN) {
  const source = new SourceText('policy.json', JSON.stringify(document));
  const endpoint = profile === MODERN ? 'http-endpoint' : 'https-route';
  const { policy, environments, diagnostics } = analyzePolicy(source, { profile, endpoint });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return { policy: policy!, preparation: { profile, environments } };
}

function simulated(document: object, options: Partial<EnforcerOptions> = {}, profile = MODERN): Enforcer {
  const { policy, preparation } = analysed(document, profile);
  const result = createEnforcer(policy, { ...preparation, host: NODE_HOST, ...options });
  if ('refusals' in result) throw new Error(result.refusals.map(({ message }) => message).join('\n'));
  return result.enforcer;
}

function codeOf(document: object, profile = MODERN): string {
  const { policy, preparation } = analysed(document, profile);
  const result = compiledPolicy(policy, preparation);
  if ('uncompiled' in result) throw new Error(result.uncompiled.map(({ message }) => message).join('\n'));
  return result.code;
}

const compiled = (document: object, options: Partial<EnforcerOptions> = {}, profile = MODERN): Enforcer =>
  exportsOf(codeOf(document, profile)).createEnforcer(options);

const now = () => Math.floor(Date.now() / 1000);

function signed(
  claims: object = {},
  {
    key = rsa.privateKey,
    header = {},
  }: { readonly key?: webcrypto.CryptoKey | Uint8Array; readonly header?: object } = {},
): Promise<string> {
  const payload = { iss: issuer, aud: AUDIENCE, sub: 'ann', exp: now() + 60, ...claims };
  return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: 'rsa', ...header }).sign(key);
}

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Tokens that no key makes valid, or that are not signed as they say. */
async function hostileTokens(): Promise<Readonly<Record<string, string>>> {
  const claims = { iss: issuer, aud: AUDIENCE, sub: 'ann', role: 'admin', exp: now() + 60 };
  const confused = `${part({ alg: 'HS256', kid: 'rsa' })}.${part(claims)}`;
  const pem = await exportSPKI(rsa.publicKey);
  const good = await signed(claims);
  const [header, , signature] = good.split('.');
  return {
    'of another issuer': await signed({ iss: 'https://other.example/' }),
    'for another audience': await signed({ aud: ['https://other.example'] }),
    'without an issuer': await signed({ iss: undefined }),
    'that has expired': await signed({ exp: now() - 1 }),
    'that is not valid yet': await signed({ nbf: now() + 60 }),
    'whose time is not a number': await signed({ exp: 'never' }),
    'of an unknown key': await signed({}, { header: { kid: 'none' } }),
    'signed by another key': await signed({}, { key: other.privateKey }),
    'without a signature': `${part({ alg: 'none' })}.${part(claims)}.`,
    'without a signature, as if it had one': `${part({ alg: 'none' })}.${part(claims)}.AAAA`,
    'signed with the public key as a secret': `${confused}.${createHmac('sha256', pem).update(confused).digest('base64url')}`,
    'with other claims than were signed': `${header}.${part({ ...claims, sub: 'bob' })}.${signature}`,
    'with a critical extension': `${part({ alg: 'RS256', kid: 'rsa', crit: ['exp'], exp: 1 })}.${part(claims)}.${signature}`,
    'that is cut off': good.slice(0, -8),
    'that is none': 'abc',
  };
}

type Seen = readonly [status: number, body: string];

/** Returns what an application behind a policy answers, and how the request looked like to the middleware. */
async function behindNode(enforcer: Enforcer) {
  const exchanges: Exchange[] = [];
  const middleware = nodeMiddleware(() => enforcer);
  const port = await listening((request, response) => {
    exchanges.push(liveExchange(request));
    middleware(request, response, () => response.end(`passed ${request.headers['x-admin'] ?? ''}`));
  });
  const send = async (headers: Record<string, string>, path = '/api/books'): Promise<Seen> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
    return [answer.status, await answer.text()];
  };
  return { exchanges, send };
}

async function behindFetch(enforcer: Enforcer, headers: Record<string, string>): Promise<Seen> {
  const handler = fetchHandler(
    () => enforcer,
    request => new Response(`passed ${request.headers.get('x-admin') ?? ''}`),
  );
  const answer = await handler(new Request('https://a.example/api/books', { headers }));
  return [answer.status, await answer.text()];
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Returns what the simulator decides if it is told whether the tokens are valid, and what they say. */
function toldDecision(document: object, exchange: Exchange, assumed: ActionAssumptions[string]): Seen {
  const { policy, preparation } = analysed(document);
  const simulation = createSimulation(policy, { ...preparation, assume: { 'jwt-validation': assumed } });
  const { outcomes, upstream, response } = simulation.begin().decide(exchange);
  expect(outcomes).toHaveLength(1);
  if (outcomes[0]!.kind !== 'passed') return [response!.status as number, response!.body as string];
  return [200, `passed ${String(upstream.request.headers['x-admin'] ?? '')}`];
}

function toldOf(token: string): ActionAssumptions[string] {
  const [header, payload] = token.split('.').map(text => {
    try {
      return JSON.parse(Buffer.from(text, 'base64url').toString());
    } catch {
      return undefined;
    }
  });
  return { passes: true, tokens: [{ header, payload, verified: true, location: 'header' }] };
}

const WAYS = [
  ['decided by the simulator', simulated],
  ['compiled', compiled],
] as const;

describe.each(WAYS)('a token, %s', (_, enforcerOf) => {
  it('passes if it is valid, and later rules see its claims as in a simulation', async () => {
    const document = policyWith();
    const records: DecisionRecord[] = [];
    const { send, exchanges } = await behindNode(enforcerOf(document, { onDecision: one => void records.push(one) }));
    const tokens = [
      await signed(),
      await signed({ aud: ['https://other.example', AUDIENCE], nbf: now() - 5 }),
      await signed({ role: 'admin' }),
      await signed({ role: 'admin', exp: undefined }),
      await signed({ role: 'admin', sub: undefined }),
      await signed(
        { role: { of: 'admin' }, groups: ['nobody'] },
        { key: ec.privateKey, header: { alg: 'ES256', kid: 'ec' } },
      ),
      await signed({ groups: ['nobody'] }),
      await signed({}, { header: { kid: undefined } }),
    ];
    const seen: Seen[] = [];
    for (const [at, token] of tokens.entries()) {
      const answer = await send(bearer(token));
      seen.push(answer);
      expect(answer).toEqual(toldDecision(document, exchanges[at]!, toldOf(token)));
      expect(await behindFetch(enforcerOf(document, { host: FETCH_HOST }), bearer(token))).toEqual(answer);
    }
    expect(seen.map(one => one.join(' '))).toEqual([
      ...[
        '200 passed ',
        '200 passed ',
        '200 passed ann',
        '200 passed ',
        '200 passed ',
        '202 ec',
        '202 rsa',
        '200 passed ',
      ],
    ]);
    const { policy, preparation } = analysed(document);
    expect(records).toHaveLength(tokens.length);
    await expectSameReplay(records, policy, preparation);
  });

  it('is refused in all other cases, as the simulator refuses', async () => {
    const document = policyWith();
    const records: DecisionRecord[] = [];
    const { send, exchanges } = await behindNode(enforcerOf(document, { onDecision: one => void records.push(one) }));
    for (const [name, token] of Object.entries(await hostileTokens())) {
      const answer = await send(bearer(token));
      expect([name, ...answer]).toEqual([name, 401, '']);
      expect(answer).toEqual(toldDecision(document, exchanges.at(-1)!, 'refuses'));
      expect([name, ...(await behindFetch(enforcerOf(document, { host: FETCH_HOST }), bearer(token)))]).toEqual([
        name,
        401,
        '',
      ]);
    }
    expect(await send({})).toEqual([401, '']);
    expect(await send({ authorization: `bearer ${await signed()}` })).toEqual([401, '']);
    expect(await send(bearer('abc'), '/books')).toEqual([200, 'passed ']);
    const { policy, preparation } = analysed(document);
    expect(new Set(records.map(({ decision }) => decision.outcome))).toEqual(new Set(['refused', 'passed']));
    await expectSameReplay(records, policy, preparation);
  });

  it('is known in the log to policies that would have validated it the same way', async () => {
    const records: DecisionRecord[] = [];
    const { send } = await behindNode(enforcerOf(policyWith(), { onDecision: one => void records.push(one) }));
    await send(bearer(await signed()));
    await send(bearer(await signed({}, { key: other.privateKey })));
    const recorded = await recordedExchanges(records);
    const replayed = (document: object) => {
      const { policy, preparation } = analysed(document);
      const run = createSimulation(policy, preparation).begin();
      return recorded.map(exchange => run.decide(exchange).outcomes.map(({ kind }) => kind));
    };
    const certain = [['passed'], ['refused']];
    const [rule, ...rules] = policyWith().on_http_request;
    expect(replayed({ on_http_request: [{ ...rule, expressions: ["req.method == 'GET'"] }, ...rules] })).toEqual(
      certain,
    );
    const unknown = [
      ['refused', 'passed'],
      ['refused', 'passed'],
    ].map(kinds => expect.arrayContaining(kinds));
    expect(replayed(policyWith({ algorithms: ['RS256'] }))).toEqual(unknown);
    expect(replayed(policyWith({ keySets: [] }))).toEqual(unknown);
    expect(JSON.stringify(records.map(({ verdicts }) => verdicts))).not.toContain(AUDIENCE);
  });

  it('is validated with the keys that its issuer names', async () => {
    const { send } = await behindNode(enforcerOf(policyWith({ keySets: [] })));
    expect(await send(bearer(await signed()))).toEqual([200, 'passed ']);
    expect(await send(bearer(await signed({}, { key: other.privateKey })))).toEqual([401, '']);
    expect(issuerServer.asked).toEqual(PATHS);
  });

  it('is not validated with the keys of an issuer that calls itself otherwise', async () => {
    const { send } = await behindNode(enforcerOf(policyWith({ keySets: [] })));
    issuerServer.answer = (_request, response) =>
      response.end(JSON.stringify({ issuer: 'https://other.example/', jwks_uri: `${issuer}keys.json`, keys: KEYS }));
    expect(await send(bearer(await signed()))).toEqual([500, 'undetermined\n']);
  });

  it('asks for keys once, and again for an unknown one at most every so often', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { send } = await behindNode(enforcerOf(policyWith({ keySets: [] })));
    const [token, later] = [await signed(), await signed({}, { key: rotated.privateKey, header: { kid: 'new' } })];
    const many = await Promise.all(Array.from({ length: 20 }, () => send(bearer(token))));
    expect(new Set(many.map(([status]) => status))).toEqual(new Set([200]));
    expect(issuerServer.asked).toEqual(PATHS);
    issuerServer.keys = [await jwk(rotated.publicKey, 'new', 'RS256')];
    for (let time = 0; time < 5; time++) expect(await send(bearer(later))).toEqual([401, '']);
    expect(await send(bearer(token))).toEqual([200, 'passed ']);
    expect(issuerServer.asked).toEqual(PATHS);
    vi.setSystemTime(Date.now() + 31_000);
    expect(await send(bearer(later))).toEqual([200, 'passed ']);
    // A key that its issuer has withdrawn.
    expect(await send(bearer(token))).toEqual([401, '']);
    expect(issuerServer.asked).toEqual([...PATHS, ...PATHS]);
  });
});

describe.each(WAYS)('without keys, a token is undetermined, %s', (_, enforcerOf) => {
  const huge = JSON.stringify({ keys: KEYS, padding: 'x'.repeat(300_000) });
  it.each<[string, RequestListener, RegExp]>([
    ['are answered with an error', (_request, response) => response.writeHead(503).end(), /^the keys at http/],
    [
      'are somewhere else',
      (_request, response) => response.writeHead(302, { location: `${issuer}keys.json` }).end(),
      /^the keys at/,
    ],
    ['do not come', () => {}, /^the keys at/],
    ['come without an end', (_request, response) => void response.write('{"keys": ['), /^the keys at/],
    ['are too many', (_request, response) => response.end(huge), /^the keys at/],
    ['are none', (_request, response) => response.end('<html>'), /^the keys at/],
    ['are of another form', (_request, response) => response.end('{"keys": [1]}'), /^the keys at/],
    ['break off', (_request, response) => void response.destroy(), /^the keys at/],
  ])('if they %s', async (_name, answer, needs) => {
    const records: DecisionRecord[] = [];
    const enforcer = enforcerOf(policyWith(), { keyTimeout: 300, onDecision: one => void records.push(one) });
    const { send } = await behindNode(enforcer);
    issuerServer.answer = answer;
    const token = await signed();
    expect(await send(bearer(token))).toEqual([500, 'undetermined\n']);
    expect(records[0]!.decision.needs).toEqual([expect.stringMatching(needs)]);
    // Neither asks again at once nor waits, and decides what needs no key.
    const asked = issuerServer.asked.length;
    expect(await send(bearer(token))).toEqual([500, 'undetermined\n']);
    expect(await send(bearer(await signed({ aud: 'x' })))).toEqual([401, '']);
    expect(await send(bearer(token), '/books')).toEqual([200, 'passed ']);
    expect(issuerServer.asked).toHaveLength(asked);
  });

  it('changes nothing in shadow mode', async () => {
    const records: DecisionRecord[] = [];
    const enforcer = enforcerOf(policyWith(), { mode: 'shadow', onDecision: one => void records.push(one) });
    const { send } = await behindNode(enforcer);
    for (const token of [await signed(), await signed({ exp: 1 })])
      expect(await send(bearer(token))).toEqual([200, 'passed ']);
    expect(records.map(({ decision }) => decision.outcome)).toEqual(['passed', 'refused']);
  });
});

it.each(WAYS)('a policy of edge-v2 takes texts as they are, %s', async (_, enforcerOf) => {
  const document = { inbound: [{ actions: [validation({ token: { prefix: '${x} ' } })] }] };
  const { send } = await behindNode(enforcerOf(document, {}, EDGE_V2));
  expect(await send({ authorization: `\${x} ${await signed()}` })).toEqual([200, 'passed ']);
  expect(await send(bearer(await signed()))).toEqual([401, '']);
});

it('the function of a module waits for keys, and only that of a policy with tokens does', async () => {
  const { request } = exportsOf<Promise<ReturnType<Enforcer['begin']>>>(codeOf(policyWith()));
  const decided = async (token: string) => {
    const rawHeaders = ['Host', 'a.example', 'Authorization', `Bearer ${token}`];
    return (await request({ method: 'GET', url: '/api', httpVersion: '1.1', rawHeaders }, { scheme: 'http' })).request;
  };
  expect((await decided(await signed())).kind).toBe('forward');
  expect(await decided(await signed({}, { key: other.privateKey }))).toMatchObject({
    response: { answer: { status: 401 } },
  });
  const plain = codeOf({ on_http_request: [{ actions: [{ type: 'deny' }] }] });
  expect(
    exportsOf(plain).request({ method: 'GET', url: 'http://a.example/', headers: new Headers() }).request.kind,
  ).toBe('respond');
  expect(plain).not.toContain('jose');
});

describe('what cannot be validated is refused where it is written', () => {
  it.each<[Settings, string]>([
    [{ token: { method: 'body', name: 'token' } }, 'tokens in bodies'],
    [{ algorithms: ['RS256', 'HS256'] }, 'tokens signed with `HS256`'],
    [{ token: { name: '${req.host}' } }, 'tokens with computed settings'],
  ])('%o', (settings, tokens) => {
    const { policy, preparation } = analysed({ on_http_request: [{ actions: [validation(settings)] }] });
    const found = createEnforcer(policy, { ...preparation, host: NODE_HOST });
    const refusals = 'refusals' in found ? found.refusals : [];
    expect(refusals.map(({ message }) => message)).toEqual([`${tokens} are not validated by a server on Node`]);
    expect(refusals[0]!.range).toEqual(policy.rules.on_http_request[0]!.actions[0]!.type.range);
    const module = compiledPolicy(policy, preparation);
    expect('uncompiled' in module && module.uncompiled.map(({ message }) => message)).toEqual([
      `a module does not validate ${tokens}`,
    ]);
  });

  it('a token in a header that the policy itself adds before', () => {
    const headers = { authorization: "Bearer ${req.cookies['session'][0].value}" };
    const adds = { type: 'add-headers', config: { headers } };
    const refusalsOf = (actions: readonly object[]) => {
      const { policy, preparation } = analysed({ on_http_request: [{ actions }] });
      const found = createEnforcer(policy, { ...preparation, host: NODE_HOST });
      return 'refusals' in found ? found.refusals.map(({ message }) => message) : [];
    };
    expect(refusalsOf([adds, validation({})])).toEqual([
      'tokens in a header that `add-headers` has set (`authorization`) are not validated by a server on Node',
    ]);
    expect(refusalsOf([validation({}), adds])).toEqual([]);
  });
});
