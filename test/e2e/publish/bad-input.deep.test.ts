import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runCaptured } from '@tollgate/cli';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../edge-server/test-server.ts';
import { CERTIFICATE } from './certificate.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import { type OddServers, portOf, startOddServers } from './odd-servers.ts';
import { createShop, policyText } from './shop.ts';

let server: TestServer;
let proxy: FaultProxy;
let folder: string;
const home = process.cwd();
let odd: OddServers;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-publish-'));
  process.chdir(folder);
  server = await startTestServer({ development: true });
  proxy = await startFaultProxy(server.url);
  await createShop(server, 2);
  odd = await startOddServers();
});

afterAll(async () => {
  odd?.stop();
  await proxy?.stop();
  await server?.stop();
  process.chdir(home);
  rmSync(folder, { recursive: true });
});

beforeEach(() => {
  write('key', server.token);
  write('policy.yaml', policyText('one'));
  writeProject({});
  proxy.seen.length = 0;
});

function write(path: string, text: string): void {
  mkdirSync(dirname(fileAt(path)), { recursive: true });
  writeFileSync(fileAt(path), text);
}

async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const {
    code,
    output: out,
    errors: err,
  } = await runCaptured(args, { env: { HOME: fileAt('home'), TOLLGATE_TRUST: '1', ...env } });
  return { code, out, err };
}

function writeProject({ url = proxy.url, edge = 'shop.example:443', more = '' }): void {
  write(
    'tollgate.yaml',
    `environments:
  test: { url: "${url}", apiKey: { file: key }, requestsPerMinute: 100000 }
targets:
  shop: { policy: policy.yaml, route: { edge: "${edge}", match: /r0/ } }
${more}`,
  );
}

/** Replaces a part of a file that it contains. */
function edit(path: string, part: string | RegExp, by: string): void {
  const before = readFileSync(fileAt(path), 'utf8');
  const after = before.replace(part, by);
  expect(after).not.toBe(before);
  write(path, after);
}

function fileAt(path: string): string {
  return join(folder, path);
}

/** Nothing was written, and no secret is in the output. */
async function refused(args: readonly string[]) {
  const { code, out, err } = await run(args);
  expect(out + err).not.toContain(server.token);
  expect(odd.reached).toEqual([]);
  expect(proxy.seen.filter(({ method }) => method !== 'GET')).toEqual([]);
  return { code, err };
}

async function planned(): Promise<void> {
  expect(await run(['plan', '--out', 'plan.json'])).toMatchObject({ code: 0 });
}

it.each<[string, number, () => void | Promise<void>, RegExp, (readonly string[])?]>([
  ['a wrong key', 3, () => write('key', 'nobody'), /rejected the API key: status 40[13].*; check `apiKey`$/],
  ['a missing key', 3, () => write('key', ''), /^the API key of the environment `test` is empty$/],
  [
    'a URL without a server',
    3,
    () => writeProject({ url: `http://127.0.0.1:${odd.unused}` }),
    /^cannot reach 127\.0\.0\.1:\d+: connect ECONNREFUSED 127\.0\.0\.1:\d+; check `url`$/,
  ],
  [
    'a URL with a wrong path',
    3,
    () => writeProject({ url: `${proxy.url}/docs` }),
    /^http:.*\/docs has no lists of edges \(status 404\); check `url`$/,
  ],
  [
    'the history of an environment that does not exist',
    2,
    () => undefined,
    /^no environment `tset`; the project has `test`$/,
    ['history', 'tset'],
  ],
  [
    'a URL that is none',
    2,
    () => writeProject({ url: 'example' }),
    /^environment `test`: `url` must be an http or https URL/,
  ],
  [
    'a proxy that responds with HTML',
    3,
    () => writeProject({ url: `http://127.0.0.1:${odd.html}` }),
    /expected JSON, found HTML/,
  ],
  [
    'a redirect, which nothing is sent to',
    3,
    () => {
      writeProject({ url: `http://127.0.0.1:${odd.redirecting}` });
      edit('tollgate.yaml', 'apiKey:', 'headers: { X-Key: secret }, apiKey:');
    },
    /^http:\S+ redirects to http:\/\/127\.0\.0\.1:\d+ \(status 307\), which is not followed; set `url` to the API itself$/,
  ],
  [
    'a certificate that cannot be verified',
    3,
    () => writeProject({ url: `https://127.0.0.1:${odd.secure}` }),
    /^the certificate of 127\.0\.0\.1:\d+ cannot be verified: self-signed certificate; set `caFile`$/,
  ],
  [
    'TLS where plain HTTP is spoken',
    3,
    () => writeProject({ url: proxy.url.replace('http:', 'https:') }),
    /^127\.0\.0\.1:\d+ does not speak TLS; write `http:\/\/` in `url`, or another port$/,
  ],
  [
    'plain HTTP where TLS is spoken',
    3,
    () => writeProject({ url: `http://127.0.0.1:${odd.secure}` }),
    /^127\.0\.0\.1:\d+ speaks TLS; write `https:\/\/` in `url`$/,
  ],
  [
    'a certificate for another host',
    3,
    () => {
      write('ca.pem', CERTIFICATE);
      writeProject({ url: `https://localhost:${odd.secure}` });
      edit('tollgate.yaml', 'apiKey:', 'caFile: ca.pem, apiKey:');
    },
    /^the certificate of localhost:\d+ is for another host; check `url`$/,
  ],
  [
    'a template that was not rendered',
    2,
    () => edit('policy.yaml', '410', '{{ .Values.status }}'),
    /^the policy in `policy\.yaml` has placeholders, such as `\{\{ \.Values\.status \}\}`; render it, and publish the result$/,
  ],
  [
    'an edge that is gone',
    3,
    () => writeProject({ edge: 'gone.example:443' }),
    /^target `shop`: there is no route \/r0\/ of gone\.example:443; check/,
  ],
  [
    'an edge with an unknown id',
    3,
    () => writeProject({ edge: 'edghts_3MTlZVrlLFLjJlcqDtDpRtFZg9g' }),
    /^target `shop`: there is no route/,
  ],
  [
    'an environment that does not exist',
    2,
    () => undefined,
    /^no environment `production`; the project has `test`$/,
    ['plan', 'production'],
  ],
  [
    'a target that does not exist',
    2,
    () => undefined,
    /^no target `shp`; the project has `shop`$/,
    ['plan', '--target', 'shp'],
  ],
  ['no confirmation', 2, () => undefined, /there is no terminal to confirm; pass `--yes` or a plan$/, ['apply']],
  [
    'a plan that does not exist',
    3,
    () => undefined,
    /^cannot read `none\.json`: no such file$/,
    ['apply', 'none.json'],
  ],
  [
    'a plan with other targets as options',
    2,
    () => undefined,
    /^`--target` has no effect with a plan/,
    ['apply', 'plan.json', '--target', 'shop'],
  ],
  [
    'a plan that was edited',
    3,
    async () => {
      await planned();
      edit('plan.json', '"changes": 1', '"changes": 2');
    },
    /^`plan\.json` was edited after it was made/,
    ['apply', 'plan.json'],
  ],
  [
    'a plan for another environment',
    2,
    async () => {
      await planned();
      edit('tollgate.yaml', 'targets:', `  other: { url: "${proxy.url}", apiKey: { file: key } }\ntargets:`);
    },
    /^`plan\.json` was made for the environment `test`, not `other`$/,
    ['apply', 'plan.json', 'other'],
  ],
  [
    'a plan for another URL',
    3,
    async () => {
      await planned();
      writeProject({ url: `http://127.0.0.1:${odd.html}` });
    },
    /^`plan\.json` was made for .*; plan again$/,
    ['apply', 'plan.json'],
  ],
  [
    'a journal that is cut in the middle',
    3,
    () => write('.tollgate/history.jsonl', '{"kind":"beg\n{"kind":"repair"}\nx\n{"kind":"repair"}\n{"kind":\n'),
    /^`\.tollgate\/history\.jsonl`, line 5: not an entry of a journal; /,
  ],
])('refuses %s in one line', async (_, code, prepare, message, args = ['apply', '--yes']) => {
  writeFileSync(fileAt('plan.json'), '{}');
  await prepare();
  const { code: found, err } = await refused(args);
  write('.tollgate/history.jsonl', '');
  const lines = err
    .trimEnd()
    .split('\n')
    .filter(line => line.startsWith('tollgate: '));
  expect([found, lines.length]).toEqual([code, 1]);
  expect(lines[0]!.replace(/^tollgate: /, '')).toMatch(message);
});

it('refuses two edges with the same hostport', async () => {
  const other = await server.call('POST', '/edges/https', { body: { hostports: ['twin.example:443'] } });
  const hostports = ['twin.example:443'];
  const { id } = other.body as { readonly id: string };
  await server.call('POST', `/edges/https/${id}/routes`, { body: { match_type: 'path_prefix', match: '/r0/' } });
  // Our server accepts a hostport once; others may not.
  const list = createServer(async (_, response) => {
    const { body } = await server.call('GET', '/edges/https');
    const { https_edges: edges } = body as { readonly https_edges: readonly object[] };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({ https_edges: edges.map(edge => ({ ...edge, hostports })), uri: '', next_page_uri: null }),
    );
  });
  writeProject({ url: `http://127.0.0.1:${await portOf(list)}`, edge: 'twin.example:443' });
  const { code, err } = await refused(['apply', '--yes']);
  list.close();
  expect([code, err]).toEqual([
    3,
    expect.stringMatching(/2 edges have the hostport `twin\.example:443`: .*; use an id\n$/),
  ]);
});

it('reads the API key from a command, but runs none of a project that is not trusted', async () => {
  const withCommand = (command: readonly string[]) =>
    edit('tollgate.yaml', /apiKey: .*? \}/, `apiKey: { command: ${JSON.stringify(command)} }`);
  withCommand([process.execPath, '-p', `fs.readFileSync('key', 'utf8')`]);
  expect(await run(['plan'])).toMatchObject({ code: 0, err: '' });
  expect(await run(['plan'], { TOLLGATE_TRUST: '' })).toMatchObject({
    code: 2,
    err: expect.stringContaining('tollgate trust'),
  });
  writeProject({});
  withCommand([process.execPath, '-e', `console.log(fs.readFileSync('key', 'utf8')); process.exit(4)`]);
  const { code, out, err } = await run(['plan']);
  expect([code, out]).toEqual([3, '']);
  expect(err).toMatch(
    /^tollgate: cannot read the API key of the environment `test` from the command `.*`: it ended with exit code 4\n$/,
  );
});

it('repairs a journal whose last line a crash has cut off', async () => {
  expect(await run(['apply', '--yes'])).toMatchObject({ code: 0 });
  appendFileSync(fileAt('.tollgate/history.jsonl'), '{"kind":"int');
  write('policy.yaml', policyText('two'));
  const cut = 'note: the last line of `.tollgate/history.jsonl` is cut off, as after a crash; it is ignored';
  expect((await run(['plan'])).out).toContain(cut);
  expect((await run(['history'])).err).toBe(`tollgate: ${cut}\n`);
  expect(await run(['apply', '--yes'])).toMatchObject({ code: 0 });
  const { code, out } = await run(['history', '-f', 'json']);
  expect([code, JSON.parse(out).runs.map((run: { outcome: string }) => run.outcome)]).toEqual([
    0,
    ['applied', 'applied'],
  ]);
});

it('believes no single response about what an earlier run left behind', async () => {
  expect(await run(['apply', '--yes'])).toMatchObject({ code: 0 });
  const journal = readFileSync(fileAt('.tollgate/history.jsonl'), 'utf8');
  const isOfIntent = (line: string) => line.includes('"begin"') || line.includes('"intent"');
  const lastRun = journal.slice(journal.lastIndexOf('{"kind":"begin"')).split('\n').filter(isOfIntent);
  write('.tollgate/history.jsonl', `${lastRun.join('\n')}\n`);
  const alterFirst = () => {
    let reads = 0;
    proxy.choose = ({ path }) => (!path.startsWith('/edges/https?') && reads++ === 0 ? 'altered' : undefined);
  };
  alterFirst();
  const { err } = await run(['apply', '--yes']);
  alterFirst();
  const rolledBack = await run(['rollback', '1', '--yes']);
  proxy.choose = () => undefined;
  expect(err).toBe(
    'tollgate: run 1 ended without knowing what it wrote to `shop`, which holds the new policy\nno changes in 1 target\n',
  );
  expect(rolledBack).toMatchObject({ code: 0, out: 'rolled back: 1 written\n' });
});

it('refuses to erase rules that it does not know, unless it is told to', async () => {
  const { edges } = { edges: (await server.call('GET', '/edges/https')).body } as {
    edges: { https_edges: readonly { id: string; routes: readonly { id: string; match: string }[] }[] };
  };
  const edge = edges.https_edges.find(({ routes }) => routes.some(({ match }) => match === '/r1/'))!;
  const route = edge.routes.find(({ match }) => match === '/r1/')!;
  const path = `/edges/https/${edge.id}/routes/${route.id}/policy`;
  const foreign = {
    name: 'made elsewhere',
    expressions: [],
    actions: [{ type: 'log', config: { metadata: { a: 'b' } } }],
  };
  await server.call('PUT', path, { body: { outbound: [foreign] } });
  edit('tollgate.yaml', '/r0/', '/r1/');
  const { code, err } = await refused(['apply', '--yes']);
  expect([code, err]).toEqual([
    1,
    expect.stringContaining(
      'would lose live rules that neither its file nor the last apply contains: `made elsewhere`; ',
    ),
  ]);
  expect(await run(['apply', '--yes', '--allow-erase'])).toMatchObject({ code: 0 });
  expect((await server.call('GET', path)).body).toMatchObject({ outbound: null });
});

it('names a key that may only read', async () => {
  write('key', await server.keyFor(['read']));
  write('policy.yaml', policyText('readonly'));
  const { code, err } = await run(['apply', '--yes', '--allow-erase']);
  expect([code, err]).toEqual([
    3,
    expect.stringMatching(/the API key may read but not change it: status 403.*; use a key that may write/),
  ]);
});

it('refuses an empty file, and one that removes more than a third of the rules, unless it is told to', async () => {
  const rules = (count: number) =>
    `inbound:${count === 0 ? ' []' : ''}\n${Array.from({ length: count }, (_, index) => `  - name: rule ${index}\n    expressions: ["req.Method == 'M${index}'"]\n    actions: [{ type: deny }]\n`).join('')}`;
  write('policy.yaml', rules(6));
  expect(await run(['apply', '--yes', '--allow-erase'])).toMatchObject({ code: 0 });
  proxy.seen.length = 0;
  for (const [left, lost] of [
    [0, 6],
    [3, 3],
  ] as const) {
    write('policy.yaml', rules(left));
    const { code, err } = await refused(['apply', '--yes']);
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(`would lose ${lost} of 6 live rules; check the file, or pass \`--allow-erase\``),
    ]);
  }
  write('policy.yaml', rules(4));
  expect(await run(['apply', '--yes'])).toMatchObject({ code: 0 });
  write('policy.yaml', rules(0));
  expect(await run(['apply', '--yes', '--allow-erase'])).toMatchObject({ code: 0 });
});

it('leaves metadata alone that is used for something else, and says who knows of the run', async () => {
  const { https_edges: edges } = (await server.call('GET', '/edges/https')).body as {
    readonly https_edges: readonly {
      id: string;
      hostports: readonly string[];
      routes: readonly { id: string; match: string }[];
    }[];
  };
  const edge = edges.find(({ hostports }) => hostports.includes('shop.example:443'))!;
  const path = `/edges/https/${edge.id}/routes/${edge.routes.find(({ match }) => match === '/r0/')!.id}`;
  await server.call('PATCH', path, { body: { metadata: 'owner: team a' } });
  write('policy.yaml', policyText('metadata'));
  const { code, err } = await run(['apply', '--yes', '--allow-erase']);
  const { metadata } = (await server.call('GET', path)).body as { readonly metadata: string };
  await server.call('PATCH', path, { body: { metadata: '' } });
  expect([code, metadata, err]).toEqual([
    0,
    'owner: team a',
    expect.stringContaining(
      'only the journal on this machine knows what was applied to `shop`: its metadata is used for something else\n',
    ),
  ]);
});

it('stops at a gate that fails', async () => {
  writeProject({ more: 'gates: { lint: warning }\n' });
  write(
    'policy.yaml',
    `${policyText('gate')}outbound:\n  - { name: never, expressions: ["false"], actions: [{ type: log }] }\n`,
  );
  const { code, err } = await refused(['apply', '--yes']);
  expect([code, err]).toEqual([1, expect.stringMatching(/gate `lint` failed; nothing was written\n$/)]);
});

it('stops at an impact that is over the budget', async () => {
  writeProject({ more: 'gates: { impact: { traffic: [traffic.jsonl], mapping: mapping.yaml, maxChanged: 40 } }\n' });
  write('mapping.yaml', 'fields: { method: verb, url: address }\n');
  const request = (path: string) => `{"verb":"GET","address":"https://shop.example${path}"}\n`;
  write('traffic.jsonl', `${request('/old/a')}${request('/new/a')}`);
  write('policy.yaml', policyText('impact').replace('410', '404'));
  const { code, err } = await refused(['apply', '--yes']);
  const message = 'gate `impact`: target `shop` changes 1 of 2 decisions (50.0 %), but `maxChanged` allows 40 %\n';
  expect([code, err]).toEqual([1, expect.stringContaining(message)]);
});

it('accepts a known difference until its last day', async () => {
  expect(await run(['apply', '--yes'])).toMatchObject({ code: 0 });
  write('policy.yaml', policyText('drift'));
  const drift = async (until: string) => {
    const accepted = `acceptedDrift: { reason: known, until: "${until}" }`;
    edit('tollgate.yaml', /acceptedDrift: \{.*?\}, |(?<=shop: \{ )/, `${accepted}, `);
    return (await refused(['drift'])).code;
  };
  proxy.seen.length = 0;
  expect([await drift('2000-01-01'), await drift('9999-12-31')]).toEqual([1, 0]);
});

it('keeps secrets out of files and output, and rolls back only to a secret that it knows', async () => {
  const hook = 'webhookVerification: { provider: slack, secret: { env: HOOK } }, ';
  edit('tollgate.yaml', 'shop: { ', `shop: { ${hook}`);
  const secrets = ['first-hook-secret', 'second-hook-secret'] as const;
  const [first, second] = secrets.map(HOOK => ({ HOOK })) as [{ HOOK: string }, { HOOK: string }];
  const outputs = [
    await run(['apply', '--yes'], first),
    await run(['plan', '--out', 'plan.json'], second),
    await run(['apply', 'plan.json'], second),
    await run(['history', '-f', 'json'], second),
    await run(['drift'], first),
    await run(['rollback', '--yes'], second),
    await run(['rollback', '--yes'], first),
  ];
  expect(outputs.map(({ code }) => code)).toEqual([0, 0, 0, 0, 1, 1, 0]);
  expect(outputs[5]!.err).toContain('target `shop` cannot be rolled back: its former secret is not known');
  const files = ['plan.json', '.tollgate/history.jsonl'].map(path => readFileSync(fileAt(path), 'utf8'));
  for (const secret of secrets) expect(JSON.stringify([...outputs, ...files])).not.toContain(secret);
  const { https_edges: edges } = (await server.call('GET', '/edges/https')).body as { readonly https_edges: unknown };
  expect(JSON.stringify(edges)).toContain(first.HOOK);
  expect(JSON.stringify(edges)).not.toContain(second.HOOK);
});
