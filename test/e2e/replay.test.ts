import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { runCaptured } from '@tollgate/cli';
import type { EdgeReplaySummary, ReplaySummary } from '@tollgate/simulator';
import { describe, expect, it } from 'vitest';
import { installedCommand } from '../support/installed-command.ts';

const ROOT = join(import.meta.dirname, '../..');
const LOG = join(ROOT, 'examples/traffic/access.log');
const HAR = join(ROOT, 'examples/traffic/browse.har');
const POLICY = join(ROOT, 'examples/policies/bookshop.yaml');
const EDGE = join(ROOT, 'examples/edges/bookshop.json');
const POLICIES = join(ROOT, 'examples/policies');
/** Real traffic, if it is available next to the repository. */
const REAL = join(ROOT, '../shared/data');

const tollgate = (...args: string[]) => runCaptured(args);

async function replay(...args: string[]): Promise<ReplaySummary> {
  const { code, output, errors } = await tollgate('replay', '--format', 'json', ...args);
  expect([code, errors]).toEqual([0, '']);
  return JSON.parse(output);
}

/** Parses a combined log, independently of the reader under test. */
function requestsOf(file: string) {
  const line = /^(\S+) \S+ \S+ \[[^\]]+\] "([A-Z]+) (\S+)(?: HTTP\/\d\.\d)?" (\d+) \S+ "[^"]*" "([^"]*)"$/gm;
  return [...readFileSync(file, 'utf8').matchAll(line)].map(([, ip, method, url, status, agent]) => ({
    ip: ip!,
    method: method!,
    path: decoded(url!.replace(/\?.*/, '')),
    status: Number(status),
    agent: agent!,
  }));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The example policies with their endpoints: that of their folder, or HTTPS routes. */
function policyFiles(): [file: string, endpoint: string][] {
  return readdirSync(POLICIES, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.yaml'))
    .map(file => [file, file.includes('/') ? dirname(file) : 'https-route']);
}

/** How often a rule matched, may have matched, and was not reached. */
function figures(summary: ReplaySummary) {
  return summary.rules.map(rule => [rule.matched, rule.undetermined, rule.notReached]);
}

function counts(summary: ReplaySummary) {
  return Object.fromEntries(
    summary.outcomes.map(({ outcome, count }) => [`${outcome.kind} ${outcome.status}`, [count.least, count.most]]),
  );
}

describe('tollgate replay', () => {
  it('counts on an access log what a recount of its lines gives', async () => {
    const summary = await replay(POLICY, LOG, '--origin', 'https://books.example', '--absent', '-');
    const requests = requestsOf(LOG);
    const crawler = requests.filter(it => it.path !== '/robots.txt' && /gptbot|claudebot|ccbot/i.test(it.agent));
    const scanner = requests.filter(
      it => /^sqlmap\//.test(it.agent) || /[.](php|env)$|^\/([.]git|cgi-bin|phpmyadmin)\//i.test(it.path),
    );
    const admin = requests.filter(
      it => it.path.startsWith('/admin/') && !/^203\.0\.113\.([0-9]|1[0-5])$/.test(it.ip) && !scanner.includes(it),
    );
    const left = requests.filter(it => ![crawler, scanner, admin].some(group => group.includes(it)));
    const program = left.filter(it => it.path.startsWith('/api/v1/'));
    const catalogue = left.filter(it => it.path === '/old-catalogue');
    const user = left.filter(it => it.path.startsWith('/api/v0/user/'));
    const sent = left.filter(it => !catalogue.includes(it) && !program.includes(it));
    const failed = sent.filter(it => it.status >= 500 && !user.includes(it));
    expect(summary.exchanges).toBe(requests.length);
    expect(summary.skipped.map(({ reason, count }) => [reason, count])).toEqual([['traffic/no-request', 2]]);
    const ended = [crawler.length, crawler.length + scanner.length, crawler.length + scanner.length + admin.length];
    const passed = ended[2]! + catalogue.length;
    expect(figures(summary)).toEqual([
      [crawler.length, 0, 0],
      [scanner.length, 0, ended[0]],
      [admin.length, 0, ended[1]],
      [0, program.length, ended[2]],
      [catalogue.length, 0, ended[2]],
      [user.length, 0, passed],
      [failed.length, user.length, passed],
      [sent.length, program.length, passed],
    ]);
    expect(counts(summary)).toEqual({
      'passed undefined': [sent.length, sent.length + program.length],
      'answered 404': [admin.length, admin.length],
      'redirected 301': [catalogue.length, catalogue.length],
      'denied 401': [0, program.length],
      'denied 403': [crawler.length, crawler.length],
      'denied 404': [scanner.length, scanner.length],
    });
    expect(summary.undetermined).toMatchObject({
      exchanges: program.length,
      needs: [{ text: 'req.Headers["X-Api-Key"]', count: program.length }],
    });
    // None of these figures is zero.
    for (const group of [crawler, scanner, admin, program, catalogue, user, failed]) expect(group).not.toEqual([]);
  });

  it('counts on a HAR file what a recount of its entries gives', async () => {
    const summary = await replay(POLICY, HAR);
    const entries: { request: { url: string; headers: { name: string }[] } }[] = JSON.parse(readFileSync(HAR, 'utf8'))
      .log.entries;
    const sent = entries.filter(({ request }) => request.headers.some(header => header.name === ':authority'));
    const under = (path: string) => sent.filter(({ request }) => new URL(request.url).pathname.startsWith(path)).length;
    expect(summary.exchanges).toBe(sent.length);
    expect(summary.skipped.map(({ reason, count }) => [reason, count])).toEqual([
      ['traffic/served-from-cache', entries.length - sent.length],
    ]);
    const ended = under('/old-catalogue');
    expect(figures(summary)).toEqual([
      [0, 0, 0],
      [0, 0, 0],
      [0, under('/admin/'), 0],
      [0, 0, 0],
      [ended, 0, 0],
      [under('/api/v0/user/'), 0, ended],
      [0, under('/api/v0/user/'), ended],
      [sent.length - ended - under('/admin/'), under('/admin/'), ended],
    ]);
    expect(summary.undetermined.needs.map(({ text, count }) => [text, count])).toEqual([
      ['conn.ClientIP', under('/admin/')],
    ]);
    expect(ended * under('/admin/') * under('/api/v0/user/')).toBeGreaterThan(0);
  });

  it('adds up several files', async () => {
    const [log, har, both] = [await replay(POLICY, LOG), await replay(POLICY, HAR), await replay(POLICY, LOG, HAR)];
    const sums = figures(log).map((row, rule) => row.map((figure, column) => figure + figures(har)[rule]![column]!));
    expect(figures(both)).toEqual(sums);
    expect(both.exchanges).toBe(log.exchanges + har.exchanges);
    expect(await replay(POLICY, HAR, HAR), 'a file that is named twice').toEqual(har);
  });

  it('prints a report with the policy, files, rules and outcomes', async () => {
    const summary = await replay(POLICY, LOG, HAR, '--absent', '-');
    const { output } = await tollgate('replay', '--absent', '-', POLICY, LOG, HAR);
    const scanners = summary.rules[1]!.matched;
    const crawlers = summary.rules[0]!.matched;
    const share = Math.round((100 * crawlers) / summary.exchanges);
    expect(output).toContain(`bookshop.yaml (https-route) on ${summary.exchanges} exchanges\n`);
    expect(output).toMatch(new RegExp(`^  2  no scanners +${scanners} .* log ${scanners}, deny ${scanners}$`, 'm'));
    expect(output).toMatch(new RegExp(`^  denied with 403 +${crawlers} +${share} %  █+$`, 'm'));
    expect(output).not.toContain('\u001b');
  });

  it.each(policyFiles())('replays %s at a %s', async (file, endpoint) => {
    const summary = await replay('--endpoint', endpoint, join(POLICIES, file), LOG, HAR);
    for (const rule of summary.rules) {
      const { matched, notMatched, failed, notReached, undetermined } = rule;
      expect(matched + notMatched + failed + notReached + undetermined).toBe(summary.exchanges);
      expect(rule.errors).toEqual([]);
    }
    const most = summary.outcomes.reduce((sum, { count }) => sum + count.most, 0);
    const least = summary.outcomes.reduce((sum, { count }) => sum + count.least, 0);
    expect(least + summary.undetermined.exchanges).toBe(summary.exchanges);
    expect(most).toBeGreaterThanOrEqual(summary.exchanges);
  });

  it('reports a policy with errors as `tollgate check` does, and does not run it', async () => {
    const policy = 'inbound:\n  - expressions: [req.Pth == "/"]\n    actions: [{type: deny}]\n';
    const [replayed, checked] = [
      await runCaptured(['replay', '-', LOG], { input: policy }),
      await runCaptured(['check', '-'], { input: policy }),
    ];
    expect(replayed).toEqual(checked);
    expect(replayed.code).toBe(1);
  });

  it.each([
    ['edge-v2', 'inbound', "req.Method == 'POST'", "{from: '^http:', to: '$scheme:'}"],
    ['edge-v2-snake', 'inbound', "req.method == 'POST'", "{from: '^http:', to: '${req.url.scheme}:'}"],
    ['modern', 'on_http_request', "req.method == 'POST'", "{from: '^http:', to: '${req.url.scheme}:'}"],
  ])('replays a policy of %s', async (profile, phase, condition, config) => {
    const rewrite = `{actions: [{type: url-rewrite, config: ${config}}]}`;
    const policy = `${phase}:\n  - {expressions: ["${condition}"], actions: [{type: deny}]}\n  - ${rewrite}\n`;
    const args = ['replay', '--profile', profile, '--format', 'json', '-', LOG, '--origin', 'https://e.co'];
    const { code, output } = await runCaptured(args, { input: policy });
    const summary: ReplaySummary & { readonly profile: string } = JSON.parse(output);
    const posts = requestsOf(LOG).filter(it => it.method === 'POST').length;
    expect([code, summary.profile, figures(summary)]).toEqual([
      0,
      profile,
      [
        [posts, 0, 0],
        [summary.exchanges - posts, 0, posts],
      ],
    ]);
    expect(posts).toBeGreaterThan(0);
  });

  it('detects the profile of a policy from its keys and names', async () => {
    const policy = 'on_http_request:\n  - actions: [{type: deny}]\n';
    const { code, output } = await runCaptured(['replay', '-', LOG], { input: policy });
    expect([code, output.split('\n')[0]]).toEqual([0, '<stdin> (http-endpoint) on 243 exchanges']);
    expect(output).toContain('denied with 403');
  });

  it('reports exchanges that arrived out of order if the policy has limits', async () => {
    const line = (second: string) =>
      `192.0.2.1 - - [02/Mar/2026:10:15:${second} +0000] "GET / HTTP/1.1" 200 5 "-" "x"\n`;
    const key = '{name: a, algorithm: sliding_window, capacity: 2, rate: 60s, bucket_key: [conn.client_ip]}';
    const path = join(mkdtempSync(join(tmpdir(), 'tollgate-')), 'p.yaml');
    writeFileSync(path, `on_http_request:\n  - actions: [{type: rate-limit, config: ${key}}]\n`);
    const input = line('30') + line('29') + line('31');
    const command = [await installedCommand(), 'replay', path, '-'];
    const { stdout: output } = spawnSync(process.execPath, command, { input, encoding: 'utf8' });
    expect(output).toMatch(/refused by rate-limit with 429 +1 /);
    expect(output).toContain('  1 exchange arrived out of order; limits use the time of the exchange before it\n');
  });

  it('sends each request through its route of an edge', async () => {
    const args = [
      'replay',
      '--edge',
      EDGE,
      '--format',
      'json',
      LOG,
      '--origin',
      'https://books.example',
      '--absent',
      '-',
    ];
    const { code, output } = await tollgate(...args);
    const summary: EdgeReplaySummary = JSON.parse(output);
    const requests = requestsOf(LOG);
    const api = requests.filter(it => it.path.startsWith('/api/')).length;
    const robots = requests.filter(it => it.path === '/robots.txt').length;
    expect([code, summary.unrouted, summary.open.exchanges]).toEqual([0, 0, 0]);
    expect(summary.routes.map(({ route, exchanges }) => [route.match, exchanges])).toEqual([
      ['/api/', api],
      ['/robots.txt', robots],
      ['/', requests.length - api - robots],
    ]);
    const refused = requests.filter(it => /sqlmap|GPTBot/i.test(it.agent) && !/^\/(api\/|robots)/.test(it.path)).length;
    expect(summary.routes[2]!.outcomes).toContainEqual({
      outcome: { kind: 'refused', status: 403, action: 'user-agent-filter' },
      count: { least: refused, most: refused },
    });
    const text = await tollgate('replay', '--edge', EDGE, LOG);
    expect(text.output).toContain(`route /api/ (path_prefix) on ${api} exchanges\n`);
  });

  it('rejects an invalid edge, and reports what is wrong and where', async () => {
    const edge = '{"routes": [{"match": "/", "match_type": "prefix"}]}';
    const { code, output, errors } = await runCaptured(['replay', '--edge', '-', LOG], { input: edge });
    expect([code, output, errors]).toEqual([
      3,
      '',
      'tollgate: cannot read `<stdin>` as an edge: expected `/routes/0/match_type` to be `exact_path` or `path_prefix`, found `prefix`\n',
    ]);
  });

  it('reports errors in the policy of a route at their position in the edge, and runs nothing', async () => {
    const rule = '{"expressions": ["req.Pth == \'/\'"], "actions": [{"type": "deny"}]}';
    const edge = `{"routes": [{"match": "/", "match_type": "path_prefix", "policy": {"inbound": [${rule}]}}]}`;
    const { code, output } = await runCaptured(['replay', '--edge', '-', LOG], { input: edge });
    expect(code).toBe(1);
    expect(output).toContain(`--> <stdin>:1:${edge.indexOf('Pth') + 1}`);
  });

  it('reports the warnings of a policy before its results', async () => {
    const policy = "inbound:\n  - expressions: [int('x') == 1]\n    actions: [{type: deny}]\n";
    const checked = await runCaptured(['check', '-'], { input: policy });
    const { code, output } = await runCaptured(['replay', '-', LOG], { input: policy });
    const json = await runCaptured(['replay', '--format', 'json', '-', LOG], { input: policy });
    expect(checked.output).toMatch(/^warning\[type\/invalid-constant\]/);
    expect(output.startsWith(`${checked.output}\n<stdin> (https-route) on 243 exchanges\n`)).toBe(true);
    expect(code).toBe(0);
    expect(JSON.parse(json.output).diagnostics).toMatchObject([
      { code: 'type/invalid-constant', range: { start: 31, end: 34, from: { line: 1, character: 22 } } },
    ]);
  });

  it.each([
    ['a policy that is not there', [join(ROOT, 'missing.yaml'), LOG], 3, 'no such file'],
    ['traffic that is not there', [POLICY, join(ROOT, 'missing.log')], 3, 'no such file'],
    ['traffic that is none', [POLICY, POLICY], 3, 'is not recorded traffic'],
    ['an origin that is none', ['--origin', 'books', POLICY, LOG], 2, 'expected a scheme and host'],
    ['no traffic', [POLICY], 2, 'missing required argument'],
    ['an edge without traffic', ['--edge', EDGE], 2, 'missing required argument'],
    [
      'swapped arguments',
      [LOG, 'policy.yaml'],
      2,
      `\`${LOG}\` looks like traffic and \`policy.yaml\` like a policy; the policy comes first: tollgate replay policy.yaml ${LOG}`,
    ],
    ['one input for both', ['-', LOG, '-'], 2, 'standard input cannot be both policy and traffic'],
  ])('rejects %s', async (_, args, code, message) => {
    const result = await tollgate('replay', ...args);
    expect([result.code, result.output]).toEqual([code, '']);
    expect(result.errors).toContain(message);
  });

  it('keeps what it read if a file cannot be read to its end', async () => {
    const whole = gzipSync(readFileSync(LOG));
    const cut = join(mkdtempSync(join(tmpdir(), 'tollgate-')), 'cut.log.gz');
    writeFileSync(cut, whole.subarray(0, whole.length - 8));
    const alone = await replay(POLICY, LOG);
    const { code, output, errors } = await tollgate('replay', '--format', 'json', POLICY, 'missing.log', cut, HAR);
    const summary: ReplaySummary = JSON.parse(output);
    rmSync(dirname(cut), { recursive: true });
    expect(code).toBe(3);
    expect(errors).toBe(
      'tollgate: cannot read `missing.log`: no such file\n' +
        `tollgate: cannot read \`${cut}\` to its end: the compressed data is truncated\n`,
    );
    expect(summary.files.map(({ exchanges, failure }) => [exchanges, failure?.code])).toEqual([
      [0, 'file/not-found'],
      [alone.exchanges, 'file/corrupt-gzip'],
      [(await replay(POLICY, HAR)).exchanges, undefined],
    ]);
    const text = await tollgate('replay', POLICY, 'missing.log', LOG);
    expect([text.code, text.output.split('\n').slice(4, 7)]).toEqual([
      3,
      [
        expect.stringMatching(new RegExp(`access\\.log +${alone.exchanges} +2$`)),
        expect.stringContaining('skipped 2'),
        '  read only in part: missing.log',
      ],
    ]);
  });

  it.skipIf(!existsSync(REAL))('replays a public log of 10,000 lines, one of them broken', async () => {
    const log = join(REAL, 'apache-combined.log');
    const summary = await replay(POLICY, log, '--absent', '-');
    const requests = requestsOf(log);
    expect(summary.exchanges).toBe(requests.length);
    expect(summary.skipped.map(({ reason, count, first }) => [reason, count, first[0]!.place.number])).toEqual([
      ['traffic/malformed-line', 1, 8899],
    ]);
    const isScanner = (it: { path: string }) => /[.](php|env)$|^\/([.]git|cgi-bin|phpmyadmin)\//i.test(it.path);
    expect(summary.rules[1]!.matched).toBe(requests.filter(isScanner).length);
    expect(summary.rules[6]!.matched).toBe(requests.filter(it => it.status >= 500 && !isScanner(it)).length);
  });

  it.skipIf(!existsSync(REAL))(
    'replays the recording of a Wikipedia page, whose headers and methods are partial',
    async () => {
      const summary = await replay(POLICY, join(REAL, 'wikipedia-chrome.har'));
      const text = readFileSync(join(REAL, 'wikipedia-chrome.har'), 'utf8');
      const urls: string[] = JSON.parse(text).log.entries.map(
        (entry: { request: { url: string } }) => entry.request.url,
      );
      const scripts = urls.filter(url => new URL(url).pathname.endsWith('.php')).length;
      expect([summary.exchanges, summary.skipped]).toEqual([110, []]);
      const passed = 110 - scripts;
      expect(counts(summary)).toEqual({ 'denied 404': [scripts, scripts], 'passed undefined': [passed, passed] });
    },
  );
});
