import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createJudge } from '../edge-api/described.ts';
import { type Started, startForTest } from '../edge-api/start.ts';
import { runs, seed } from '../support/runs.ts';
import { createRequestMaker, type FuzzRequest } from './edge-api/request.ts';

const REQUESTS = runs(120, 50_000, 'TOLLGATE_FUZZ_REQUESTS');
const SEED = seed(1, 'TOLLGATE_FUZZ_SEED');
const AT_ONCE = 16;

let server: Started;
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

beforeAll(async () => {
  server = await startForTest();
});

afterAll(async () => {
  agent.destroy();
  await server?.stop();
});

interface Answered {
  readonly status: number;
  readonly text: string;
}

function send({ verb, target, headers, body }: FuzzRequest): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(`${server.baseUrl}${target}`, { method: verb, headers, agent }, response => {
      const chunks: Buffer[] = [];
      response.on('data', chunk => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
      response.on('error', reject);
    });
    sent.on('error', reject);
    if (body !== undefined) sent.setHeader('content-length', body.length);
    sent.end(body);
  });
}

test(`answers ${REQUESTS} random and broken requests as described`, async ({ onTestFailed }) => {
  const unanswered = new Set<FuzzRequest>();
  onTestFailed(() => console.log('seed', SEED, 'without an answer:', [...unanswered]));
  const maker = createRequestMaker(SEED, server.token);
  const { judge } = createJudge();
  const wrong: unknown[] = [];
  const statuses = new Map<number, number>();
  let left = REQUESTS;
  async function worker(): Promise<void> {
    while (left-- > 0 && wrong.length < 20) {
      const one = maker.next();
      unanswered.add(one);
      const fault = await send(one).then(
        answer => judged(one, answer),
        (error: Error) => error.message,
      );
      unanswered.delete(one);
      if (fault !== undefined) wrong.push({ fault, ...one, body: one.body?.toString().slice(0, 2000) });
    }
  }
  function judged({ operation }: FuzzRequest, { status, text }: Answered): string | undefined {
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (status >= 500) return `${status}: ${text}`;
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    if (status < 300) maker.learn(body);
    const fault = judge(operation, status, body);
    return fault === undefined ? undefined : `${status}: ${fault}: ${text.slice(0, 1000)}`;
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  console.log(
    `seed ${SEED}: ${[...statuses]
      .sort()
      .map(([status, count]) => `${status} × ${count}`)
      .join(', ')}`,
  );
  expect(wrong).toEqual([]);
  // Requests that all fail at the door would find nothing.
  const reached = [200, 201, 204, 400, 404].filter(status => (statuses.get(status) ?? 0) < REQUESTS / 100);
  expect(reached).toEqual([]);
  expect(server.logged.filter(line => line.includes('"level":50'))).toEqual([]);
});

/** What is no HTTP, or HTTP that goes on for ever: the server must outlive it. */
const BROKEN_HTTP: readonly string[] = [
  'nonsense\r\n\r\n',
  'GET /edges/https HTTP/9.9\r\n\r\n',
  'GET /edges/https HTTP/1.1\r\n\r\n',
  'GET  /edges/https HTTP/1.1\r\nHost: a\r\n\r\n',
  'POST /edges/https HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n',
  'POST /edges/https HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'POST /edges/https HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  `GET /edges/https HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`,
  `GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
  '\u0000\u0001\u0002',
];

function sendRaw(text: string): Promise<string> {
  return new Promise(resolve => {
    const { port } = new URL(server.baseUrl);
    const socket = connect(Number(port), '127.0.0.1');
    let answer = '';
    socket.on('data', chunk => {
      answer += chunk;
    });
    socket.on('error', () => resolve(answer));
    socket.on('close', () => resolve(answer));
    socket.end(text, 'latin1');
  });
}

test('outlives what is no HTTP, and answers it with an error of the client or not at all', async () => {
  const answers = await Promise.all(BROKEN_HTTP.map(sendRaw));
  expect(answers.filter(answer => answer !== '' && !/^HTTP\/1\.1 4\d\d /.test(answer))).toEqual([]);
  const maker = createRequestMaker(SEED, server.token);
  expect((await send({ ...maker.next(), verb: 'GET', target: '/ip_policies', body: undefined })).status).toBeLessThan(
    500,
  );
});
