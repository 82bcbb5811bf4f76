import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request as requestTo, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { MODERN } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { createEnforcer, type DecisionRecord, type Enforcer, type EnforcerOptions } from '@tollgate/enforce';
import { FETCH_HOST, fetchHandler } from '@tollgate/enforce/fetch';
import { NODE_HOST, nodeMiddleware } from '@tollgate/enforce/node';
import { analyzePolicy } from '@tollgate/policy';
import { afterEach, describe, expect, it } from 'vitest';
import { compiledPolicy, exportsOf } from '../simulation/compiled-module.ts';
import { expectSameReplay } from './decision-logs.ts';

// Signatures of webhooks are verified with the body of the request, which the application reads as it was sent.

type Headers = Readonly<Record<string, string>>;

const SECRET = "It's a Secret to Everybody";
const GITHUB = { provider: 'github', secret: "${secrets.get('hooks', 'github')}" };
const policyWith = (config: object, later: readonly object[] = []) => ({
  on_http_request: [{ actions: [{ type: 'verify-webhook', config }] }, ...later],
});

function analysed(document: object) {
  const source = new SourceText('policy.json', JSON.stringify(document));
  const { policy, environments, diagnostics } = analyzePolicy(source, { profile: MODERN, endpoint: 'http-endpoint' });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return { policy: policy!, environments };
}

const secrets = (vault: string, name: string) => (vault === 'hooks' && name === 'github' ? SECRET : undefined);

function created(document: object, options: Partial<EnforcerOptions> = {}) {
  const { policy, environments } = analysed(document);
  return createEnforcer(policy, { profile: MODERN, environments, host: NODE_HOST, secrets, ...options });
}

function simulated(document: object, options: Partial<EnforcerOptions> = {}): Enforcer {
  const result = created(document, options);
  if ('refusals' in result) throw new Error(result.refusals.map(({ message }) => message).join('\n'));
  return result.enforcer;
}

function compiled(document: object, options: Partial<EnforcerOptions> = {}): Enforcer {
  const { policy, environments } = analysed(document);
  const result = compiledPolicy(policy, { profile: MODERN, environments });
  if ('uncompiled' in result) throw new Error(result.uncompiled.map(({ message }) => message).join('\n'));
  return exportsOf(result.code).createEnforcer({ secrets, ...options });
}

const hexOf = (secret: string | Buffer, data: string | Buffer) =>
  createHmac('sha256', secret).update(data).digest('hex');
const base64Of = (secret: string | Buffer, data: string) => createHmac('sha256', secret).update(data).digest('base64');

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** An application that answers with what it has read, behind a policy. */
async function application(
  enforcer: Enforcer,
  handle: (request: IncomingMessage) => Promise<string> = text,
): Promise<number> {
  const middleware = nodeMiddleware(() => enforcer, { maxBody: 100_000 });
  const server = createServer((request, response) =>
    middleware(request, response, async () => void response.end(`read ${await handle(request)}`)),
  );
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

/** Sends a body in chunks, without its length if there are several. */
async function send(port: number, headers: Headers, chunks: readonly (string | Buffer)[], method = 'POST') {
  const request = requestTo({ port, host: '127.0.0.1', method, headers, agent: false });
  const answered = once(request, 'response') as Promise<[IncomingMessage]>;
  if (chunks.length < 2) request.end(chunks[0]);
  else {
    for (const chunk of chunks) await new Promise(done => request.write(chunk, done));
    request.end();
  }
  const [response] = await answered;
  return [response.statusCode, await text(response)];
}

async function behindFetch(enforcer: Enforcer, headers: Headers, body: string) {
  const handler = fetchHandler(
    () => enforcer,
    async request => new Response(`read ${await request.text()}`),
  );
  const response = await handler(new Request('https://a.example/', { method: 'POST', headers, body }));
  return [response.status, await response.text()];
}

const BODY = 'Hello, World!';
// The example of GitHub's documentation.
const SIGNED = {
  'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
};
const REFUSED = { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` };

const WAYS = [
  ['decided by the simulator', simulated],
  ['compiled', compiled],
] as const;

describe.each(WAYS)('a webhook, %s', (_, enforcerOf) => {
  it('passes on Node with its signature only, and the application reads its body', async () => {
    const port = await application(enforcerOf(policyWith(GITHUB)));
    expect(await send(port, SIGNED, [BODY])).toEqual([200, `read ${BODY}`]);
    expect(await send(port, SIGNED, ['Hello', ', ', 'World!'])).toEqual([200, `read ${BODY}`]);
    expect(await send(port, REFUSED, [BODY])).toEqual([403, '']);
    expect(await send(port, SIGNED, ['Hello, World?'])).toEqual([403, '']);
    expect(await send(port, SIGNED, ['Hello', ', World?'])).toEqual([403, '']);
    expect(await send(port, SIGNED, [])).toEqual([403, '']);
    expect(await send(port, {}, [BODY])).toEqual([403, '']);
    // Only the old signature: nobody knows what the edge makes of it.
    expect(await send(port, { 'x-hub-signature': 'sha1=00' }, [BODY])).toEqual([500, 'undetermined\n']);
  });

  it('passes a fetch handler with its signature only', async () => {
    const enforcer = enforcerOf(policyWith(GITHUB), { host: FETCH_HOST });
    expect(await behindFetch(enforcer, SIGNED, BODY)).toEqual([200, `read ${BODY}`]);
    expect(await behindFetch(enforcer, REFUSED, BODY)).toEqual([403, '']);
    expect(await behindFetch(enforcer, SIGNED, `${BODY}!`)).toEqual([403, '']);
    expect(await behindFetch(enforcer, {}, BODY)).toEqual([403, '']);
    expect(await behindFetch(enforcer, SIGNED, '.'.repeat(1_048_577))).toEqual([500, 'undetermined\n']);
  });

  it('has an empty body that is signed', async () => {
    const port = await application(enforcerOf(policyWith(GITHUB)));
    const signed = { 'x-hub-signature-256': `sha256=${hexOf(SECRET, '')}` };
    expect(await send(port, signed, [])).toEqual([200, 'read ']);
    expect(await send(port, { ...signed, 'transfer-encoding': 'chunked' }, [])).toEqual([200, 'read ']);
  });

  it('is bounded in size', async () => {
    const port = await application(enforcerOf(policyWith(GITHUB)));
    const whole = Buffer.alloc(100_000, 'x');
    const signatureOf = (data: Buffer) => ({ 'x-hub-signature-256': `sha256=${hexOf(SECRET, data)}` });
    const [, body] = await send(port, signatureOf(whole), [whole]);
    expect(body).toHaveLength(100_005);
    const larger = Buffer.alloc(100_001, 'x');
    expect(await send(port, signatureOf(larger), [larger])).toEqual([500, 'undetermined\n']);
    expect(await send(port, signatureOf(larger), [larger.subarray(0, 50_000), larger.subarray(50_000)])).toEqual([
      ...[500, 'undetermined\n'],
    ]);
  });
});

describe.each(WAYS)('a webhook that is decided otherwise, %s', (_, enforcerOf) => {
  it('leaves the body to an application that reads it later', async () => {
    const port = await application(enforcerOf(policyWith(GITHUB)), async request => {
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
      return text(request);
    });
    expect(await send(port, SIGNED, ['Hello', ', World!'])).toEqual([200, `read ${BODY}`]);
    expect(await send(port, SIGNED, [BODY])).toEqual([200, `read ${BODY}`]);
  });

  it('passes without enforcement, and later rules read the result', async () => {
    const verified = { type: 'custom-response', config: { status_code: 202, body: 'verified' } };
    const other = { type: 'custom-response', config: { status_code: 203, body: 'not verified' } };
    const document = policyWith({ ...GITHUB, enforce: false }, [
      { expressions: ['actions.ngrok.verify_webhook.verified'], actions: [verified] },
      { expressions: ['!actions.ngrok.verify_webhook.verified'], actions: [other] },
    ]);
    const records: DecisionRecord[] = [];
    const port = await application(enforcerOf(document, { onDecision: record => void records.push(record) }));
    expect(await send(port, SIGNED, [BODY])).toEqual([202, 'verified']);
    expect(await send(port, REFUSED, [BODY])).toEqual([203, 'not verified']);
    expect(await send(port, {}, [BODY])).toEqual([203, 'not verified']);
    const { policy, environments } = analysed(document);
    await expectSameReplay(records, policy, { profile: MODERN, environments });
  });

  it('changes nothing in shadow mode, where larger bodies are undetermined', async () => {
    const records: DecisionRecord[] = [];
    const enforcer = enforcerOf(policyWith(GITHUB), {
      mode: 'shadow',
      onDecision: record => void records.push(record),
    });
    const port = await application(enforcer);
    expect(await send(port, REFUSED, ['Hello', ', World!'])).toEqual([200, `read ${BODY}`]);
    const large = 'y'.repeat(150_000);
    expect(await send(port, SIGNED, [large.slice(0, 60_000), large.slice(60_000)])).toEqual([200, `read ${large}`]);
    expect(records.map(({ decision }) => decision.outcome)).toEqual(['refused', 'undetermined']);
    const { policy, environments } = analysed(policyWith(GITHUB));
    await expectSameReplay(records, policy, { profile: MODERN, environments });
    expect(records[0]).toMatchObject({ request_headers: { 'x-hub-signature-256': [REFUSED['x-hub-signature-256']] } });
  });

  it('is not verified with a secret that is empty or unknown', async () => {
    const signed = { 'x-hub-signature-256': `sha256=${hexOf('', BODY)}` };
    for (const one of [() => '', () => undefined]) {
      const port = await application(enforcerOf(policyWith(GITHUB), { secrets: one }));
      expect(await send(port, signed, [BODY])).toEqual([500, 'undetermined\n']);
    }
  });
});

const now = () => Math.floor(Date.now() / 1000);
const key = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');

describe.each(WAYS)('a signature, %s', (_, enforcerOf) => {
  it.each<[string, string, number, (body: string, time: number) => Headers]>([
    [
      'slack',
      's3cret',
      300,
      (body, time) => ({
        'x-slack-signature': `v0=${hexOf('s3cret', `v0:${time}:${body}`)}`,
        'x-slack-request-timestamp': String(time),
      }),
    ],
    [
      'stripe',
      'whsec_abc',
      300,
      (body, time) => ({
        'stripe-signature': `t=${time},v1=${'0'.repeat(64)},v1=${hexOf('whsec_abc', `${time}.${body}`)},v0=00`,
      }),
    ],
    [
      'svix',
      `whsec_${key.toString('base64')}`,
      300,
      (body, time) => ({
        'svix-id': 'msg_1',
        'svix-timestamp': String(time),
        'svix-signature': `v1,AAAA v1,${base64Of(key, `msg_1.${time}.${body}`)}`,
      }),
    ],
    [
      'clerk',
      `whsec_${key.toString('base64')}`,
      300,
      (body, time) => ({
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(time),
        'webhook-signature': `v1,${base64Of(key, `msg_1.${time}.${body}`)}`,
      }),
    ],
    ['shopify', 'k', 0, body => ({ 'x-shopify-hmac-sha256': base64Of('k', body) })],
    ['heroku', 'k', 0, body => ({ 'heroku-webhook-hmac-sha256': base64Of('k', body) })],
    ['typeform', 'k', 0, body => ({ 'typeform-signature': `sha256=${base64Of('k', body)}` })],
    ['pagerduty', 'k', 0, body => ({ 'x-pagerduty-signature': `v1=${'1'.repeat(64)},v1=${hexOf('k', body)}` })],
    ['circleci', 'k', 0, body => ({ 'circleci-signature': `v1=${hexOf('k', body)}` })],
    ['bitbucket', 'k', 0, body => ({ 'x-hub-signature': `sha256=${hexOf('k', body)}` })],
    ['whatsapp', 'k', 0, body => ({ 'x-hub-signature-256': `sha256=${hexOf('k', body).toUpperCase()}` })],
    ['dropbox', 'k', 0, body => ({ 'x-dropbox-signature': hexOf('k', body) })],
    ['sentry', 'k', 0, body => ({ 'sentry-hook-signature': hexOf('k', body) })],
    ['launch_darkly', 'k', 0, body => ({ 'x-ld-signature': hexOf('k', body) })],
    ['jira', 'k', 0, body => ({ 'x-hub-signature': `sha256=${hexOf('k', body)}` })],
  ])(
    'of %s is verified as the provider signs, on Node and in a fetch handler',
    async (provider, secret, tolerance, sign) => {
      const records: DecisionRecord[] = [];
      const document = policyWith({ provider, secret });
      const enforcer = enforcerOf(document, { onDecision: one => void records.push(one) });
      const port = await application(enforcer);
      const body = '{"ü": 1}';
      const good = sign(body, now());
      expect(await send(port, good, [body])).toEqual([200, `read ${body}`]);
      expect(await behindFetch(enforcer, good, body)).toEqual([200, `read ${body}`]);
      expect(await send(port, good, [`${body} `])).toEqual([403, '']);
      expect(await behindFetch(enforcer, good, `${body} `)).toEqual([403, '']);
      if (tolerance > 0) {
        expect(await send(port, sign(body, now() - tolerance + 20), [body])).toEqual([200, `read ${body}`]);
        expect(await send(port, sign(body, now() - tolerance - 5), [body])).toEqual([403, '']);
        expect(await send(port, sign(body, now() + tolerance + 20), [body])).toEqual([403, '']);
      }
      const { policy, environments } = analysed(document);
      expect(records).toHaveLength(tolerance > 0 ? 7 : 4);
      expect(JSON.stringify(records)).not.toContain(secret.length > 1 ? secret : 'no secret');
      await expectSameReplay(records, policy, { profile: MODERN, environments });
    },
  );
});

describe('what cannot be verified is refused', () => {
  it.each([
    [{ provider: 'twilio', secret: 'k' }, 'signatures of `twilio` are not verified by a server on Node'],
    [GITHUB, 'secrets are not known to a server on Node that is given none'],
  ])('%o', (config, message) => {
    const found = created(policyWith(config), { secrets: undefined as never });
    expect('refusals' in found && found.refusals.map(one => one.message)).toEqual([message]);
  });

  it('also by hosts without bodies, and when compiling', () => {
    const host = { ...NODE_HOST, name: 'a proxy', actions: new Set(['deny']) };
    const found = created(policyWith(GITHUB), { host });
    expect('refusals' in found && found.refusals[0]!.message).toBe('`verify-webhook` is not carried out by a proxy');
    expect(() => compiled(policyWith({ provider: 'twilio', secret: 'k' }))).toThrow(
      'a module does not verify signatures of `twilio`',
    );
  });
});

describe('secrets in conditions', () => {
  const document = {
    on_http_request: [
      {
        expressions: ["req.method == 'POST'", "!(secrets.get('hooks', 'github') in req.headers['x-key'])"],
        actions: [{ type: 'deny' }],
      },
    ],
  };

  it.each(WAYS)('are those that the server is given, %s', async (_, enforcerOf) => {
    const port = await application(enforcerOf(document));
    expect(await send(port, { 'x-key': SECRET }, ['x'])).toEqual([200, 'read x']);
    expect(await send(port, { 'x-key': 'other' }, ['x'])).toEqual([403, '']);
    const without = await application(enforcerOf(document, { secrets: () => undefined }));
    expect(await send(without, { 'x-key': SECRET }, ['x'])).toEqual([500, 'undetermined\n']);
  });

  it('are refused at the condition by a server that is given none', () => {
    const found = created(document, { secrets: undefined as never });
    const { policy } = analysed(document);
    expect('refusals' in found && found.refusals).toEqual([
      {
        message: 'secrets are not known to a server on Node that is given none',
        range: policy.rules.on_http_request[0]!.expressions[1]!.range,
      },
    ]);
  });
});

it('the function of a module takes the body', () => {
  const { policy, environments } = analysed(policyWith({ provider: 'github', secret: SECRET }));
  const result = compiledPolicy(policy, { profile: MODERN, environments });
  const { request } = exportsOf('code' in result ? result.code : '');
  const rawHeaders = ['Host', 'a.example', 'X-Hub-Signature-256', `sha256=${hexOf(SECRET, 'x')}`];
  const decided = (body?: Uint8Array) =>
    request({ method: 'POST', url: '/', httpVersion: '1.1', rawHeaders }, { scheme: 'http' }, body).request;
  expect(decided(Buffer.from('x')).kind).toBe('forward');
  expect(decided(Buffer.from('y'))).toMatchObject({ response: { answer: { status: 403 } } });
  expect(decided()).toMatchObject({ response: { answer: { status: 500 } } });
});
