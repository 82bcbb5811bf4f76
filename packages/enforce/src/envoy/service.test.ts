import { once } from 'node:events';
import { createServer } from 'node:http';
import { type ClientHttp2Stream, connect, constants } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { MODERN } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy, createPhaseEnvironments } from '@tollgate/policy';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEnforcer } from '../enforcer.ts';
import { attributesRead, envoyConfiguration } from './configuration.ts';
import { framed, MessageReader } from './grpc.ts';
import { ProcessingRequestSchema, type ProcessingResponse, ProcessingResponseSchema } from './messages.ts';
import { createEnvoyService, type EnvoyFault } from './service.ts';
import { ENVOY_HOST } from './translate.ts';

const endpoint = MODERN.endpoints[0]!;
const environments = createPhaseEnvironments(MODERN, endpoint);

function policyOf(text: string) {
  const { policy, diagnostics } = analyzePolicy(new SourceText('policy.yaml', text), {
    ...{ profile: MODERN, endpoint, environments },
  });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return policy!;
}

function enforcerOf(text: string) {
  const created = createEnforcer(policyOf(text), { profile: MODERN, environments, host: ENVOY_HOST });
  if ('refusals' in created) throw new Error(created.refusals[0]!.message);
  return created.enforcer;
}

const POLICY = `on_http_request:
  - expressions: ["req.url.path == '/admin' && conn.client_ip != '203.0.113.9'"]
    actions: [{ type: deny }]
  - expressions: ["req.headers['x-key'][0] == 'Ã¼'"]
    actions: [{ type: deny, config: { status_code: 418 } }]
on_http_response:
  - actions: [{ type: add-headers, config: { headers: { x-seen: yes } } }]
`;

let enforcer = enforcerOf(POLICY);
const faults: EnvoyFault[] = [];
const service = createEnvoyService(() => enforcer, { onFault: fault => void faults.push(fault) });
beforeAll(() => once(service.server.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => service.stop(100));

/** Opens a stream to the service, as Envoy does for each request. */
function opened(attributes: string, path = '/envoy.service.ext_proc.v3.ExternalProcessor/Process') {
  const session = connect(`http://127.0.0.1:${(service.server.address() as AddressInfo).port}`);
  session.on('error', () => {});
  const stream = session.request({
    ...{ ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers' },
    'x-tollgate-attributes': attributes,
  });
  stream.on('error', () => {});
  stream.once('close', () => session.close());
  return stream;
}

async function reply(stream: ClientHttp2Stream, message: Buffer): Promise<ProcessingResponse> {
  stream.write(message);
  const reader = new MessageReader();
  for (;;) {
    const [chunk] = await once(stream, 'data');
    const [first] = reader.read(chunk);
    if (first) return fromBinary(ProcessingResponseSchema, first);
  }
}

const encoder = new TextEncoder();

function headersMessage(kind: 'requestHeaders' | 'responseHeaders', fields: object, from?: string): Buffer {
  const headers = Object.entries(fields).map(([key, value]) => ({
    key,
    rawValue: typeof value === 'string' ? encoder.encode(value) : value,
  }));
  const attributes = from === undefined ? {} : { 'envoy.filters.http.ext_proc': { 'source.address': from } };
  const request = { case: kind, value: { headers: { headers } } } as const;
  return framed(toBinary(ProcessingRequestSchema, create(ProcessingRequestSchema, { request, attributes })));
}

const GET = { ':method': 'GET', ':scheme': 'https', ':authority': 'a.example', ':path': '/' };

/** What a message says, by name and value. */
function told({ response }: ProcessingResponse) {
  if (response.case === 'immediateResponse')
    return [response.value.status?.code, new TextDecoder().decode(response.value.body)];
  const mutation = response.value?.response?.headerMutation;
  const set = mutation?.setHeaders.map(({ header }) => [header?.key, new TextDecoder().decode(header?.rawValue)]);
  return [response.case, ...(set ?? [])];
}

describe('the service for Envoy', () => {
  it('decides the request and then the response', async () => {
    const stream = opened('source.address');
    expect(told(await reply(stream, headersMessage('requestHeaders', GET, '127.0.0.1:4')))).toEqual(['requestHeaders']);
    expect(told(await reply(stream, headersMessage('responseHeaders', { ':status': '200' })))).toEqual([
      'responseHeaders',
      ['x-seen', 'yes'],
    ]);
    stream.close(constants.NGHTTP2_CANCEL);
  });

  it.each([
    ['an answer of the policy', { ':path': '/admin' }, '127.0.0.1:4', [403, '']],
    ['a client in brackets', { ':path': '/admin' }, '[2001:db8::1]:4', [403, '']],
    ['a client that may pass', { ':path': '/admin' }, '203.0.113.9:4', ['requestHeaders']],
    ['a mapped address', { ':path': '/admin' }, '[::ffff:203.0.113.9]:4', ['requestHeaders']],
    [
      'two hosts, which Envoy joins',
      { ':authority': 'a.example,b.example' },
      '127.0.0.1:4',
      [400, 'more than one Host header\n'],
    ],
    ['no host', { ':authority': '' }, '127.0.0.1:4', [400, 'no valid host\n']],
    ['a host that would hide the path', { ':authority': 'x/?' }, '127.0.0.1:4', [400, 'no valid host\n']],
    ['bytes that are not UTF-8 are Latin-1', { 'x-key': Uint8Array.of(0xc3, 0xfc) }, '127.0.0.1:4', ['requestHeaders']],
    ['UTF-8', { 'x-key': 'Ã¼' }, '127.0.0.1:4', [418, '']],
  ])('%s', async (_, fields, from, expected) => {
    const stream = opened('source.address');
    expect(told(await reply(stream, headersMessage('requestHeaders', { ...GET, ...fields }, from)))).toEqual(expected);
    stream.close(constants.NGHTTP2_CANCEL);
  });

  it('answers with 500 what depends on an attribute that Envoy does not send', async () => {
    const stream = opened('');
    const message = headersMessage('requestHeaders', { ...GET, ':path': '/admin' });
    expect(told(await reply(stream, message))).toEqual([500, 'undetermined\n']);
    stream.close(constants.NGHTTP2_CANCEL);
  });

  it('takes the policy that is in use when the request arrives', async () => {
    const before = opened('source.address');
    expect(told(await reply(before, headersMessage('requestHeaders', GET, '127.0.0.1:4')))).toEqual(['requestHeaders']);
    enforcer = enforcerOf('on_http_request: [{ actions: [{ type: deny, config: { status_code: 410 } }] }]');
    const after = opened('source.address');
    expect(told(await reply(after, headersMessage('requestHeaders', GET, '127.0.0.1:4')))).toEqual([410, '']);
    // The exchange that has begun is decided by the policy that it began with.
    expect(told(await reply(before, headersMessage('responseHeaders', { ':status': '200' })))).toEqual([
      'responseHeaders',
      ['x-seen', 'yes'],
    ]);
    enforcer = enforcerOf(POLICY);
    for (const stream of [before, after]) stream.close(constants.NGHTTP2_CANCEL);
  });

  it('validates tokens before it answers, in order, also if the stream has ended meanwhile', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    const keys = createServer(
      (_, response) => void exportJWK(publicKey).then(key => response.end(JSON.stringify({ keys: [key] }))),
    );
    await once(keys.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(keys.address() as AddressInfo).port}/keys.json`;
    const config = {
      issuer: { allow_list: [{ value: 'me' }] },
      http: { tokens: [{ type: 'jwt', method: 'header', name: 'x-token' }] },
      jws: { allowed_algorithms: ['ES256'], keys: { sources: { additional_jkus: [url] } } },
    };
    const added = {
      type: 'add-headers',
      config: { headers: { 'x-who': '${actions.ngrok.jwt_validation.tokens[0].payload.sub}' } },
    };
    enforcer = enforcerOf(
      JSON.stringify({ on_http_request: [{ actions: [{ type: 'jwt-validation', config }, added] }] }),
    );
    const good = await new SignJWT({ iss: 'me', sub: 'ann' }).setProtectedHeader({ alg: 'ES256' }).sign(privateKey);
    const repliesTo = async (token: string) => {
      const stream = opened('source.address');
      stream.write(headersMessage('requestHeaders', { ...GET, 'x-token': token }, '127.0.0.1:4'));
      stream.end(headersMessage('responseHeaders', { ':status': '200' }));
      const reader = new MessageReader();
      const messages: unknown[] = [];
      for await (const chunk of stream)
        messages.push(...[...reader.read(chunk)].map(one => told(fromBinary(ProcessingResponseSchema, one))));
      return messages;
    };
    expect(await repliesTo(good)).toEqual([['requestHeaders', ['x-who', 'ann']], ['responseHeaders']]);
    expect(await repliesTo(`${good.slice(0, -40)}${good.slice(-39)}A`)).toEqual([[401, '']]);
    keys.close();
    enforcer = enforcerOf(POLICY);
  });

  // An end without an error lets the request pass in Envoy.
  it.each([
    ['a compressed message', Buffer.of(1, 0, 0, 0, 0), 'expected a message without compression'],
    [
      'a message of 4 GiB',
      Buffer.of(0, 255, 255, 255, 255),
      'a message has 4294967295 bytes; at most 16777216 are read',
    ],
    ['no message', framed(Buffer.from('garbage')), expect.any(String)],
    [
      'a body',
      framed(toBinary(ProcessingRequestSchema, create(ProcessingRequestSchema))),
      expect.stringContaining('expected the headers'),
    ],
    ['a message that is cut', Buffer.of(0, 0, 0, 0, 9, 1), 'the stream ended within a message'],
  ])('ends with an error at %s', async (_, bytes, message) => {
    faults.length = 0;
    const stream = opened('source.address');
    stream.resume();
    stream.end(bytes);
    await new Promise<void>(resolve => void stream.once('close', resolve));
    expect([stream.rstCode, faults.map(fault => fault.message)]).toEqual([constants.NGHTTP2_INTERNAL_ERROR, [message]]);
  });

  it('knows no other method', async () => {
    const stream = opened('', '/grpc.health.v1.Health/Check');
    const [headers] = await once(stream, 'response');
    expect(headers['grpc-status']).toBe('12');
    stream.close();
  });
});

it('lets Envoy send exactly the attributes that a policy reads', () => {
  const options = { profile: MODERN, environments, service: { host: '127.0.0.1', port: 9191 } };
  const attributesOf = (condition: string) =>
    attributesRead(
      policyOf(`on_http_request: [{ expressions: ["${condition}"], actions: [{ type: deny }] }]`),
      options,
    );
  expect(attributesOf("req.url.path == '/'")).toEqual([]);
  expect(attributesOf("conn.client_ip == ''")).toEqual(['source.address']);
  expect(attributesOf('conn.server_port == 1 || conn.tls.version == req.version')).toEqual([
    ...['connection.tls_version', 'destination.address', 'request.protocol'],
  ]);
  const text = JSON.stringify(envoyConfiguration(policyOf(POLICY), options));
  expect(text).toContain('"request_attributes":["source.address"]');
  expect(text).toContain('"failure_mode_allow":false');
});
