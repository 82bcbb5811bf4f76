import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../edge-server/test-server.ts';
import { createPublisher, type Publisher } from './publish/publisher.ts';
import { createShop, projectText } from './publish/shop.ts';

let server: TestServer;
let publisher: Publisher;

const POLICY = `inbound:
  - name: gone
    expressions: ["req.Path.startsWith('/old/')"]
    actions: [{ type: custom-response, config: { status_code: 410, content: "" } }]
`;
const CHANGED = POLICY.replace('/old/', '/older/');
const TRAFFIC = ['/', '/old/a', '/old/b', '/older/c'].map(path =>
  JSON.stringify({ client_ip: '192.0.2.1', method: 'GET', url: `https://shop.example${path}` }),
);

beforeAll(async () => {
  publisher = await createPublisher();
  server = await startTestServer({ development: true });
  const shop = await createShop(server, 2);
  publisher.write('p/key', server.token);
  publisher.write('p/policy.yaml', POLICY);
  publisher.write('p/traffic.jsonl', TRAFFIC.join('\n'));
  publisher.write('p/tollgate.yaml', projectText(shop, server.url, 0).replace('timeout: 0.25', 'timeout: 30'));
  const applied = await publisher.run('p', ['apply', '--yes', '--target', 't0']);
  expect(applied).toMatchObject({ code: 0 });
  publisher.write('p/old.yaml', POLICY);
  publisher.write('p/policy.yaml', CHANGED);
});

afterAll(async () => {
  await server?.stop();
  publisher?.remove();
});

it('compares what is live with a policy, as it compares the file that was published', async () => {
  const of = async (old: string) => {
    const { code, out, err } = await publisher.run('p', ['impact', '-f', 'json', old, 'policy.yaml', 'traffic.jsonl']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    return JSON.parse(out);
  };
  const [live, file] = [await of('live:t0'), await of('old.yaml')];
  expect({ ...live, old: 'old.yaml' }).toEqual(file);
  expect(live.changed).toEqual({ least: 3, most: 3 });
});

it('takes a target without a policy for one that lets everything pass', async () => {
  const { code, out } = await publisher.run('p', ['impact', 'live:t1', 'policy.yaml', 'traffic.jsonl']);
  expect(code).toBe(0);
  expect(out).toMatch(/^live:t1 → policy\.yaml \(https-route\): 1 of 4 exchanges change/);
});

it.each([
  ['live:t9', 'policy.yaml', /`t9`/],
  ['live:', 'policy.yaml', /names nothing; expected `live:TARGET`/],
])('says in one line what is wrong with %s', async (old, policy, message) => {
  const { code, out, err } = await publisher.run('p', ['impact', old, policy, 'traffic.jsonl']);
  expect([code, out, err.trim().split('\n').length]).toEqual([2, '', 1]);
  expect(err).toMatch(message);
});

it('says in one line that the server is down', async () => {
  publisher.write('p/down/key', server.token);
  publisher.write('p/down/policy.yaml', CHANGED);
  publisher.write('p/down/traffic.jsonl', TRAFFIC.join('\n'));
  const text = `environments: { test: { url: "http://127.0.0.1:9", apiKey: { file: key } } }
targets: { t0: { policy: policy.yaml, route: { edge: "shop.example:443", match: /r0/ } } }
`;
  publisher.write('p/down/tollgate.yaml', text);
  const { code, out, err } = await publisher.run('p/down', ['impact', 'live:t0', 'policy.yaml', 'traffic.jsonl']);
  expect([code, out]).toEqual([3, '']);
  expect(err).toMatch(/^tollgate: [^\n]*\n$/);
});
