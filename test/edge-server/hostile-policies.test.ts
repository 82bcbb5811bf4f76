import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
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

function policyOf(count: number, expression: (index: number) => string): object {
  return { inbound: Array.from({ length: count }, (_, index) => ({ expressions: [expression(index)], actions })) };
}

/** Lint rules compare the rules with each other, which takes many seconds. */
const COSTLY = policyOf(9000, index => `'value ${index}' in req.Headers['X-Kind']`);

/** Runs work and returns the most processor time in ms that the thread spent on it between two looks, 5 ms apart if nothing keeps it. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let isDone = false;
  let longest = 0;
  const watch = async (): Promise<void> => {
    while (!isDone) {
      const before = process.threadCpuUsage();
      await new Promise(resolve => setTimeout(resolve, 5));
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

describe('the thread of the event loop', () => {
  it('never loads what analyses policies, so that it cannot run there', () => {
    const start = join(SERVER, 'start-server.ts');
    const loaded = loadedBy(start);
    expect(loaded).toContain(join(SERVER, 'service/requests/request-body.ts'));
    expect([...loaded].filter(file => ANALYSIS.test(file))).toEqual([]);
    expect([...loadedBy(join(SERVER, 'service/requests/body-thread.ts'))].some(file => ANALYSIS.test(file))).toBe(true);
  });
});

const SERVER = join(import.meta.dirname, '../../packages/edge-server/src');
/** Whatever may take long for a large or nested policy. */
const ANALYSIS = /policy-analyser\.ts$|\/packages\/(?:lint|policy)\//;

/** Returns the files that a file imports, directly or not, except types. */
function loadedBy(file: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(file)) return found;
  found.add(file);
  const imports = readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?!type )(?:[^;']* from )?'([^']+)';/gm);
  for (const [, name = ''] of imports) {
    if (name.startsWith('.')) loadedBy(join(file, '..', name), found);
    else if (name.startsWith('@tollgate/')) loadedBy(fileURLToPath(import.meta.resolve(name)), found);
  }
  return found;
}
