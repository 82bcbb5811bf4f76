import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request as requestTo, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { MODERN } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { createEnforcer, type Enforcer, type Host } from '@tollgate/enforce';
import { analyzePolicy, createPhaseEnvironments } from '@tollgate/policy';
import { expect } from 'vitest';

// Bodies that pass a policy, and those that it sends instead, with every way in which HTTP says how long they are.

const MARKED = { type: 'add-headers', config: { headers: { 'x-checked': 'yes' } } };

function answering(status: number, body: string) {
  return { type: 'custom-response', config: { status_code: status, headers: { 'x-made': 'yes' }, body } };
}

/** The statuses of HTTP without a body are among those that it answers with one. */
const STATUSES = [200, 204, 205, 304, 404, 500];

/** Answers below `/answer`, replaces responses below `/replaced`, changes headers elsewhere. */
export const BODIES_POLICY = {
  on_http_request: [
    ...STATUSES.map(status => ({
      expressions: [`req.url.path == '/answer/${status}'`],
      actions: [answering(status, 'an answer')],
    })),
    { actions: [MARKED] },
  ],
  on_http_response: [
    ...STATUSES.map(status => ({
      expressions: [`req.url.path == '/replaced/${status}'`],
      actions: [answering(status, 'another response')],
    })),
    { actions: [MARKED] },
  ],
};

const endpoint = MODERN.endpoints[0]!;
/** What the policy is analysed with. */
export const BODIES_CONTEXT = { profile: MODERN, environments: createPhaseEnvironments(MODERN, endpoint) };

/** Returns the policy, and an enforcer of it for a host. */
export function bodiesEnforcer(host: Host) {
  const source = new SourceText('bodies.json', JSON.stringify(BODIES_POLICY));
  const { policy, diagnostics } = analyzePolicy(source, { ...BODIES_CONTEXT, endpoint });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const created = createEnforcer(policy!, { ...BODIES_CONTEXT, host });
  if ('refusals' in created) throw new Error(created.refusals[0]!.message);
  const { enforcer }: { readonly enforcer: Enforcer } = created;
  return { policy: policy!, enforcer };
}

const LARGE = Buffer.alloc(3_000_000, 'some text of an application\n');
const COMPRESSED = gzipSync(LARGE);

/** Returns what the application sends at a path after it has read a body. */
export function applicationAt(path: string, received: Buffer, checked: string | null | undefined) {
  const digest = createHash('sha256').update(received).digest('hex');
  const [, kind, what] = path.split('/');
  return {
    status: kind === 'status' ? Number(what) : 200,
    headers: {
      'x-received': `${received.length} ${digest} ${checked ?? 'unchecked'}`,
      ...(what === 'gzip' && { 'content-encoding': 'gzip' }),
      ...(what === 'length' && { 'content-length': String(LARGE.length) }),
    },
    body: kind === 'status' ? undefined : what === 'gzip' ? COMPRESSED : LARGE,
  };
}

/** Sends it, in chunks unless the length is known. */
export async function bodiesApplication(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const received = await buffer(request);
  const checked = request.headers['x-checked']?.toString();
  const { status, headers, body } = applicationAt(request.url ?? '', received, checked);
  response.writeHead(status, headers);
  for (let at = 0; body !== undefined && at < body.length; at += 700_000)
    response.write(body.subarray(at, at + 700_000));
  response.end();
}

/** What a client receives. */
export interface Received {
  readonly status: number | undefined;
  readonly checked: string | string[] | undefined;
  readonly made: string | string[] | undefined;
  readonly received: string | string[] | undefined;
  readonly encoding: string | undefined;
  readonly body: string;
}

/** Sends requests with all methods and ways to send a body, each followed by another one on the same connection if the server keeps it. */
export async function expectBodies(port: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (const { path, method, sent } of BODIES_CASES) {
    const found = await send({ port, agent, path, method, sent });
    expect([path, method, sent.length, found]).toEqual([path, method, sent.length, expected(path, method, sent)]);
  }
  agent.destroy();
}

const PATHS = [
  ...STATUSES.flatMap(status => [`/answer/${status}`, `/replaced/${status}`]),
  ...['/pass/gzip', '/pass/length', '/pass/chunks'],
  ...[204, 205, 304].map(status => `/status/${status}`),
];

const SMALL = Buffer.from('a small body');

/** A server may close the connection to a client that is still sending what nobody will read. */
function bodiesTo(path: string, method: string): readonly (readonly Buffer[])[] {
  if (method === 'GET' || method === 'HEAD') return [[]];
  return [[], [SMALL], [SMALL, SMALL], ...(path.startsWith('/answer') ? [] : [[LARGE, LARGE]])];
}

/** What is sent: several buffers are chunks. */
export const BODIES_CASES = PATHS.flatMap(path =>
  ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'].flatMap(method =>
    bodiesTo(path, method).map(sent => ({ path, method, sent })),
  ),
);

const EMPTY = new Set([204, 205, 304]);

/** Returns a short body, or the hash of a long one. */
export function shown(body: Buffer): string {
  return body.length < 100 ? body.toString() : createHash('sha256').update(body).digest('hex');
}

/** Returns what a client receives. */
export function expected(path: string, method: string, sent: readonly Buffer[]): Received {
  const [, kind, what] = path.split('/') as [string, string, string];
  const whole = Buffer.concat(sent);
  const received = `${whole.length} ${createHash('sha256').update(whole).digest('hex')} yes`;
  const isMade = kind === 'answer' || kind === 'replaced';
  const status = kind === 'pass' ? 200 : Number(what);
  const text = Buffer.from(kind === 'answer' ? 'an answer' : 'another response');
  const body = isMade ? text : what === 'gzip' ? COMPRESSED : LARGE;
  return {
    status,
    // Rules for responses also see answers.
    checked: kind === 'replaced' ? undefined : 'yes',
    made: isMade ? 'yes' : undefined,
    received: isMade ? undefined : received,
    encoding: what === 'gzip' ? 'gzip' : undefined,
    body: method === 'HEAD' || EMPTY.has(status) ? '' : shown(body),
  };
}

interface Asked {
  readonly port: number;
  readonly agent: Agent;
  readonly path: string;
  readonly method: string;
  /** Several are sent in chunks. */
  readonly sent: readonly Buffer[];
}

async function send({ port, agent, path, method, sent }: Asked): Promise<Received> {
  const chunked = sent.length > 1 && { 'transfer-encoding': 'chunked' };
  const headers = sent.length === 1 ? { 'content-length': sent[0]!.length } : { ...chunked };
  const request = requestTo({ port, host: '127.0.0.1', agent, path, method, headers });
  const answered = once(request, 'response') as Promise<[IncomingMessage]>;
  // Who is answered before all is read may find the connection closed.
  request.on('error', () => {});
  for (const chunk of sent) request.write(chunk);
  request.end();
  const [response] = await answered;
  const { 'x-checked': checked, 'x-made': made, 'x-received': received } = response.headers;
  const encoding = response.headers['content-encoding'];
  return { status: response.statusCode, checked, made, received, encoding, body: shown(await buffer(response)) };
}

/** Returns a server on a free port of the loopback interface. */
export async function listening(handle: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(handle);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}
