import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCaptured } from '../run-captured.ts';

let directory: string;

const POLICY = `inbound:
  - name: keys
    expressions: ["req.Path.startsWith('/api/') && size(getReqHeader('X-Api-Key')) == 0"]
    actions: [{ type: deny, config: { status_code: 401 } }]
  - name: never
    expressions: ["req.Path.startsWith('/api/v1/') && size(getReqHeader('X-Api-Key')) == 0"]
    actions: [{ type: log, config: { metadata: { a: b } } }]
`;
const WITHOUT_KEY = 'request: { url: /api/a, no_other_headers: true }';
const TESTS = `policy: ../p.yaml
tests:
  - { name: no key, ${WITHOUT_KEY}, expect: { status: 401 } }
`;
const MORE = `  - { name: a key, request: { url: /api/v1/a, headers: { X-Api-Key: a } }, expect: { outcome: passed } }
  - { name: a page, request: { url: /, no_other_headers: true }, expect: { outcome: passed } }
`;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tollgate-'));
  mkdirSync(join(directory, 'tests'));
  mkdirSync(join(directory, '.git'));
  write('p.yaml', POLICY);
  write('tests/a.test.yaml', TESTS);
});

afterEach(() => rmSync(directory, { recursive: true }));

function write(name: string, text: string): void {
  writeFileSync(join(directory, name), text);
}

function read(name: string): string {
  return readFileSync(join(directory, name), 'utf8');
}

async function test(...args: readonly string[]) {
  const { code, output, errors } = await runCaptured(['test', ...args.map(arg => arg.replace('~', directory))]);
  return { code, out: output.replaceAll(directory, '~'), err: errors.replaceAll(directory, '~') };
}

describe('tollgate test --coverage', () => {
  it('underlines what no test reaches, and leaves out what is proved impossible', async () => {
    const { code, out } = await test('--coverage', '~/tests');
    expect(code).toBe(0);
    expect(out.slice(out.indexOf('~/p.yaml'))).toBe(`~/p.yaml  rules 1/3  conditions 2/6  actions 1/1  endings 1/2  41 %

no test passes all rules
 --> ~/p.yaml:1:1
  |
1 | inbound:
  | ^

inbound 1, keys: matches in every test that reaches it
 --> ~/p.yaml:2:11
  |
2 |   - name: keys
  |           ^^^^

inbound 1, keys: false never decides
 --> ~/p.yaml:3:20
  |
3 |     expressions: ["req.Path.startsWith('/api/') && size(getReqHeader('X-Api-Key')) == 0"]
  |                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^

inbound 1, keys: false never decides
 --> ~/p.yaml:3:52
  |
3 |     expressions: ["req.Path.startsWith('/api/') && size(getReqHeader('X-Api-Key')) == 0"]
  |                                                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

inbound 2, never: reached in no test
 --> ~/p.yaml:5:11
  |
5 |   - name: never
  |           ^^^^^

6 goals proved impossible and not counted; --verbose says why
`);
    expect((await test('--coverage', '--verbose', '~/tests')).out).toContain(
      'inbound 2: matches: taken by inbound 1, keys (line 2)',
    );
  });

  it('adds up the tests of all files', async () => {
    write('tests/b.test.yaml', `policy: ../p.yaml\ntests:\n${MORE}`);
    const { out } = await test('--coverage', '~/tests');
    expect(out).toContain('~/p.yaml  rules 3/3  conditions 6/6  actions 1/1  endings 2/2  100 %\n\n6 goals');
  });

  it('fails below what the command line or the project file asks for', async () => {
    const low = await test('--fail-under', '42', '~/tests');
    expect([low.code, low.out]).toEqual([
      1,
      expect.stringContaining(
        'error[test/coverage]: the tests of the policy cover 41 % (5 of 12 goals); at least 42 % is wanted',
      ),
    ]);
    expect(await test('--fail-under', '41', '~/tests')).toMatchObject({ code: 0 });
    expect((await test('--fail-under', '101', '~/tests')).err).toContain('expected a number from 0 to 100');
    write('tollgate.yaml', 'coverage: { failUnder: 90, overrides: [{ files: ["p.*"], failUnder: 40 }] }\n');
    const before = process.cwd();
    process.chdir(directory);
    try {
      expect(await test('--coverage', 'tests')).toMatchObject({ code: 0 });
      write('tollgate.yaml', 'coverage: { failUnder: 90, overrides: [{ files: ["q.*"], failUnder: 40 }] }\n');
      expect(await test('--coverage', 'tests')).toMatchObject({ code: 1 });
      // Without `--coverage`, tests are only run.
      expect(await test('tests')).toMatchObject({ code: 0 });
    } finally {
      process.chdir(before);
    }
  });

  it('writes each goal with its state and tests as JSON', async () => {
    const { out } = await test('--coverage', '-f', 'json', '~/tests');
    const [{ percent, counts, goals }] = JSON.parse(out).coverage;
    expect([percent, counts.all]).toEqual([41, { reached: 5, possible: 12 }]);
    expect(goals).toContainEqual({
      ...{ id: 'inbound 1: atom 1 decides-true', group: 'conditions', kind: 'decides-true', state: 'reached' },
      ...{ start: { line: 3, column: 20 }, end: { line: 3, column: 48 }, tests: ['no key'] },
    });
    expect(goals).toContainEqual({
      ...{ id: 'inbound 2: matches', group: 'rules', kind: 'matches', state: 'impossible' },
      ...{ start: { line: 5, column: 11 }, end: { line: 5, column: 16 }, tests: [] },
      reason: 'taken by inbound 1, keys (line 2)',
    });
  });

  it('writes LCOV whose sums agree with its records', async () => {
    const before = process.cwd();
    process.chdir(directory);
    try {
      await test('--coverage-lcov', 'lcov.info', '--coverage-html', 'page.html', 'tests');
    } finally {
      process.chdir(before);
    }
    const lines = readFileSync(join(directory, 'lcov.info'), 'utf8').split('\n');
    const of = (name: string) =>
      lines.filter(line => line.startsWith(`${name}:`)).map(line => line.slice(name.length + 1).split(','));
    expect(of('SF')).toEqual([['p.yaml']]);
    for (const [record, found, hit, taken] of [
      ['DA', 'LF', 'LH', 1],
      ['BRDA', 'BRF', 'BRH', 3],
      ['MCDC', 'MCF', 'MCH', 3],
    ] as const) {
      expect(of(found)).toEqual([[String(of(record).length)]]);
      expect(of(hit)).toEqual([[String(of(record).filter(fields => Number(fields[taken]) > 0).length)]]);
    }
    expect(of('FNF')).toEqual([[String(of('FN').length)]]);
    expect(of('FNH')).toEqual([[String(of('FNDA').filter(([count]) => count !== '0').length)]]);
    // Lines of functions and branches have counts.
    const counted = new Set(of('DA').map(([line]) => line));
    for (const [line] of [...of('FN'), ...of('BRDA'), ...of('MCDC')]) expect(counted).toContain(line);
    const page = readFileSync(join(directory, 'page.html'), 'utf8');
    expect(page).toContain('title="true decides in “no key”');
    expect(page).not.toContain('undefined');
  });

  it('counts a disabled policy as if it were enabled', async () => {
    write('p.yaml', `enabled: false\n${POLICY}`);
    write('tests/a.test.yaml', TESTS.replace('{ status: 401 }', '{ outcome: passed }'));
    const { code, out } = await test('--coverage', '~/tests');
    expect(code).toBe(0);
    expect(out).toContain('rules 1/3  conditions 2/6');
    expect(out).toContain('The policy is disabled; this is its coverage as if it were enabled.');
  });
});

describe('tollgate test --write-missing', () => {
  const WRITTEN = `${TESTS}
  - name: "keys: does not match unless the path starts with \`/api/\`"
    request: { url: /, headers: { X-Api-Key: null } }
    expect: { outcome: passed }

  - name: "never: does not match unless the header \`X-Api-Key\` has no value"
    request: { url: /api/v1/users, headers: { X-Api-Key: example } }
    expect: { outcome: passed, logged: [] }

  - name: "keys: comes before the next rule"
    request: { url: /api/v1/users, headers: { X-Api-Key: null } }
    expect: { outcome: denied, status: 401, logged: [] }

  - name: "keys: startsWith, not contains"
    request: { url: /books/api/, headers: { X-Api-Key: null } }
    expect: { outcome: passed }

  - name: "keys: '/api/', not '/api'"
    request: { url: /api, headers: { X-Api-Key: null } }
    expect: { outcome: passed }

  - name: "never: needs req.Path.startsWith('/api/v1/')"
    request: { url: /, headers: { X-Api-Key: null } }
    expect: { outcome: passed, logged: [] }

  - name: "never: startsWith, not contains"
    request: { url: /books/api/v1/, headers: { X-Api-Key: null } }
    expect: { outcome: passed, logged: [] }
`;

  it('adds natural tests for what no test reaches and for mistakes that none would notice, and nothing the second time', async () => {
    const { code, out } = await test('--write-missing', '~/tests');
    expect(code).toBe(0);
    expect(out).toContain('8 tests: 8 passed');
    expect(out).toContain('~/tests/a.test.yaml: 7 tests written');
    expect(read('tests/a.test.yaml')).toBe(WRITTEN);
    const again = await test('--write-missing', '~/tests');
    expect(again.out).toContain('no test is missing');
    expect(read('tests/a.test.yaml')).toBe(WRITTEN);
  });

  it('keeps comments, and the layout of JSON', async () => {
    write('tests/a.test.yaml', `${TESTS}    # about the key\n\n# the end\n`);
    await test('--write-missing', '~/tests');
    expect(read('tests/a.test.yaml')).toBe(
      `${TESTS}    # about the key\n${WRITTEN.slice(TESTS.length).trimEnd()}\n\n# the end\n`,
    );
    const json = {
      policy: '../p.yaml',
      tests: [{ name: 'a', request: { url: '/api/a', no_other_headers: true }, expect: { status: 401 } }],
    };
    write('tests/a.test.yaml', '');
    rmSync(join(directory, 'tests/a.test.yaml'));
    write('tests/a.test.json', `${JSON.stringify(json, undefined, 2)}\n`);
    await test('--write-missing', '~/tests');
    const written = JSON.parse(read('tests/a.test.json')) as typeof json;
    expect(written.tests).toHaveLength(8);
    expect(read('tests/a.test.json')).toBe(`${JSON.stringify(written, undefined, 2)}\n`);
  });

  it('is refused for a part of the tests', async () => {
    const { code, err } = await test('--write-missing', '--name', 'no key', '~/tests');
    expect(code).toBe(2);
    expect(err).toContain('`--write-missing` needs all tests; leave out `--name` and `--tag`');
  });
});

describe('tollgate test --mutate', () => {
  it('shows mistakes that no test would notice, with tests to paste', async () => {
    const { code, out } = await test('--mutate', '--min-score', '90', '~/tests');
    expect(code).toBe(1);
    expect(out).toMatch(/~\/p[.]yaml {2}\d+ mutants: \d+ killed, \d+ survive, 11 not reached/);
    expect(out).toContain(`inbound 1, keys: \`'/api'\` for \`'/api/'\` survives all tests
 --> ~/p.yaml:3:40
  |
3 |     expressions: ["req.Path.startsWith('/api/') && size(getReqHeader('X-Api-Key')) == 0"]
  |                                        ^^^^^^^
a test that would notice:

  - name: "keys: '/api/', not '/api'"
    request: { url: /api, headers: { X-Api-Key: null } }
    expect: { outcome: passed }
`);
    expect(out).toContain('error[test/mutants]: the tests of the policy notice');
  });

  it('is satisfied by the tests that are written', async () => {
    await test('--write-missing', '~/tests');
    const { code, out } = await test('--mutate', '--min-score', '100', '-f', 'json', '~/tests');
    expect(code).toBe(0);
    const [found] = (JSON.parse(out) as { mutants: { score: number; counts: object }[] }).mutants;
    expect(found).toMatchObject({ score: 100, counts: { survived: 0, open: 0 } });
  });

  it('writes a page', async () => {
    await test('--mutants-html', '~/mutants.html', '~/tests');
    const page = read('mutants.html');
    expect(page).toContain('<h1>Mutants</h1>');
    expect(page).toContain('<del>&#39;/api/&#39;</del> <ins>&#39;/api&#39;</ins>');
    // Tests to paste, line by line.
    expect(page).toMatch(/<pre> {2}- name: [^\n]+\n {4}/);
  });
});
