import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCaptured } from '@tollgate/cli';
import { IMPACT_MEMBERS } from '@tollgate/reports/json';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const OLD = `inbound:
  - expressions: ["req.Path.startsWith('/admin')"]
    actions: [{ type: deny, config: { status_code: 404 } }]
`;
const NEW = `inbound:
  - name: no writing
    expressions: ["req.Method == 'POST'"]
    actions: [{ type: deny, config: { status_code: 403 } }]
  - expressions: ["req.Path.startsWith('/admin') && req.Host == 'a.example'"]
    actions: [{ type: deny, config: { status_code: 404 } }]
`;
const LINES = [
  { client_ip: '192.0.2.1', method: 'GET', url: 'https://a.example/' },
  { client_ip: '192.0.2.1', method: 'POST', url: 'https://a.example/shop/cart' },
  { client_ip: '192.0.2.2', method: 'POST', url: 'https://a.example/shop/order' },
  { client_ip: '192.0.2.2', method: 'POST', url: 'https://a.example/admin/' },
  { client_ip: '192.0.2.3', method: 'GET', target: '/admin/x' },
];

const TEXT = `old.yaml → policy.yaml (https-route): 3–4 of 5 exchanges change (60–80 %)

  passed → denied with 403  2 exchanges, 2 clients
    rules      no rule → inbound 1 (no writing) (2)
    prefixes   /shop/ (2)
    paths      /shop/cart (1), /shop/order (1)
    clients    192.0.2.1 (1), 192.0.2.2 (1)
    first      traffic.jsonl:2, :3

  denied with 404 → denied with 403  1 exchange, 1 client
    rules      inbound 1 → inbound 1 (no writing) (1)
    prefixes   /admin/ (1)
    paths      /admin/ (1)
    clients    192.0.2.2 (1)
    first      traffic.jsonl:4

  denied with 404 → passed  0–1 exchanges

  was              becomes          exchanges          clients
  passed           denied with 403          2    40 %        2
  denied with 404  denied with 403          1    20 %        1
  denied with 404  passed                 0–1  0–20 %  unknown
  newly denied: 2 (40 %)
`;

const MARKDOWN = `### Tollgate impact: <code>old.yaml</code> → <code>policy.yaml</code>

3–4 of 5 exchanges change &#40;60–80 %&#41;

❌ <code>&#45;&#45;max&#45;newly&#45;denied 1</code>: 2 of 5 exchanges &#40;40 %&#41; are newly denied

**2 newly denied** &#40;40 %&#41;

| was → becomes | passed | denied with 403 | denied with 404 |
| --- | --- | --- | --- |
| **passed** | 1 | **2** | · |
| **denied with 404** | **0–1** | **1** | 0–1 |

<details><summary>passed → denied with 403: 2 exchanges, 2 clients</summary>

|  | exchanges |
| --- | --- |
| rules | no rule → inbound 1 &#40;no writing&#41; 2 |
| prefixes | <code>/shop/</code> 2 |
| paths | <code>/shop/cart</code> 1<br><code>/shop/order</code> 1 |
| clients | <code>192.0.2.1</code> 1<br><code>192.0.2.2</code> 1 |
| first | <code>traffic.jsonl&#58;2, &#58;3</code> |

</details>

<details><summary>denied with 404 → denied with 403: 1 exchange, 1 client</summary>

|  | exchanges |
| --- | --- |
| rules | inbound 1 → inbound 1 &#40;no writing&#41; 1 |
| prefixes | <code>/admin/</code> 1 |
| paths | <code>/admin/</code> 1 |
| clients | <code>192.0.2.2</code> 1 |
| first | <code>traffic.jsonl&#58;4</code> |

</details>

<details><summary>denied with 404 → passed: 0–1 exchanges</summary></details>
`;

let directory: string;
const at = (name: string) => join(directory, name);

function git(...args: readonly string[]): void {
  const settings = ['user.name=a', 'user.email=a@example.com', 'commit.gpgsign=false'].flatMap(one => ['-c', one]);
  execFileSync('git', [...settings, ...args], { cwd: directory, stdio: 'ignore' });
}

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'tollgate-impact-'));
  writeFileSync(at('traffic.jsonl'), LINES.map(line => JSON.stringify(line)).join('\n'));
  writeFileSync(at('old.yaml'), OLD);
  writeFileSync(at('policy.yaml'), OLD);
  git('init', '-q', '-b', 'main');
  git('add', 'policy.yaml');
  git('commit', '-q', '-m', 'policy');
  writeFileSync(at('policy.yaml'), NEW);
});

afterAll(() => rmSync(directory, { recursive: true }));

const impact = (...args: readonly string[]) =>
  runCaptured(['impact', ...args, at('old.yaml'), at('policy.yaml'), at('traffic.jsonl')]);

/** Members without a value here. */
const ABSENT = new Set(['unread[]', 'diagnostics[]', 'skipped[]', 'engine.reason', 'transitions[].parts[]']);

/** Members of impacts on tables, which `replay-tables.test.ts` and `written-tables.deep.test.ts` read. */
const OF_TABLES = /^(?:scannedBytes|written|transitions\[\]\.examples\[\].*)$/;

describe('an impact', () => {
  it('shows what was and what becomes of exchanges, by rule, prefix, path and client', async () => {
    const { code, output, errors } = await impact();
    expect([code, errors]).toEqual([0, '']);
    // Without the table of files, which is as wide as their names.
    expect(output.replaceAll(`${directory}/`, '').replace(/\n {2}traffic .*\n.*\n/, '')).toBe(TEXT);
  });

  it.each(['text', 'markdown', 'html', 'json'])('names members that are not read as %s', async format => {
    writeFileSync(at('own.jsonl'), '{"m":"GET","uri":"/admin","ip":"198.51.100.7","status":200}\n');
    const { output } = await runCaptured([
      ...['impact', '-f', format, at('old.yaml'), at('policy.yaml'), at('own.jsonl')],
    ]);
    expect(output.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))).toMatch(
      /--fields 'client_ip=ip,method=m,target=uri'|"target": "uri"/,
    );
  });

  it.each(['impact', 'snapshot'])('%s of traffic without an exchange says how to read it', async command => {
    writeFileSync(at('unknown.jsonl'), '{"m":"GET","uri":"/admin","ip":"198.51.100.7"}\n');
    const policies = command === 'impact' ? [at('old.yaml'), at('policy.yaml')] : [at('policy.yaml')];
    const { errors } = await runCaptured([command, ...policies, at('unknown.jsonl')]);
    expect(errors).toContain("no known field); try `--fields 'client_ip=ip,method=m,target=uri'`, or use");
  });

  it('is a document with exactly the members that are described', async () => {
    const { output } = await impact('-f', 'json', '--never-touch', "req.Path.startsWith('/admin')");
    const document = JSON.parse(output);
    const found = new Set<string>();
    collect(document, '', found);
    const described = IMPACT_MEMBERS.map(({ path }) => path);
    expect([...found].toSorted()).toEqual(
      described.filter(path => !ABSENT.has(path) && !OF_TABLES.test(path)).toSorted(),
    );
    expect(document.changed).toEqual({ least: 3, most: 4 });
    expect(document.newlyDenied).toEqual({ least: 2, most: 2 });
    expect(document.touched.count).toEqual({ least: 1, most: 2 });
  });

  it('has a report for pull requests', async () => {
    const { output } = await impact('-f', 'markdown', '--max-newly-denied', '1');
    expect(output.replaceAll(`${encoded(directory)}/`, '')).toBe(MARKDOWN);
  });

  it('has a page that loads nothing', async () => {
    const { code } = await impact('-f', `html=${at('page.html')}`);
    const page = readFileSync(at('page.html'), 'utf8');
    expect(code).toBe(0);
    expect(page).toContain('<h3>passed → denied with 403</h3>');
    expect(page).not.toMatch(/<script|src=|href=|@import|url\((?!#)/);
  });

  it.each([
    [['--max-newly-denied', '40%'], 0, ''],
    [['--max-newly-denied', '2'], 0, ''],
    [
      ['--max-newly-denied', '39.9%'],
      1,
      'tollgate: `--max-newly-denied 39.9%`: 2 of 5 exchanges (40 %) are newly denied\n',
    ],
    [['--max-newly-denied', '1'], 1, 'tollgate: `--max-newly-denied 1`: 2 of 5 exchanges (40 %) are newly denied\n'],
    [['--never-touch', "req.Path == '/'"], 0, ''],
    [
      ['--never-touch', "req.Path.startsWith('/shop/')"],
      1,
      'tollgate: `--never-touch "req.Path.startsWith(\'/shop/\')"`: 2 protected exchanges change\n',
    ],
    [
      ['--never-touch', "req.Host == 'b.example'"],
      1,
      'tollgate: `--never-touch "req.Host == \'b.example\'"`: 0–1 protected exchanges change\n',
    ],
    [
      ['--never-touch', "was.status == 404 && becomes.outcome == 'passed'"],
      1,
      'tollgate: `--never-touch "was.status == 404 && becomes.outcome == \'passed\'"`: 0–1 protected exchanges change\n',
    ],
    [
      ['--never-touch', 'req.Pth'],
      2,
      'tollgate: --never-touch `req.Pth`: `req` has no field `Pth`; did you mean `Path`?\n',
    ],
    [
      ['--max-newly-denied', '101%'],
      2,
      expect.stringContaining('expected a number of exchanges, or a share such as `0.01%`'),
    ],
  ])('with %j ends with %i', async (options, code, errors) => {
    const run = await impact(...options);
    expect([run.code, run.errors]).toEqual([code, errors]);
  });

  it('reports policies with errors', async () => {
    writeFileSync(at('broken.yaml'), 'inbound: [{ expressions: ["req.Pth"], actions: [{ type: deny }] }]');
    const run = await runCaptured(['impact', at('old.yaml'), at('broken.yaml'), at('traffic.jsonl')]);
    expect([run.code, run.output]).toEqual([1, expect.stringContaining('has no field `Pth`')]);
  });
});

describe('an impact of a revision', () => {
  const since = (old: string, file = 'policy.yaml') =>
    runCaptured(['impact', '-f', 'json', old, at(file), at('traffic.jsonl')]);

  it('reads the same file at the revision', async () => {
    const { code, output } = await since('git:main');
    expect([code, JSON.parse(output).changed]).toEqual([0, { least: 3, most: 4 }]);
  });

  it.each([
    ['git:none', 'policy.yaml', 3, 'tollgate: there is no revision `none`\n'],
    ['git:--output=x', 'policy.yaml', 3, 'tollgate: there is no revision `--output=x`\n'],
    ['git:', 'policy.yaml', 2, 'tollgate: `git:` names nothing; expected `git:REV`, such as `git:main`\n'],
    ['git:main', 'old.yaml', 3, expect.stringMatching(/^tollgate: `.*old.yaml` is not in `main`\n$/)],
  ])('of %s and %s ends with %i', async (old, file, code, errors) => {
    const run = await since(old, file);
    expect([run.code, run.errors]).toEqual([code, errors]);
  });

  it('runs no hook, filter or other program of the repository', async () => {
    const trap = at('trap.sh');
    writeFileSync(trap, `#!/bin/sh\ntouch ${at('trapped')}\ncat\n`, { mode: 0o755 });
    mkdirSync(at('hooks'));
    for (const hook of ['post-checkout', 'reference-transaction', 'post-index-change'])
      writeFileSync(at(`hooks/${hook}`), readFileSync(trap), { mode: 0o755 });
    writeFileSync(at('.gitattributes'), '*.yaml filter=trap diff=trap\n');
    const settings = [
      'core.hooksPath=hooks',
      'core.fsmonitor=./trap.sh',
      'core.pager=./trap.sh',
      'filter.trap.smudge=./trap.sh',
    ];
    for (const setting of [
      ...settings,
      'diff.trap.textconv=./trap.sh',
      'diff.external=./trap.sh',
      'core.sshCommand=./trap.sh',
    ]) {
      const [name = '', value = ''] = setting.split('=');
      git('config', name, value);
    }
    rmSync(at('trapped'), { force: true });
    const { code } = await since('git:main');
    expect(code).toBe(0);
    expect(() => readFileSync(at('trapped'))).toThrow('ENOENT');
  });
});

function encoded(text: string): string {
  return text.replace(/[-_]/g, character => `&#${character.charCodeAt(0)};`);
}

/** Collects the paths of members; those that are described as a whole are not entered. */
function collect(value: unknown, path: string, found: Set<string>): void {
  const whole =
    /^(?:files|was|becomes|unchanged|diagnostics|skipped)\[\]$|^(?:changed|newlyDenied|touched)$|\.(?:was|becomes|count|found|first\[\]|top\[\])$/;
  const named = path.replace(/\.keys\.[a-z]+/, '.keys.*');
  if (path !== '' && !Array.isArray(value)) found.add(named);
  if (whole.test(path)) return;
  if (Array.isArray(value)) for (const item of value) collect(item, `${path}[]`, found);
  else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value)) {
      if (path === 'transitions[]' && name === 'keys')
        for (const [key, keys] of Object.entries(member as object)) collect(keys, `transitions[].keys.${key}`, found);
      else collect(member, path === '' ? name : `${path}.${name}`, found);
    }
}
