import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { runs } from '../support/runs.ts';
import { startTestServer, type TestServer, textOf } from './test-server.ts';

/** With lint rules of all severities, and only with what every server refuses. */
let strict: TestServer;
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ policyTime: 0.7 });
  strict = await startTestServer({ policyTime: 0.7, policyLint: 'error' });
});

afterAll(() => Promise.all([server.stop(), strict.stop()]));

/** The path of the policy of a new route. */
async function policyPath(at: TestServer): Promise<string> {
  const edge = textOf(await at.call('POST', '/edges/https', { body: {} }), 'id');
  const route = await at.call('POST', `/edges/https/${edge}/routes`, {
    body: { match_type: 'path_prefix', match: '/' },
  });
  return `/edges/https/${edge}/routes/${textOf(route, 'id')}/policy`;
}

const AT_ONCE = runs(25, 100, 'TOLLGATE_HOSTILE_POLICIES');

const actions = [{ type: 'deny' }];

function policyOf(count: number, expression: (index: number) => string): object {
  return { inbound: Array.from({ length: count }, (_, index) => ({ expressions: [expression(index)], actions })) };
}

/** Lint rules compare the rules with each other: 3,000 take less than the allowed time on a fast machine. */
const COSTLY = policyOf(6000, index => `'value ${index}' in req.Headers['X-Kind']`);

/** Is checked at once, and takes longer to lint than is allowed by default: negated tests of one string are hard to compare. */
const COSTLIER = policyOf(3000, index => `!req.Path.contains('/word${index}/')`);

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

describe('a policy that is expensive to lint', () => {
  it('is refused with a code of its own where lint rules decide, and the next policy is checked', async () => {
    const path = await policyPath(strict);
    const { status, body } = await strict.call('PUT', path, { body: COSTLY });
    const msg =
      'The policy is too expensive to check: more than 0.7 s of processor time; split it, or simplify its expressions.';
    expect([status, body]).toMatchObject([400, { error_code: 'ERR_EDGE_9027', msg }]);
    expect((await strict.call('PUT', path, { body: policyOf(1, () => 'true') })).status).toBe(200);
  });

  it('is accepted elsewhere, and its dry run says that warnings are missing', async () => {
    const path = await policyPath(server);
    const dryRun = await server.call('PUT', `/_tollgate/validate${path}`, { body: COSTLIER });
    const diagnostics = [{ code: 'server/unfinished-lint', severity: 'warning' }];
    expect(dryRun).toMatchObject({ status: 200, body: { valid: true, diagnostics } });
    expect((await server.call('PUT', path, { body: COSTLIER })).status).toBe(200);
  });
});

describe('large policies', () => {
  it('keep no other request waiting, whether they are refused, accepted, read or listed', async () => {
    const path = await policyPath(server);
    const text = JSON.stringify(policyOf(3000, index => `req.URL == '/${index}'`));
    const bodies: readonly (readonly [string, string])[] = [
      [path, JSON.stringify(policyOf(500, index => `undeclared${index} == 1`))],
      [path, JSON.stringify(COSTLY)],
      // The same endpoint shows a string as an object.
      [path.replace('/policy', '/traffic_policy'), JSON.stringify({ value: text })],
    ];
    const longest = await longestTurn(async () => {
      const puts = Array.from({ length: AT_ONCE }, (_, index) => {
        const [to, body] = bodies[index % 10 < 8 ? 0 : (index % 10) - 7]!;
        return server.call('PUT', to, { body });
      });
      expect((await server.call('GET', '/healthz')).status).toBe(200);
      const statuses = (await Promise.all(puts)).map(({ status }) => status);
      // A busy machine may be too slow for all of them.
      expect([200, 400, 503]).toEqual(expect.arrayContaining([...new Set(statuses)]));
      const route = path.replace('/policy', '');
      for (const read of [path, route, route.replace(/\/routes.*/, ''), '/edges/https'])
        expect((await server.call('GET', read)).status).toBe(200);
    });
    // Responses show the policy that was sent as a string as an object: not even that is read on the event loop.
    const begin = process.threadCpuUsage();
    parse(text);
    const { user, system } = process.threadCpuUsage(begin);
    expect(longest).toBeLessThan((user + system) / 1000);
  });
});

describe('the thread of the event loop', () => {
  it('never loads what analyses policies, so that it cannot run there', () => {
    const start = join(SERVER, 'server/start-server.ts');
    const loaded = loadedBy(start);
    expect(loaded).toContain(join(SERVER, 'service/request-body.ts'));
    expect([...loaded].filter(file => ANALYSIS.test(file))).toEqual([]);
    expect([...loadedBy(join(SERVER, 'service/body-thread.ts'))].some(file => ANALYSIS.test(file))).toBe(true);
  });
});

const SERVER = join(import.meta.dirname, '../../packages/edge-server/src');
/** Whatever may take long for a large or nested policy. */
const ANALYSIS = /policy-analysis\.ts$|\/packages\/(?:lint|policy)\//;

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
