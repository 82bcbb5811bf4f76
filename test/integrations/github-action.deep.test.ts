import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ROOT } from '../architecture/source-file.ts';

let directory: string;
let server: Server;
let requests: { method: string; url: string; body: string }[];
let comments: { readonly body: string; readonly url: string; readonly user: object }[];

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tollgate-action-'));
  mkdirSync(join(directory, 'repository'));
  [requests, comments] = [[], []];
  server = createServer((request, response) => {
    let body = '';
    request.on('data', part => {
      body += part;
    });
    request.on('end', () => {
      requests.push({ method: request.method!, url: request.url!, body });
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(request.method === 'GET' ? comments : {}));
    });
  }).listen(0, '127.0.0.1');
  await new Promise(done => server.once('listening', done));
});

afterEach(() => {
  server.close();
  rmSync(directory, { recursive: true, force: true, maxRetries: 10 });
});

const api = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const inRepository = (name: string) => join(directory, 'repository', name);
const write = (name: string, text: string) => writeFileSync(inRepository(name), text);

function git(...args: readonly string[]): string {
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'init.defaultBranch=main'];
  return execFileSync('git', [...identity, ...args], { cwd: inRepository('.'), encoding: 'utf8' }).trim();
}

function commit(): string {
  git('add', '-A');
  git('commit', '--no-verify', '-qm', 'x');
  return git('rev-parse', 'HEAD');
}

/** The event of a pull request. */
function pullRequest(base: string, from = 'owner/shop') {
  const pull_request = {
    number: 7,
    head: { repo: { full_name: from } },
    base: { sha: base, repo: { full_name: 'owner/shop' } },
  };
  return { pull_request };
}

/** Runs a step of the action as GitHub would. */
async function step(name: string, event: object, env: Readonly<Record<string, string>> = {}) {
  const files = { GITHUB_EVENT_PATH: 'event.json', GITHUB_STEP_SUMMARY: 'summary.md', GITHUB_OUTPUT: 'output' };
  const paths = Object.fromEntries(Object.entries(files).map(([key, file]) => [key, join(directory, file)]));
  for (const path of Object.values(paths)) writeFileSync(path, '');
  writeFileSync(paths.GITHUB_EVENT_PATH!, JSON.stringify(event));
  const command = [process.execPath, join(ROOT, 'packages/cli/bin/tollgate.js')];
  const child = spawn(process.execPath, [join(ROOT, 'integrations/github/action.mjs'), name], {
    cwd: inRepository('.'),
    env: {
      ...{ PATH: process.env.PATH, HOME: directory, RUNNER_TEMP: directory },
      ...paths,
      ...{ GITHUB_API_URL: api(), GITHUB_REPOSITORY: 'owner/shop', GITHUB_TOKEN: 't0ken' },
      TOLLGATE_COMMAND: JSON.stringify(command),
      ...env,
    },
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', text => {
      log += text;
    });
  const code = await new Promise(done => child.once('close', done));
  const read = (key: string) => readFileSync(paths[key]!, 'utf8');
  return { code, log, summary: read('GITHUB_STEP_SUMMARY'), output: read('GITHUB_OUTPUT') };
}

const POLICY = (path: string) =>
  `on_http_request:\n  - name: no admin\n    expressions: ["req.url.path == '${path}'"]\n    actions: [{ type: deny }]\n`;
const PROJECT = (url: string) => `environments:
  shop: { url: "${url}", apiKey: { env: TOLLGATE_SHOP_KEY }, requestsPerMinute: 6000 }
targets:
  bookshop: { policy: policy.yaml, route: { edge: "books.example:443", match: / } }
`;
const BROKEN = `on_http_request:\n${'  - { name: "::error::injected", actions: [{ type: dney }] }\n'.repeat(12)}`;

describe('the GitHub action', () => {
  it('annotates findings, at most ten, and writes SARIF and a summary', async () => {
    git('init', '-q');
    write('policy.yaml', BROKEN);
    commit();
    const { code, log, summary, output } = await step('lint', {});
    expect(code).toBe(1);
    expect(log.match(/^::error file=policy\.yaml,line=\d+,/gm)?.length).toBe(10);
    expect(log).toMatch(/^\d+ more findings are not annotated$/m);
    expect(log).toMatch(/::group::All findings\n::stop-commands::(\S+)\n[\s\S]*\n::\1::\n::endgroup::/);
    expect(summary.match(/^### Tollgate: /gm)).toHaveLength(1);
    const sarif = /^sarif=(.*)$/m.exec(output)?.[1];
    expect(JSON.parse(readFileSync(sarif!, 'utf8')).runs[0].results.length).toBeGreaterThanOrEqual(12);
  });

  it('runs tests, and does not fail without any', async () => {
    git('init', '-q');
    write('policy.yaml', POLICY('/admin'));
    expect(await step('test', {})).toMatchObject({ code: 0, log: expect.stringContaining('::notice::There are no') });
    const test = (outcome: string) =>
      `policy: policy.yaml\ntests: [{ name: a, request: { url: /admin }, expect: { outcome: ${outcome} } }]\n`;
    write('policy.test.yaml', test('denied'));
    expect((await step('test', {})).code).toBe(0);
    write('policy.test.yaml', test('passed'));
    expect(await step('test', {})).toMatchObject({
      code: 1,
      log: expect.stringContaining('::error file=policy.test.yaml'),
    });
  });

  it('comments on what a pull request decides differently, and updates its comment', async () => {
    git('init', '-q');
    for (const name of ['changed', 'same', 'removed']) write(`${name}.yaml`, POLICY('/admin'));
    write('compose.yaml', 'services: {}\n');
    const base = commit();
    write('changed.yaml', POLICY('/secret'));
    write('same.yaml', `# only a comment\n${POLICY('/admin')}`);
    write('compose.yaml', 'services: {a: {}}\n');
    write('new.yaml', POLICY('/new'));
    rmSync(inRepository('removed.yaml'));
    commit();
    writeFileSync(join(directory, 'traffic.jsonl'), '{"method": "GET", "url": "https://a.example/secret"}\n');
    const first = await step('compare', pullRequest(base), { TOLLGATE_TRAFFIC: join(directory, 'traffic.jsonl') });
    expect([first.code, first.log]).toEqual([0, '']);
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /graphql',
      'GET /repos/owner/shop/issues/7/comments?per_page=100&page=1',
      'POST /repos/owner/shop/issues/7/comments',
    ]);
    const { body } = JSON.parse(requests[2]!.body);
    expect(body).toMatch(/^<!-- tollgate -->\n## Tollgate\n/);
    expect(body).toContain('/secret');
    expect(body).toContain('### Tollgate impact: ');
    expect(body).toContain('### <code>new.yaml</code>\n\nA new policy.');
    expect(body).toContain('### <code>removed.yaml</code>\n\nThe policy was removed.');
    expect(body).not.toMatch(/same\.yaml|compose\.yaml/);
    expect(first.summary).toBe(body);
    const stranger = { body, url: `${api()}/comment/1`, user: { login: 'stranger', type: 'User' } };
    const own = { body, url: `${api()}/comment/2`, user: { login: 'github-actions[bot]', type: 'Bot' } };
    for (const [all, last] of [
      [[stranger, own], 'PATCH /comment/2'],
      [[stranger], 'POST /repos/owner/shop/issues/7/comments'],
    ] as const) {
      comments = [...all];
      requests = [];
      await step('compare', pullRequest(base));
      expect(requests.map(({ method, url }) => `${method} ${url}`).at(-1)).toBe(last);
    }
  });

  it('comments on coverage and mistakes that no test notices, as far as the pull request changes them', async () => {
    git('init', '-q');
    const test = (policy: string, ...requests: readonly (readonly [url: string, outcome: string])[]) =>
      `policy: ${policy}\ntests:\n${requests.map(([url, outcome]) => `  - { name: "${url}", request: { url: ${url} }, expect: { outcome: ${outcome} } }\n`).join('')}`;
    const both = (path: string) =>
      [
        [path, 'denied'],
        ['/', 'passed'],
        [`${path}/`, 'passed'],
      ] as const;
    for (const name of ['worse', 'same', 'untouched', 'better']) write(`${name}.yaml`, POLICY('/admin'));
    write('worse.test.yaml', test('worse.yaml', ...both('/admin')));
    write('same.test.yaml', test('same.yaml', ['/admin', 'denied']));
    write('untouched.test.yaml', test('untouched.yaml', ['/admin', 'denied']));
    write('better.test.yaml', test('better.yaml', ['/admin', 'denied']));
    const base = commit();
    const more = `${POLICY('/admin')}  - name: "no \`\`\` <img>"\n    expressions: ["req.url.path.startsWith('/api/')"]\n    actions: [{ type: deny }]\n`;
    write('worse.yaml', more);
    write('same.yaml', `# a comment\n${POLICY('/admin')}`);
    write('better.test.yaml', test('better.yaml', ...both('/admin')));
    write('fresh.yaml', POLICY('/fresh'));
    write('fresh.test.yaml', test('fresh.yaml', ...both('/fresh')));
    commit();
    const { code, log, summary } = await step('compare', pullRequest(base));
    expect({ code, log }).toEqual({ code: 0, log: '' });
    expect(summary.match(/^### Tests of .*$/gm)).toEqual([
      '### Tests of <code>better.yaml</code>: coverage 60 % → 100 %',
      '### Tests of <code>fresh.yaml</code>: coverage 100 %',
      '### Tests of <code>worse.yaml</code>: coverage 100 % → 75 %, 3 new mistakes that no test notices',
    ]);
    const [, worse] = summary.split('### Tests of <code>worse.yaml</code>');
    const [first] = worse!.split('\n\n- ').slice(1);
    expect(
      first,
    ).toBe(`<code>without the rule</code> (line 5, <code>on&#95;http&#95;request 2&#44; no &#96;&#96;&#96; &#60;img&#62;</code>)

  \`\`\`\`yaml
    - name: "no \`\`\` <img>: has an effect"
      request: { url: /api/users }
      expect: { outcome: denied, status: 403 }
  \`\`\`\``);
    expect(requests.at(-1)).toMatchObject({
      method: 'POST',
      body: expect.stringContaining('new mistakes that no test notices'),
    });
    expect(git('status', '--porcelain')).toBe('');
  });

  it('shows names of files as text, whatever they are', async () => {
    git('init', '-q');
    write('policy.yaml', POLICY('/admin'));
    const base = commit();
    const names = [
      'a`<img src=x>`.yaml',
      '[x](http:⁄⁄b.example) @owner.yaml',
      '**b**\n# c.yaml',
      '--trust.yaml',
      '$(touch ran);&|^%PATH%.yaml',
    ];
    for (const name of names) write(name, POLICY('/new'));
    commit();
    const { code, summary } = await step('compare', pullRequest(base));
    expect(code).toBe(0);
    expect(summary).not.toMatch(/<img|\[x\]|@owner|\*\*|^# c/m);
    expect(summary.match(/^### <code>.*<\/code>$/gm)).toHaveLength(names.length);
    expect(existsSync(inRepository('ran'))).toBe(false);
  });

  it('runs neither a command nor Git of the checkout, and no shell', async () => {
    git('init', '-q');
    write('policy.yaml', POLICY('/admin'));
    const base = commit();
    for (const name of ['tollgate', 'git', 'node_modules/.bin/tollgate', 'node_modules/.bin/git']) {
      mkdirSync(join(inRepository(name), '..'), { recursive: true });
      writeFileSync(inRepository(name), `#!/bin/sh\ntouch '${inRepository('ran')}'\n`, { mode: 0o755 });
    }
    const folders = [inRepository('.'), '.', inRepository('node_modules/.bin'), process.env.PATH];
    const env = { PATH: folders.join(':'), TOLLGATE_COMMAND: '' };
    for (const name of ['lint', 'compare']) await step(name, pullRequest(base), env);
    expect(existsSync(inRepository('ran'))).toBe(false);
    expect(readFileSync(join(ROOT, 'integrations/github/action.mjs'), 'utf8')).not.toMatch(/shell:|exec\(/);
  });

  it('plans a change, and applies it on the main branch, against a server', async () => {
    git('init', '-q');
    const command = join(ROOT, 'packages/cli/bin/tollgate.js');
    const database = join(directory, 'edge.db');
    const seed = join(ROOT, 'examples/edges/bookshop-server.json');
    execFileSync(process.execPath, [command, 'store', 'import', seed, '--database', database], { stdio: 'pipe' });
    const args = [command, 'serve', '--development', '--database', database, '--port', '0'];
    const edge = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      let log = '';
      for await (const text of edge.stdout) {
        log += text;
        if (/API key +\S+\s/.test(log)) break;
      }
      const [, url] = /at (http:\S+)/.exec(log)!;
      const [, key] = /API key +(\S+)/.exec(log)!;
      write('tollgate.yaml', PROJECT(url!));
      write('policy.yaml', 'inbound:\n  - name: "no ::warning::bots"\n    actions: [{ type: deny }]\n');
      commit();
      const env = { TOLLGATE_ENVIRONMENT: 'shop', TOLLGATE_SHOP_KEY: key!, TOLLGATE_TRUSTED_URL: url! };
      const untrusted = await step('plan', {}, { ...env, TOLLGATE_TRUSTED_URL: '' });
      expect([untrusted.code, untrusted.log]).toEqual([2, expect.stringContaining('you have not trusted')]);
      const planned = {
        code: 0,
        summary: expect.stringMatching(/^## Plan for shop\n[\s\S]*\+ inbound 1 .*::warning::bots/),
      };
      expect(await step('plan', pullRequest('0'), env)).toMatchObject(planned);
      expect(await step('plan', pullRequest('0', 'someone/else'), env)).toMatchObject({ code: 0, summary: '' });
      expect(await step('apply', pullRequest('0'), env)).toMatchObject({ code: 3, summary: '' });
      const applied = { code: 0, summary: expect.stringContaining('| bookshop | written | policy |') };
      expect(await step('apply', {}, env)).toMatchObject(applied);
      expect((await step('plan', {}, env)).summary).toContain('no changes in 1 target');
    } finally {
      edge.kill();
    }
  });

  it('runs no code of a fork, says so, and does not comment', async () => {
    git('init', '-q');
    write('policy.yaml', POLICY('/admin'));
    const base = commit();
    write('policy.yaml', POLICY('/secret'));
    write('tollgate.yaml', 'env: [evil.mjs]\nlint: { load: [./evil.mjs] }\n');
    write(
      'evil.mjs',
      "import { writeFileSync } from 'node:fs';\nwriteFileSync(new URL('ran', import.meta.url), '');\n",
    );
    commit();
    const fork = pullRequest(base, 'stranger/shop');
    const env = { TOLLGATE_ALLOW_CODE: 'true', TOLLGATE_ENVIRONMENT: 'production' };
    for (const name of ['lint', 'compare', 'plan']) {
      const { code, log } = await step(name, fork, env);
      expect([name, code, log]).toEqual([
        name,
        0,
        expect.stringContaining('::notice::This pull request comes from a fork'),
      ]);
    }
    expect((await step('apply', fork, env)).log).toContain('pull requests are not published');
    expect([requests, existsSync(inRepository('ran'))]).toEqual([[], false]);
    await step('lint', pullRequest(base), env);
    expect(existsSync(inRepository('ran'))).toBe(true);
  });
});
