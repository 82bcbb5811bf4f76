import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer, textOf } from './test-server.ts';

let server: TestServer;
let path: string;

beforeAll(async () => {
  server = await startTestServer({ policyTime: 1 });
  const edge = textOf(await server.call('POST', '/edges/https', { body: {} }), 'id');
  const route = await server.call('POST', `/edges/https/${edge}/routes`, {
    body: { match_type: 'path_prefix', match: '/' },
  });
  path = `/edges/https/${edge}/routes/${textOf(route, 'id')}/policy`;
});

afterAll(() => server.stop());

const actions = [{ type: 'deny' }];

function policyOf(count: number, expression: () => string): object {
  return { inbound: Array.from({ length: count }, () => ({ expressions: [expression()], actions })) };
}

/** Lint rules compare the rules with each other, which takes many seconds. */
const COSTLY = policyOf(9000, () => "req.Method == 'POST'");

/** Runs work and returns the longest processor time in ms that the thread spent on it without returning to its event loop. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let isDone = false;
  let longest = 0;
  const watch = async (): Promise<void> => {
    while (!isDone) {
      const before = process.threadCpuUsage();
      await new Promise(resolve => setImmediate(resolve));
      const { user, system } = process.threadCpuUsage(before);
      longest = Math.max(longest, (user + system) / 1000);
    }
  };
  const watching = watch();
  await work();
  isDone = true;
  await watching;
  return longest;
}

describe('a policy that is expensive to check', () => {
  it('is refused with a code of its own, keeps no other request waiting, and the next policy is checked', async () => {
    const text = JSON.stringify(COSTLY);
    const longest = await longestTurn(async () => {
      const hostile = [1, 2].map(() => server.call('PUT', `/_tollgate/validate${path}`, { body: text }));
      expect((await server.call('GET', '/healthz')).status).toBe(200);
      for (const { status, body } of await Promise.all(hostile)) {
        const msg =
          'The policy is too expensive to check: more than 1 s of processor time; split it, or simplify its expressions.';
        expect([status, body]).toMatchObject([400, { error_code: 'ERR_EDGE_9027', msg }]);
      }
    });
    // Processor time, of which the check of the policy takes seconds.
    expect(longest).toBeLessThan(50);
    expect((await server.call('PUT', path, { body: policyOf(1, () => 'true') })).status).toBe(200);
  });
});
