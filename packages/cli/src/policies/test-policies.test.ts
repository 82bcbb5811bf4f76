import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCaptured } from '../run-captured.ts';

let directory: string;

const POLICY = `inbound:
  - name: no bots
    expressions: ["req.Path == '/bot'"]
    actions: [{ type: deny, config: { status_code: 403 } }]
`;
const PASSING = `policy: ../p.yaml
tests:
  - { name: people pass, request: { url: / }, expect: { outcome: passed } }
`;
const FAILING = `policy: ../p.yaml
tests:
  - { name: bots pass, request: { url: /bot }, expect: { outcome: passed } }
  - { name: later, skip: not decided, expect: { outcome: passed } }
`;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tollgate-'));
  mkdirSync(join(directory, 'tests'));
  write('p.yaml', POLICY);
  write('tests/a.test.yaml', PASSING);
});

afterEach(() => rmSync(directory, { recursive: true }));

function write(name: string, text: string): void {
  writeFileSync(join(directory, name), text);
}

async function test(...args: readonly string[]) {
  const { code, output, errors } = await runCaptured(['test', ...args.map(arg => arg.replace('~', directory))]);
  return { code, out: output.replaceAll(directory, '~'), err: errors.replaceAll(directory, '~') };
}

describe('tollgate test', () => {
  it('lists the tests of a directory, and finds their policies relative to the tests', async () => {
    expect(await test('~')).toEqual({
      code: 0,
      out: '~/tests/a.test.yaml\n  ✓ people pass\n\n1 test: 1 passed\n',
      err: '',
    });
  });

  it('runs only tests whose name matches, and says if there is none', async () => {
    write('tests/b.test.yaml', FAILING.replace('{ name: later, skip: not decided', '{ only: true, name: later'));
    expect(await test('--name', '^peo.*pass$', '~')).toEqual({
      code: 0,
      out: '~/tests/a.test.yaml\n  ✓ people pass\n\n1 test: 1 passed\n',
      err: '',
    });
    const { code, out } = await test('-t', 'bots', '~');
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/✗ bots pass\n {2}· later\n[\s\S]*2 tests: 1 failed, 1 left out\n$/),
    ]);
    expect(await test('-t', 'nobody', '~')).toEqual({
      code: 2,
      out: '',
      err: 'tollgate: no test has a name that matches `nobody`\n',
    });
    expect((await test('-t', '(', '~')).err).toContain('Unterminated group');
  });

  it('shows failures at their positions, with the rule that decided', async () => {
    write('tests/b.test.yaml', FAILING);
    const { code, out } = await test('~/tests');
    expect(code).toBe(1);
    expect(out).toBe(`~/tests/a.test.yaml
  ✓ people pass

~/tests/b.test.yaml
  ✗ bots pass
  – later (skipped: not decided)

error[test/failed]: expected the outcome to be \`passed\`, found \`denied\`
 --> ~/tests/b.test.yaml:3:67
  |
3 |   - { name: bots pass, request: { url: /bot }, expect: { outcome: passed } }
  |                                                                   ^^^^^^
note: this rule decided
 --> ~/p.yaml:2:11
  |
2 |   - name: no bots
  |           ^^^^^^^

1 error in 3 files

✗ bots pass

  ✓ inbound 1  no bots  matched  line 2

      req.Path == '/bot'
      │        │
      "/bot"   true

    → deny
        ends evaluation: denied with 403 by \`deny\`

3 tests: 1 passed, 1 failed, 1 skipped
`);
  });

  it('shows the rule that should have decided, not the whole trace', async () => {
    write(
      'p.yaml',
      `${POLICY}  - { name: other, expressions: ["req.Path == '/x'"], actions: [{ type: log, config: { metadata: { a: b } } }] }\n`,
    );
    write(
      'tests/b.test.yaml',
      FAILING.replace('{ url: /bot }', '{ url: /bots }').replace('outcome: passed', 'status: 403'),
    );
    const { out } = await test('~/tests/b.test.yaml');
    expect(out).toContain(`✗ bots pass

  · inbound 1  no bots  not matched  line 2
    because \`req.Path\` was "/bots"

      req.Path == '/bot'
      │        │
      "/bots"  false

2 tests:`);
  });

  it('runs only tests with a tag, and tables by their own name, too', async () => {
    write(
      'tests/b.test.yaml',
      `policy: ../p.yaml
tests:
  - { name: pages, tags: [smoke], for: { url: [/a, /b] }, expect: { outcome: passed } }
  - { name: more, cases: [{ name: a, tags: [slow, smoke] }, { name: b }], request: { url: /c }, expect: { outcome: passed } }
`,
    );
    const tagged = await test('--tag', 'slow', '--tag', 'other', '~/tests/b.test.yaml');
    expect(tagged.out).toBe(
      '~/tests/b.test.yaml\n  · pages: url /a\n  · pages: url /b\n  ✓ more: a\n  · more: b\n\n4 tests: 1 passed, 3 left out\n',
    );
    expect((await test('--name', '^pages$', '~/tests/b.test.yaml')).out).toContain('4 tests: 2 passed, 2 left out');
    expect(await test('--tag', 'none', '~')).toEqual({
      code: 2,
      out: '',
      err: 'tollgate: no test has the tag `none`\n',
    });
    expect((await test('--tag', 'slow', '--name', 'pages', '~')).err).toBe(
      'tollgate: no test with the tag `slow` has a name that matches `pages`\n',
    );
  });

  it('takes fixtures from files that are extended, in turn', async () => {
    write(
      'tests/b.test.yaml',
      `extends: ../all.yaml\n${PASSING.replace('request: { url: / }', 'use: [bot]').replace('passed', 'denied')}`,
    );
    write('all.yaml', 'extends: ./tests/requests.yaml\nconnections: { office: { client_ip: 203.0.113.5 } }\n');
    write('tests/requests.yaml', 'requests: { bot: { url: /bot } }\n');
    expect(await test('~/tests/b.test.yaml')).toMatchObject({ code: 0 });
    write('tests/requests.yaml', 'requests: { boat: { url: /bot } }\n');
    expect((await test('~/tests/b.test.yaml')).out).toContain('unknown fixture `bot`; did you mean `boat`?');
    write('tests/requests.yaml', 'requests: { bot: { uri: /bot } }\n');
    expect((await test('~/tests/b.test.yaml')).out).toContain(
      'unknown key `uri`; did you mean `url`?\n --> ~/tests/requests.yaml:1:20',
    );
    write('tests/requests.yaml', 'extends: b.test.yaml\n');
    const { code, out } = await test('~/tests/b.test.yaml');
    expect([code, out]).toEqual([
      1,
      expect.stringContaining(
        'the file extends itself: `~/tests/b.test.yaml` extends `~/all.yaml` extends `~/tests/requests.yaml` extends `~/tests/b.test.yaml`\n --> ~/tests/requests.yaml:1:10',
      ),
    ]);
    rmSync(join(directory, 'all.yaml'));
    expect(await test('~/tests/b.test.yaml')).toMatchObject({
      code: 3,
      err: 'tollgate: cannot read `~/all.yaml`: no such file\n',
    });
  });

  it('reads no fixtures from outside of the repository', async () => {
    mkdirSync(join(directory, 'repository/.git'), { recursive: true });
    write('outside.yaml', 'requests: { bot: { url: /bot } }\n');
    write('repository/p.yaml', POLICY);
    write('repository/a.test.yaml', `extends: ../outside.yaml\n${PASSING.replace('../p.yaml', 'p.yaml')}`);
    const { code, err } = await test('~/repository/a.test.yaml');
    expect([code, err]).toEqual([3, expect.stringContaining('cannot read `~/outside.yaml`')]);
  });

  it('reports everything as JSON', async () => {
    write('tests/b.test.yaml', FAILING);
    const { code, out } = await test('--format', 'json', '~/tests/b.test.yaml');
    const { version, counts, files, diagnostics, failures } = JSON.parse(out);
    expect([code, version, failures]).toEqual([1, 1, []]);
    expect(counts).toEqual({ passed: 0, failed: 1, skipped: 1, 'left-out': 0 });
    expect(diagnostics.map((diagnostic: { code: string }) => diagnostic.code)).toEqual(['test/failed']);
    expect(files).toEqual([
      {
        file: '~/tests/b.test.yaml',
        policy: '../p.yaml',
        profile: 'edge-v2',
        coverage: [{ matched: 1, notMatched: 0 }],
        results: [
          {
            name: 'bots pass',
            status: 'failed',
            mismatches: [
              {
                kind: 'differs',
                path: ['tests', 0, 'expect', 'outcome'],
                message: 'expected the outcome to be `passed`, found `denied`',
                expected: 'passed',
                found: 'denied',
                needs: [],
                rule: 0,
              },
            ],
          },
          { name: 'later', status: 'skipped', reason: 'not decided', mismatches: [] },
        ],
        isNarrowed: false,
        counts,
      },
    ]);
  });

  it('writes a JUnit case for each test, along with a report for people', async () => {
    write('tests/b.test.yaml', FAILING.replace('outcome: passed } }\n', 'outcome: passed, status: 200 } }\n'));
    const report = join(directory, 'out/report.xml');
    const { code, out } = await test('-f', 'text', '-f', `junit=${report}`, '~/tests');
    expect([code, out]).toEqual([1, expect.stringMatching(/\n3 tests: 1 passed, 1 failed, 1 skipped\n$/)]);
    const xml = readFileSync(report, 'utf8').replaceAll(/(?:classname|file|name)="[^"]*tests\/(.)\.test\.yaml"/g, '$1');
    const path = join(directory, 'tests/b.test.yaml');
    expect(xml).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="tollgate" tests="3" failures="1" errors="0">
  <testsuite a tests="1" failures="0" errors="0" skipped="0">
    <testcase name="people pass" a a line="3"/>
  </testsuite>
  <testsuite b tests="2" failures="1" errors="0" skipped="1">
    <testcase name="bots pass" b b line="3">
      <failure type="test/failed" message="expected the outcome to be \`passed\`, found \`denied\`">${path}:3: expected the outcome to be \`passed\`, found \`denied\`
${path}:3: expected the status to be \`200\`, found \`403\`</failure>
    </testcase>
    <testcase name="later" b b line="4">
      <skipped message="not decided"/>
    </testcase>
  </testsuite>
</testsuites>
`);
  });

  it('reports `only` without failing', async () => {
    const only = '  - { name: x, only: true, request: { url: / }, expect: { outcome: passed } }\n';
    write('tests/a.test.yaml', PASSING + only);
    const { code, out } = await test('~/tests/a.test.yaml');
    expect(code).toBe(0);
    expect(out).toContain('warning[test/focused]: 1 test skipped because other tests set `only`\n');
    expect(out).toMatch(/\n2 tests: 1 passed, 1 left out\n$/);
  });

  it('accepts a part of a file as the policy, with a profile and an endpoint', async () => {
    write('deploy.json', JSON.stringify({ spec: { on_tcp_connect: [{ actions: [{ type: 'deny' }] }] } }));
    const head = 'policy: ../deploy.json#/spec\nprofile: modern\nendpoint: tcp-endpoint\ntests:\n';
    write(
      'tests/a.test.yaml',
      `${head}  - { name: none passes, expect: { outcome: closed, rules: { on_tcp_connect 1: matched } } }\n`,
    );
    expect(await test('~/tests/a.test.yaml')).toMatchObject({ code: 0 });
  });

  it.each([
    [
      'tests/a.test.yaml',
      'policy: ../p.yaml\ntest: []\n',
      1,
      'error[settings/invalid]: unknown key `test`; did you mean `tests`?',
    ],
    ['p.yaml', 'inbund: []\n', 1, 'error[policy/unknown-key]'],
    [
      'tests/a.test.yaml',
      'policy: q.yaml\ntests: [{ name: a, expect: { status: 200 } }]\n',
      3,
      'cannot read `~/tests/q.yaml`: no such file, the policy of `~/tests/a.test.yaml`',
    ],
    [
      'tests/a.test.yaml',
      'policy: ../p.yaml\nendpoint: tcp-endpoint\ntests: [{ name: a, expect: { status: 200 } }]\n',
      2,
      'has no endpoint `tcp-endpoint`',
    ],
  ])('reports why tests cannot run: %s is %j', async (name, text, code, message) => {
    write(name, text);
    const found = await test('~/tests');
    expect([found.code, found.out + found.err]).toEqual([code, expect.stringContaining(message)]);
  });

  it('fails if there are no tests', async () => {
    rmSync(join(directory, 'tests'), { recursive: true });
    expect(await test('~')).toMatchObject({ code: 3, err: expect.stringContaining('no file of policy tests') });
  });

  it('is not needed to find errors in tests: `tollgate check` reads them too', async () => {
    write('tests/b.test.yaml', 'policy: ../p.yaml\ntests: [{ name: a, expect: {} }]\n');
    const { output } = await runCaptured(['check', directory]);
    expect(output).toMatch(/^error\[test\/no-assertion\].*\n1 error in 3 files\n$/s);
  });
});
