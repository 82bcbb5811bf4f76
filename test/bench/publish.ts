// Planning 1,000 unchanged targets on as many edges, each with a policy file of its own, against the time that the requests take alone.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runCaptured } from '@tollgate/cli';
import { createKey, openStore } from '@tollgate/edge-server';
import { serveProcess } from './served.ts';

const TARGETS = 1000;
/** Each round has one of both. The fastest of many is what remains when the machine does nothing else. */
const ROUNDS = 25;
/** How many edges are created at the same time. */
const CREATORS = 20;

const folder = mkdtempSync(join(tmpdir(), 'tollgate-bench-'));
const database = join(folder, 'bench.db');
const store = await openStore(database);
const { token } = await createKey(store, { description: 'bench', scopes: ['read', 'write'], expiresAt: undefined });
await store.close();
const command = fileURLToPath(new URL('../../packages/cli/bin/tollgate.js', import.meta.url));
const flags = ['--port', '0', '--rate-limit', '0', '--log-level', 'silent', '--database', database];
const server = await serveProcess([command, 'serve', ...flags], '/health');
const api = new URL(server.url).origin;
const headers = { authorization: `Bearer ${token}`, 'service-version': '2', 'content-type': 'application/json' };

const left = Array.from({ length: TARGETS }, (_, index) => index);
await Promise.all(Array.from({ length: CREATORS }, createTargets));
writeFileSync(join(folder, 'key'), token);
writeFileSync(join(folder, 'tollgate.yaml'), projectText());
process.chdir(folder);

const { fetch: send } = globalThis;
const requests: string[] = [];
globalThis.fetch = async (input, init) => {
  requests.push(init?.method ?? 'GET');
  return await send(input, init);
};
const { output, errors } = await runCaptured(['plan'], { env: { TOLLGATE_TRUST: '1' } });
assert.deepEqual([output, errors], ['no changes in 1,000 targets\n', '']);
assert.ok(requests.length <= 30, `${requests.length} requests`);
assert.deepEqual([...new Set(requests)], ['GET']);
const count = requests.length;

const times = { plan: [] as number[], requests: [] as number[] };
for (let round = 0; round < ROUNDS; round += 1) {
  times.requests.push(await timed(readLists));
  times.plan.push(await timed(() => runCaptured(['plan'], { env: { TOLLGATE_TRUST: '1' } })));
}
const [plan, alone] = [Math.min(...times.plan), Math.min(...times.requests)];
console.log(
  `${TARGETS} unchanged targets: ${count} requests, all reads; ${plan.toFixed(0)} ms, the requests alone ${alone.toFixed(0)} ms: ${(plan / alone).toFixed(2)}`,
);
await server.stop();
process.chdir(tmpdir());
rmSync(folder, { recursive: true });
process.exitCode = plan / alone <= 1.5 ? 0 : 1;

async function createTargets(): Promise<void> {
  for (let index = left.shift(); index !== undefined; index = left.shift()) {
    const edge = await created('/edges/https', { hostports: [`shop${index}.example:443`] });
    const policy = policyOf(index);
    await created(`/edges/https/${edge}/routes`, { match_type: 'path_prefix', match: '/', policy });
    writeFileSync(join(folder, `shop${index}.yaml`), policyText(index));
  }
}

async function created(path: string, body: object): Promise<string> {
  const response = await fetch(`${api}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  // On a busy machine, policies wait for a thread that checks them.
  if (response.status === 503) {
    await pause(1000);
    return await created(path, body);
  }
  assert.equal(response.status, 201, await response.clone().text());
  return ((await response.json()) as { readonly id: string }).id;
}

/** What a policy of a shop says: its text and its value must agree, or there would be changes. */
function policyText(index: number): string {
  return `# Shop ${index}.
inbound:
  - name: no scanners
    expressions:
      - req.Path.matches('(?i)[.](php|env)$')
    actions:
      - type: deny
        config:
          status_code: 404
  - name: the back office of shop ${index}
    expressions:
      - req.Path.startsWith('/admin/')
      - "!inCidrRanges(conn.ClientIP, ['203.0.113.0/28'])"
    actions:
      - type: custom-response
        config:
          status_code: 404
          content: not found
outbound:
  - name: nobody needs to know what runs here
    actions:
      - type: remove-headers
        config:
          headers: [Server]
`;
}

function policyOf(index: number): object {
  const deny = { type: 'deny', config: { status_code: 404 } };
  const answer = { type: 'custom-response', config: { status_code: 404, content: 'not found' } };
  const office = ["req.Path.startsWith('/admin/')", "!inCidrRanges(conn.ClientIP, ['203.0.113.0/28'])"];
  return {
    inbound: [
      { name: 'no scanners', expressions: ["req.Path.matches('(?i)[.](php|env)$')"], actions: [deny] },
      { name: `the back office of shop ${index}`, expressions: office, actions: [answer] },
    ],
    outbound: [
      {
        name: 'nobody needs to know what runs here',
        actions: [{ type: 'remove-headers', config: { headers: ['Server'] } }],
      },
    ],
  };
}

function projectText(): string {
  const targets = Array.from(
    { length: TARGETS },
    (_, index) =>
      `  shop${index}: { policy: shop${index}.yaml, route: { edge: "shop${index}.example:443", match: / } }`,
  );
  return `environments:
  bench: { url: "${api}", apiKey: { file: key }, requestsPerMinute: 10000000 }
targets:
${targets.join('\n')}
`;
}

/** The same requests one after the other, with their responses parsed. */
async function readLists(): Promise<void> {
  let url: string | null = `${api}/edges/https?limit=100`;
  let edges = 0;
  while (url !== null) {
    const response: Response = await send(url, { headers });
    const page = (await response.json()) as { https_edges: readonly object[]; next_page_uri: string | null };
    edges += page.https_edges.length;
    url = page.next_page_uri;
  }
  assert.equal(edges, TARGETS);
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}
