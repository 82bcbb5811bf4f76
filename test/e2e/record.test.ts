import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCaptured } from '@tollgate/cli';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const POLICY = `inbound:
  - name: no scanners
    expressions: ["req.Path.startsWith('/wp-')"]
    actions: [{ type: deny, config: { status_code: 404 } }]
  - name: members only
    expressions: ["req.Path.startsWith('/account')", "!('Authorization' in req.Headers)"]
    actions: [{ type: deny, config: { status_code: 401 } }]
  - name: known agent
    expressions: ["req.Headers['User-Agent'][0].startsWith('Mozilla')"]
    actions: [{ type: log, config: { metadata: { a: b } } }]
`;

const SECRET = 'k3yCANARY';
const record = (path: string, headers: object) => ({
  ...{ time: '2026-11-21T10:00:00Z', client_ip: '203.0.113.9', method: 'GET', url: `https://a.example${path}` },
  ...{ request_headers: { Host: 'a.example', ...headers }, status: 200 },
});
const LINES = [
  record('/', { 'User-Agent': 'Mozilla/5.0', Cookie: `id=${SECRET}`, Accept: '*/*' }),
  record(`/?token=${SECRET}`, { 'User-Agent': 'Mozilla/5.0' }),
  record('/wp-login.php', { 'User-Agent': 'Mozilla/5.0' }),
  record('/wp-admin', { 'User-Agent': 'Mozilla/5.0' }),
  record('/account', { 'User-Agent': 'curl/8' }),
  record('/account', { 'User-Agent': 'curl/8', Authorization: `Bearer ${SECRET}` }),
];

const TESTS = `# Recorded from 6 exchanges by \`tollgate record\`.
policy: policy.yaml
tests:
  - name: "GET https://a.example/ passes, after known agent"
    request: { method: GET, url: https://a.example/, headers: { User-Agent: Mozilla/5.0 } }
    expect: { outcome: passed, rules: { known agent: matched } }

  - name: GET https://a.example/wp-login.php is denied with 404 by no scanners
    request: { method: GET, url: https://a.example/wp-login.php }
    expect: { outcome: denied, status: 404, rules: { no scanners: matched } }

  - name: GET https://a.example/account is denied with 401 by members only
    request: { method: GET, url: https://a.example/account, no_other_headers: true }
    expect: { outcome: denied, status: 401, rules: { members only: matched } }

  - name: GET https://a.example/account passes
    request:
      method: GET
      url: https://a.example/account
      headers: { User-Agent: curl/8, Authorization: Bearer x0xXXXXXX }
    expect: { outcome: passed }
`;

const SNAPSHOT = `# Decisions on recorded traffic, written by \`tollgate snapshot --update\`.
traffic.jsonl:1  GET /	passed; inbound 3 (known agent)	log:c432812a outcome:a5a9d0bb
traffic.jsonl:2  GET /?token=x0xXXXXXX	passed; inbound 3 (known agent)	log:c432812a outcome:a5a9d0bb
traffic.jsonl:3  GET /wp-login.php	denied with 404; inbound 1 (no scanners)	outcome:745be1ad response-body:12ae32cb response-headers:4f53cda1 status:6b3c238e
traffic.jsonl:4  GET /wp-admin	denied with 404; inbound 1 (no scanners)	outcome:745be1ad response-body:12ae32cb response-headers:4f53cda1 status:6b3c238e
traffic.jsonl:5  GET /account	denied with 401; inbound 2 (members only)	outcome:745be1ad response-body:12ae32cb response-headers:4f53cda1 status:dcaadad1
traffic.jsonl:6  GET /account	passed	outcome:a5a9d0bb
`;

const CHANGED = `policy.yaml.snapshot: 1 of 6 decisions changed; accept with \`--update\`

  was  denied with 404; inbound 1 (no scanners)
  now  passed; inbound 3 (known agent)
       traffic.jsonl:4  GET /wp-admin
`;

let directory: string;
const at = (name: string) => join(directory, name);

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'tollgate-record-'));
  writeFileSync(at('policy.yaml'), POLICY);
  writeFileSync(at('traffic.jsonl'), LINES.map(line => JSON.stringify(line)).join('\n'));
  writeFileSync(at('mapping.yaml'), 'complete_headers: true\n');
});

afterAll(() => rmSync(directory, { recursive: true }));

const TRAFFIC = () => ['--mapping', at('mapping.yaml'), at('policy.yaml'), at('traffic.jsonl')];

describe('recording', () => {
  it('writes one small test for each path through the policy, without secrets', async () => {
    const { code, output, errors } = await runCaptured(['record', '-o', at('policy.test.yaml'), ...TRAFFIC()]);
    expect([code, output, errors]).toEqual([0, '', '']);
    const text = readFileSync(at('policy.test.yaml'), 'utf8');
    expect(text).not.toContain(SECRET);
    expect(text).toBe(TESTS);
    expect(await runCaptured(['test', at('policy.test.yaml')])).toMatchObject({ code: 0 });
  });

  it('states what tests can of a request without a path', async () => {
    writeFileSync(at('options.jsonl'), '{"method":"OPTIONS","target":"*","status":200}\n');
    writeFileSync(
      at('methods.yaml'),
      POLICY.split('\n')
        .slice(0, 4)
        .join('\n')
        .replace(/"req.Path.*"/, '"req.Method == \'OPTIONS\'"'),
    );
    const { code, output } = await runCaptured(['record', at('methods.yaml'), at('options.jsonl')]);
    expect([code, output]).toEqual([0, expect.stringContaining('request: { method: OPTIONS }')]);
  });

  it('reports a policy with errors', async () => {
    const run = await runCaptured(['record', '-', at('traffic.jsonl')], {
      input: 'inbound: [{ expressions: ["req.Pth"] }]',
    });
    expect(run).toMatchObject({ code: 1, output: expect.stringContaining('has no field `Pth`') });
  });
});

describe('a snapshot', () => {
  const snapshot = (...args: readonly string[]) => runCaptured(['snapshot', ...args, ...TRAFFIC()]);

  it('shows what a change alters, until it is accepted', async () => {
    expect(await snapshot()).toEqual({
      ...{ code: 3, output: '' },
      errors: `tollgate: cannot read \`${at('policy.yaml.snapshot')}\`: no such file; write the snapshot with \`--update\`\n`,
    });
    expect((await snapshot('--update')).output).toBe(`${at('policy.yaml.snapshot')}: 6 decisions written\n`);
    const kept = readFileSync(at('policy.yaml.snapshot'), 'utf8');
    expect(kept).not.toContain(SECRET);
    expect(kept.replaceAll(`${directory}/`, '')).toBe(SNAPSHOT);
    expect(await snapshot()).toMatchObject({ code: 0, output: expect.stringContaining('6 decisions unchanged') });

    writeFileSync(at('policy.yaml'), POLICY.replace("'/wp-'", "'/wp-login'"));
    const { code, output } = await snapshot();
    expect([code, output.replaceAll(`${directory}/`, '')]).toEqual([1, CHANGED]);
    expect((await snapshot('--update')).code).toBe(0);
    expect((await snapshot()).code).toBe(0);
    writeFileSync(at('policy.yaml'), POLICY);
  });

  it('compares what client, upstream and log get, and not the rules that matched', async () => {
    await snapshot('--update');
    writeFileSync(at('policy.yaml'), POLICY.replace('known agent', 'agent').replace('no scanners', 'scanners'));
    expect(await snapshot()).toMatchObject({ code: 0, output: expect.stringContaining('6 decisions unchanged') });
    writeFileSync(at('policy.yaml'), POLICY.replace('{ a: b }', '{ a: c }'));
    const { code, output } = await snapshot();
    expect([code, output]).toEqual([1, expect.stringContaining('now  passed; inbound 3 (known agent); other log\n')]);
    writeFileSync(at('policy.yaml'), POLICY);
  });
});
