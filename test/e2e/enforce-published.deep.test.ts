import type { ChildProcess } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../edge-server/test-server.ts';
import { freePort } from '../servers/log-servers.ts';
import { eventually } from '../support/eventually.ts';
import { createPublisher, type Publisher } from './publish/publisher.ts';
import { createShop, projectText, type Shop } from './publish/shop.ts';

// A policy that is published to an edge, and enforced elsewhere from there.

let server: TestServer | undefined;
let publisher: Publisher;
let shop: Shop;

beforeAll(async () => {
  publisher = await createPublisher();
  const started = await startTestServer({ development: true });
  server = started;
  shop = await createShop(started, 2);
  publisher.write('project/key', started.token);
  publisher.write('project/tollgate.yaml', projectText(shop, started.url, 0).replace('0.25', '30'));
});

afterAll(async () => {
  await server?.stop();
  publisher?.remove();
});

async function publish(status: number): Promise<void> {
  publisher.write(
    'project/policy.yaml',
    `on_http_request:\n  - expressions: ["req.url.path.startsWith('/admin/')"]\n    actions: [{ type: deny, config: { status_code: ${status} } }]\n`,
  );
  const { code, err } = await publisher.run('project', ['apply', '--yes']);
  expect([code, err]).toEqual([0, expect.any(String)]);
}

it('follows what is published, and keeps the last policy while the API cannot be reached or has none', async () => {
  await publish(403);
  const url = `http://127.0.0.1:${await freePort()}`;
  const printed = { text: '' };
  let child: ChildProcess | undefined;
  const args = ['simulate', '--quiet', '--poll', '1', '--listen', url.slice('http://'.length), 'live:t1'];
  const ended = publisher.run('project', args, begun => {
    child = begun;
    for (const stream of [begun.stdout!, begun.stderr!])
      stream.on('data', text => {
        printed.text += text;
      });
  });
  const says = (text: string) => eventually(() => printed.text.includes(text));
  const statusOf = async (path: string) => (await fetch(`${url}${path}`)).status;

  await says(`live:t1 answers at ${url}`);
  expect([await statusOf('/admin/'), await statusOf('/')]).toEqual([403, 200]);

  await publish(410);
  await says('live:t1 read again');
  expect(await statusOf('/admin/')).toBe(410);

  await server!.call('DELETE', `/edges/https/${shop.edge}/routes/${shop.routes[1]}`);
  await says('tollgate: target `t1`: there is no route /r1/ of shop.example:443; check the id or hostport');
  expect(await statusOf('/admin/')).toBe(410);

  await server!.stop();
  server = undefined;
  await says('tollgate: target `t1`: cannot reach ');
  expect(await statusOf('/admin/')).toBe(410);

  child!.kill('SIGTERM');
  expect((await ended).code).toBe(0);
  expect(printed.text.match(/the previous policy stays in use/g)!.length).toBeLessThanOrEqual(4);
});

it.each([
  [['live:'], '`live:` names nothing; expected `live:TARGET`'],
  [['live:other'], 'no target `other`; the project has `t0`, `t1`'],
  [['--environment', 'test', 'policy.yaml'], '`--environment` is that of `live:TARGET`, and the policy is a file'],
  [['--poll', '0', 'live:t1'], 'option `--poll <seconds>` argument `0` is invalid'],
])('ends with 2 for %j', async (args, message) => {
  const { code, err } = await publisher.run('project', ['simulate', ...args]);
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});
