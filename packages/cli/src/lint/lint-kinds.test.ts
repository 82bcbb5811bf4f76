import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LintDirectory } from '../fixtures/lint-directory.ts';

const ROOM = new LintDirectory();
const { write, read, lint } = ROOM;
let directory: string;

beforeEach(() => {
  directory = ROOM.make();
  vi.spyOn(process, 'cwd').mockReturnValue(directory);
});

afterEach(() => {
  vi.restoreAllMocks();
  ROOM.remove();
});

const POLICY = `inbound:
  - name: no trace
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
  - name: no connect
    expressions: ["req.Method == 'CONNECT'"]
    actions: [{ type: deny }]
`;
const TESTS = `policy: ../p.yaml
tests:
  - { name: a, request: { method: TRACE }, expect: { outcome: denied } }
  - { name: b, request: { method: GET }, expect: { outcome: passed, rules: { no trace: not-matched } } }
`;
const placed = ({ report }: Awaited<ReturnType<typeof lint>>) =>
  report.diagnostics.map(({ uri, code }) => `${uri} ${code}`);

describe('files of policy tests', () => {
  it('are linted as such, whatever their name', async () => {
    write({ 'p.yaml': POLICY, 'tests/a.test.yaml': TESTS.replace('{ name: b', '{ only: true, name: b') });
    write({ 'tests/b.yaml': TESTS.replace('no trace:', 'no tracing:') });
    const found = await lint(['.']);
    expect([found.code, placed(found)]).toEqual([
      1,
      ['tests/a.test.yaml test/focused', 'tests/b.yaml test/unknown-rule'],
    ]);
  });

  it('are fixed', async () => {
    write({ 'p.yaml': POLICY, 'tests/a.test.yaml': TESTS.replace('{ name: b', '{ only: true, name: b') });
    expect((await lint(['tests'], ['--fix'])).codes).toEqual([]);
    expect(read('tests/a.test.yaml')).toBe(TESTS);
  });

  it('must name an existing policy', async () => {
    write({ 'tests/a.test.yaml': TESTS });
    const { code, err } = await lint(['tests']);
    expect([code, err]).toEqual([
      3,
      'tollgate: cannot read `p.yaml`: no such file, the policy of `tests/a.test.yaml`\n'
        .replaceAll('p.yaml', '~/p.yaml')
        .replace('`tests', '`~/tests'),
    ]);
  });

  it('show which rules of their policies are not tested, unless the policies have no tests', async () => {
    const settings = 'lint: { extends: [], rules: { test/*: on } }';
    write({ 'tollgate.yaml': settings, 'p.yaml': POLICY, 'q.yaml': POLICY, 'tests/a.test.yaml': TESTS });
    const found = await lint(['.']);
    expect(found.report.diagnostics).toMatchObject([
      { uri: 'p.yaml', code: 'test/rule-untested', args: { matched: 0, notMatched: 1 } },
    ]);
    write({ 'p.yaml': POLICY.replace('no connect', 'no connect # tollgate-ignore test/rule-untested -- never sent') });
    expect((await lint(['.'])).codes).toEqual([]);
  });

  it('are found next to a policy', async () => {
    write({ 'tollgate.yaml': 'lint: { extends: [], rules: { test/*: on } }', 'p.yaml': POLICY });
    write({ 'p.test.yaml': TESTS.replace('../', '') });
    expect((await lint(['p.yaml'])).codes).toEqual(['test/rule-untested warning']);
  });
});

describe('edges', () => {
  const edge = (rule: string) =>
    JSON.stringify(
      {
        routes: [
          { match_type: 'path_prefix', match: '/a', policy: JSON.parse(rule) },
          { match_type: 'path_prefix', match: '/', policy: null },
          { match_type: 'exact_path', match: '/b', policy: { outbound: [], inbound: null } },
        ],
      },
      undefined,
      2,
    );
  const RULE = `{"inbound": [{"name": "a", "expressions": ["'bot' in req.Headers['User-Agent']"], "actions": [{"type": "deny"}]}], "outbound": []}`;

  it('are linted policy by policy, each for its endpoint', async () => {
    write({ 'tollgate.yaml': 'lint: {extends: [], rules: {doc/empty-phase: on, type/in-on-header-list: on}}' });
    write({
      'edge.json': edge(RULE),
      'tls.json':
        '{"hostports": [], "mutual_tls": null, "policy": {"inbound": [{"expressions": ["conn.TLS.SNI == \'a\'"], "actions": [{"type": "deny"}]}]}}',
    });
    const found = await lint(['.']);
    expect(found.codes).toEqual([
      ...['type/in-on-header-list warning', 'doc/empty-phase info', 'doc/empty-phase info', 'doc/empty-phase info'],
    ]);
    expect(found.report.files).toEqual(['edge.json', 'tls.json']);
  });

  it('are fixed policy by policy, and nothing else in them changes', async () => {
    write({ 'tollgate.yaml': 'lint: {extends: [], rules: {doc/empty-phase: on}}', 'edge.json': edge(RULE) });
    await lint(['edge.json'], ['--fix']);
    const { routes } = JSON.parse(read('edge.json'));
    expect(routes.map((route: { policy: object | null }) => route.policy && Object.keys(route.policy))).toEqual([
      ['inbound'],
      null,
      ['inbound'],
    ]);
  });
});

it('names skipped files on request, also those that were named', async () => {
  write({ 'a.json': '{"name": "x"}', 'b.yaml': 'services: {}', 'p.yaml': POLICY });
  expect((await lint(['.'])).err).toBe('');
  const found = await lint(['.'], ['--verbose']);
  expect([found.code, found.err]).toEqual([
    0,
    'tollgate: skipped 2 files that contain neither a policy nor tests: ~/a.json, ~/b.yaml\n',
  ]);
  expect(await lint(['a.json', 'p.yaml'])).toMatchObject({ code: 0, err: '' });
  expect(await lint(['a.json'])).toMatchObject({ code: 2, err: 'tollgate: no policy in 1 file\n' });
});

describe('the profile and endpoint of policies', () => {
  const TCP = `inbound: [{ name: a, expressions: ["conn.ClientIP == '1.2.3.4'"], actions: [{ type: custom-response }] }]`;

  it('can be set for some files; the command line wins', async () => {
    write({
      'tollgate.yaml': 'overrides: [{ files: [tcp/**], endpoint: tcp-edge }]',
      'tcp/a.yaml': TCP,
      'b.yaml': TCP,
    });
    const only = ['--rule', 'logic/*=off', '--rule', 'config/*=off'];
    const found = (result: Awaited<ReturnType<typeof lint>>) => placed(result).filter(one => one.includes('endpoint/'));
    expect(found(await lint(['.'], only))).toEqual(['tcp/a.yaml endpoint/action-unavailable']);
    expect(found(await lint(['.'], [...only, '--endpoint', 'https-route']))).toEqual([]);
  });
});

it('reports as if fixed in a dry run, and writes nothing', async () => {
  const empty = `${POLICY}outbound: []\n`;
  write({ 'tollgate.yaml': 'lint: {extends: [], rules: {doc/empty-phase: error}}', 'p.yaml': empty });
  const found = await lint(['p.yaml'], ['--fix-dry-run']);
  expect([found.code, found.codes, found.before, read('p.yaml')]).toEqual([0, [], '', empty]);
  expect((await lint([join('.', 'p.yaml')])).code).toBe(1);
});
