import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../edge-server/test-server.ts';
import { createPublisher, type Publisher } from './publisher.ts';
import { createShop, type Shop } from './shop.ts';

let server: TestServer;
let publisher: Publisher;

beforeAll(async () => {
  publisher = await createPublisher();
  server = await startTestServer({ development: true });
});

afterAll(async () => {
  await server?.stop();
  publisher?.remove();
});

const TRAFFIC = ['/', '/old/a', '/r0/admin'].map(path =>
  JSON.stringify({ client_ip: '192.0.2.1', method: 'GET', url: `https://shop.example${path}` }),
);

/** The same policy in each profile: `/admin` and what is below a path are denied. */
const PROFILES = [
  { profile: 'edge-v2', phase: 'inbound', path: 'req.Path', other: 'modern' },
  { profile: 'edge-v2-snake', phase: 'inbound', path: 'req.url.path', other: 'edge-v2' },
  { profile: 'modern', phase: 'on_http_request', path: 'req.url.path', other: 'edge-v2' },
] as const;

type Row = (typeof PROFILES)[number];

function policyOf({ phase, path }: Pick<Row, 'phase' | 'path'>, closed: string): string {
  return `${phase}:
  - name: closed
    expressions: ["${path} == '/r0/admin' || ${path}.startsWith('${closed}')"]
    actions: [{ type: deny, config: { status_code: 403 } }]
`;
}

function invariantsOf({ path }: Row): string {
  return `policy: policy.yaml
invariants:
  - name: nobody reaches the back office
    never: "${path} == '/r0/admin' && decision.reachesUpstream"
  - name: everybody reaches the back office
    when: "${path} == '/r0/admin'"
    implies: decision.reachesUpstream
`;
}

function projectOf({ profile }: Row, host: string, gates: boolean): string {
  const targets = [0, 1].map(
    at => `  t${at}: { policy: policy.yaml, route: { edge: "${host}:443", match: /r${at}/ } }`,
  );
  return `profile: ${profile}
environments: { test: { url: "${server.url}", apiKey: { file: key }, requestsPerMinute: 10000000 } }
targets:
${targets.join('\n')}
${gates ? 'gates: { impact: { traffic: [traffic.jsonl], maxChanged: 0 } }' : ''}
`;
}

function resultsIn(out: string): readonly string[] {
  const { files } = JSON.parse(out) as { files: { invariants: { result: string }[] }[] };
  return files.flatMap(({ invariants }) => invariants.map(({ result }) => result));
}

describe.each(PROFILES)('a policy of $profile', row => {
  const folder = row.profile;
  const host = `${row.profile}.example`;
  let shop: Shop;

  const write = (name: string, text: string) => publisher.write(`${folder}/${name}`, text);
  const run = async (...args: readonly string[]) => publisher.run(folder, args);
  const changes = async (old: string, policy = 'policy.yaml') => {
    const { code, out, err } = await run('impact', '-f', 'json', old, policy, 'traffic.jsonl');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    return JSON.parse(out).changed;
  };
  const ofRoute = (at: number) => `/edges/https/${shop.edge}/routes/${shop.routes[at]}`;
  const proofs = async (edge: string) => {
    const { out, err } = await run('prove', '-f', 'json', '--edge', edge, 'i.invariants.yaml');
    return { err, verdicts: out === '' ? [] : resultsIn(out) };
  };

  beforeAll(async () => {
    shop = await createShop(server, 2, host);
    write('key', server.token);
    write('traffic.jsonl', TRAFFIC.join('\n'));
    write('policy.yaml', policyOf(row, '/old/'));
    write('changed.yaml', policyOf(row, '/older/'));
    write('i.invariants.yaml', invariantsOf(row));
    write('tollgate.yaml', projectOf(row, host, false));
    expect(await run('apply', '--yes', '--target', 't0')).toMatchObject({ code: 0 });
  });

  it('is what `live:` compares with', async () => {
    expect(await changes('live:t0')).toEqual({ least: 0, most: 0 });
    expect(await changes('live:t0', 'changed.yaml')).toEqual({ least: 1, most: 1 });
    expect(await changes('live:t1')).toEqual({ least: 2, most: 2 });
    expect(await run('diff', 'live:t0', 'policy.yaml')).toMatchObject({ code: 0, err: '' });
    expect(await run('diff', 'live:t0', 'changed.yaml')).toMatchObject({ code: 1, err: '' });
    expect(await run('diff', 'live:t1', 'policy.yaml')).toMatchObject({ code: 1, err: '' });
  });

  it('is on the edge that proofs and replays are about, or the edge is refused', async () => {
    expect(await proofs('live:t0')).toEqual({ err: '', verdicts: ['proved', 'refuted'] });
    const { body } = await server.call('GET', `/edges/https/${shop.edge}`);
    write('edge.json', JSON.stringify(body));
    expect(await proofs('edge.json')).toEqual({ err: '', verdicts: ['proved', 'refuted'] });
    expect(await run('replay', '--edge', 'edge.json', 'traffic.jsonl')).toMatchObject({ code: 0 });
    // Other servers return only the older form, which is null for what it cannot represent.
    const { routes } = body as { readonly routes: readonly Readonly<Record<string, unknown>>[] };
    const older = routes.map(({ traffic_policy: _, ...route }) => route);
    write('older.json', JSON.stringify({ ...(body as object), routes: older }));
    const found = await proofs('older.json');
    expect(found.err).toContain('has `policy: null`, which the API also returns for a policy that only');
    expect(await run('replay', '--edge', 'older.json', 'traffic.jsonl')).toMatchObject({ code: 3 });
  });

  it('passes no gate that it does not pass', async () => {
    write('tollgate.yaml', projectOf(row, host, true));
    const fresh = await run('apply', '--yes', '--target', 't1');
    expect(fresh.err).toContain('changes 2 of 3 decisions');
    write('policy.yaml', policyOf(row, '/older/'));
    const changed = await run('apply', '--yes', '--target', 't0');
    write('policy.yaml', policyOf(row, '/old/'));
    write('tollgate.yaml', projectOf(row, host, false));
    expect(changed).toMatchObject({ code: 1 });
    expect(changed.err).toContain('changes 1 of 3 decisions');
  });

  it('shows drift, and is restored by a rollback', async () => {
    expect(await run('drift', '--target', 't0')).toMatchObject({ code: 0 });
    write('policy.yaml', policyOf(row, '/older/'));
    expect(await run('apply', '--yes', '--target', 't0')).toMatchObject({ code: 0 });
    expect(await run('rollback', '--yes')).toMatchObject({ code: 0 });
    write('policy.yaml', policyOf(row, '/old/'));
    expect(await run('drift', '--target', 't0')).toMatchObject({ code: 0 });
    const foreign = policyOf(PROFILES.find(one => one.profile === row.other)!, '/foreign/');
    const put = await server.call('PUT', `${ofRoute(0)}/traffic_policy`, { body: { enabled: true, value: foreign } });
    expect(put.status).toBe(200);
    const drifted = await run('drift', '--target', 't0');
    expect(drifted).toMatchObject({ code: 1 });
    expect(drifted.out).toContain('changed since it was last applied');
    expect(await changes('live:t0')).toEqual({ least: 1, most: 1 });
  });

  it('does nothing if it is disabled', async () => {
    const body = { enabled: false, value: policyOf(row, '/old/') };
    expect(await server.call('PUT', `${ofRoute(0)}/traffic_policy`, { body })).toMatchObject({ status: 200 });
    expect(await changes('live:t0')).toEqual({ least: 2, most: 2 });
    expect(await run('diff', 'live:t0', 'policy.yaml')).toMatchObject({ code: 1, err: '' });
    expect(await proofs('live:t0')).toEqual({ err: '', verdicts: ['refuted', 'proved'] });
    write('pulled/tollgate.yaml', projectOf(row, host, false));
    write('pulled/key', server.token);
    const pulled = await publisher.run(`${folder}/pulled`, ['pull', '--target', 't0']);
    if (row.profile === 'modern') {
      expect(pulled).toMatchObject({ code: 1 });
      expect(pulled.err).toContain('is disabled, which a policy of the profile `modern` cannot say');
      return;
    }
    expect(pulled).toMatchObject({ code: 0 });
    expect(await publisher.run(`${folder}/pulled`, ['check', 'policy.yaml'])).toMatchObject({ code: 0 });
    // It was not this project that changed it, which is drift; nothing differs from the file.
    const { out } = await publisher.run(`${folder}/pulled`, ['drift', '--target', 't0']);
    expect(out).not.toContain('to match the file');
  });
});
