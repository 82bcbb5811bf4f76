import { SourceText } from '@tollgate/diagnostics';
import { describe, expect, it } from 'vitest';
import { parseFixtures, readTests } from './read-tests.ts';

const HEAD = 'policy: p.yaml\ntests:\n';

function read(text: string, fixtures?: string) {
  const inherited = fixtures === undefined ? undefined : parseFixtures(new SourceText('f.yaml', fixtures)).value;
  const { value, diagnostics } = readTests(new SourceText('t.yaml', text), inherited);
  return {
    tests: value?.tests ?? [],
    faults: diagnostics.map(one => `${text.slice(one.range.start, one.range.end)}: ${one.message}`),
  };
}

describe('a table of cases', () => {
  it('merges maps of the test with those of each case, and replaces anything else', () => {
    const { tests, faults } = read(`${HEAD}  - name: office
    tags: [a]
    request: { url: /admin, headers: { User-Agent: x, Accept: '*' } }
    expect: { outcome: passed }
    cases:
      - { name: in, connection: { client_ip: 203.0.113.5 }, tags: [b], request: { headers: { user-agent: y } } }
      - { request: { method: POST, headers: { Accept: } }, expect: { status: 404 } }
`);
    expect(faults).toEqual([]);
    expect(tests).toEqual([
      {
        name: 'office: in',
        table: 'office',
        path: ['tests', 0, 'cases', 0],
        tags: ['a', 'b'],
        connection: { client_ip: '203.0.113.5' },
        request: { url: '/admin', headers: { Accept: '*', 'user-agent': 'y' } },
        expect: { outcome: 'passed' },
      },
      {
        name: 'office: method POST, no Accept',
        table: 'office',
        path: ['tests', 0, 'cases', 1],
        tags: ['a'],
        request: { url: '/admin', method: 'POST', headers: { 'User-Agent': 'x', Accept: null } },
        expect: { outcome: 'passed', status: 404 },
      },
    ]);
  });

  it('has a case for each combination of the values of fields', () => {
    const { tests, faults } = read(
      `${HEAD}  - { name: keys, for: { method: [GET, POST], request.headers.X-Api.Key: [a, null], country_code: [DE] }, expect: { status: 401 } }\n`,
    );
    expect(faults).toEqual([]);
    expect(tests.map(({ name }) => name)).toEqual([
      'keys: method GET, X-Api.Key a, country_code DE',
      'keys: method GET, no X-Api.Key, country_code DE',
      'keys: method POST, X-Api.Key a, country_code DE',
      'keys: method POST, no X-Api.Key, country_code DE',
    ]);
    expect(tests[1]).toMatchObject({
      connection: { geo: { country_code: 'DE' } },
      request: { method: 'GET', headers: { 'X-Api.Key': null } },
    });
  });

  it('gives cases that are called the same a number, and keeps names short', () => {
    const url = `/${'a'.repeat(80)}`;
    const { tests } = read(`${HEAD}  - { name: long, for: { url: [${url}1, ${url}2] }, expect: { status: 200 } }\n`);
    expect(tests.map(({ name }) => name)).toEqual([
      `long: url /${'a'.repeat(54)}…`,
      `long: url /${'a'.repeat(54)}… (2)`,
    ]);
  });

  it('counts the combinations before it builds them', () => {
    const list = `[${Array.from({ length: 1000 }, (_, index) => `/${index}`).join(', ')}]`;
    const started = process.cpuUsage().user;
    expect(
      read(`${HEAD}  - { name: all, for: { url: ${list}, request.headers.A: ${list} }, expect: { status: 1 } }\n`)
        .faults,
    ).toEqual(['1: expected an integer from 100 to 999, found `1`']);
    expect(
      read(`${HEAD}  - { name: all, for: { url: ${list}, request.headers.A: ${list} }, expect: { status: 200 } }\n`)
        .faults,
    ).toEqual(['for: 1000000 cases (1000 × 1000); a file may have at most 10000']);
    expect(process.cpuUsage().user - started).toBeLessThan(5_000_000);
  });

  it.each([
    ['{ name: a, cases: [{ name: b }] }', '{ name: b }: a test without `expect` cannot fail; add what must happen'],
    ['{ name: a }', '{ name: a }: a test without `expect` cannot fail; add what must happen'],
    ['{ name: a, cases: [{ nam: b, expect: { status: 200 } }] }', 'nam: unknown key `nam`; did you mean `name`?'],
    ['{ name: a, for: { url: [] }, expect: { status: 200 } }', '[]: expected at least 1 items'],
    [
      '{ name: a, for: { metod: [GET] }, expect: { status: 200 } }',
      'metod: unknown field `metod`; did you mean `method`?',
    ],
    [
      '{ name: a, for: { request: [GET] }, expect: { status: 200 } }',
      'request: unknown field `request`; write a path such as `request.headers.X-Api-Key`',
    ],
    [
      '{ name: a, for: { status: [no] }, expect: { status: 200 } }',
      'no: expected an integer from 100 to 999, found `no`',
    ],
    [
      '{ name: a, request: { method: GET }, for: { method: [PUT] }, expect: { status: 200 } }',
      'method: `method` is in `for` and in the test itself; remove one',
    ],
    [
      '{ name: a, for: { method: [PUT] }, cases: [{ name: b }], expect: { status: 200 } }',
      'for: `for` and `cases` in one test; make them two tests',
    ],
    ['{ name: a, cases: [{ name: b }, { name: b }], expect: { status: 200 } }', 'b: duplicate test name `a: b`'],
    [
      '{ name: a, use: [bot], expect: { status: 200 } }',
      'bot: unknown fixture `bot`; add it to `requests` or `connections`',
    ],
    [
      '{ name: a, assume: { oauth: yes }, expect: { status: 200 } }',
      'yes: expected `passes`, `refuses`, or a map of results',
    ],
    [
      '{ name: a, for: { url: [b, /c] }, expect: { status: 200 } }',
      '{ name: a, for: { url: [b, /c] }, expect: { status: 200 } }: expected an absolute URL or a path that begins with `/`, found `b`',
    ],
  ])('reports what is wrong: %s', (test, ...faults) => {
    expect(read(`${HEAD}  - ${test}\n`).faults).toEqual(faults);
  });
});

describe('fixtures', () => {
  const FIXTURES = `now: 2026-03-02T10:15:30Z
requests: { browser: { headers: { User-Agent: Mozilla/5.0 } }, bot: { headers: { User-Agent: bot } } }
connections: { office: { client_ip: 203.0.113.5 } }
`;
  const USING = `${HEAD}  - { name: a, use: [browser, office], request: { url: / }, after: [{ repeat: 2, use: [bot] }], expect: { status: 200 } }\n`;

  it('are merged below what the test says, and above for earlier requests', () => {
    const { tests, faults } = read(`extends: f.yaml\n${USING}`, FIXTURES);
    expect(faults).toEqual([]);
    const connection = { client_ip: '203.0.113.5' };
    expect(tests).toEqual([
      {
        name: 'a',
        connection,
        request: { url: '/', headers: { 'User-Agent': 'Mozilla/5.0' } },
        after: [{ repeat: 2, connection, request: { url: '/', headers: { 'User-Agent': 'bot' } } }],
        expect: { status: 200 },
      },
    ]);
    expect(
      readTests(new SourceText('t.yaml', `extends: f.yaml\n${USING}`), { now: '2026-03-02T10:15:30Z' }).value,
    ).toBe(undefined);
  });

  it('of the file itself replace those of the same name that it inherits', () => {
    const { tests } = read(
      `extends: f.yaml\nrequests: { browser: { url: /own } }\n${HEAD}  - { name: a, use: [browser], expect: { status: 200 } }\n`,
      FIXTURES,
    );
    expect(tests[0]?.request).toEqual({ url: '/own' });
  });

  it('are not looked for where the extended file was not read', () => {
    expect(read(`extends: f.yaml\n${USING}`).faults).toEqual([]);
    expect(read(USING).faults).toEqual([
      'browser: unknown fixture `browser`; add it to `requests` or `connections`',
      'office: unknown fixture `office`; add it to `requests` or `connections`',
      'bot: unknown fixture `bot`; add it to `requests` or `connections`',
    ]);
  });

  it('need different names', () => {
    expect(
      read(
        `requests: { a: { url: / } }\nconnections: { a: { client_ip: 192.0.2.1 } }\n${HEAD}  - { name: a, expect: { status: 200 } }\n`,
      ).faults,
    ).toEqual(['a: `a` is also a request; fixtures need different names']);
  });
});

it('reads 10,000 written tests in one file', () => {
  const tests = Array.from(
    { length: 10_000 },
    (_, index) =>
      `  - name: test ${index}\n    request: { method: GET, url: /a/${index}, headers: { User-Agent: Mozilla/5.0 } }\n    expect: { outcome: passed, status: 200 }\n`,
  );
  expect(read(HEAD + tests.join('')).tests).toHaveLength(10_000);
  expect(read(`${HEAD + tests.join('')}  - { name: one more, expect: { status: 200 } }\n`).faults).toEqual([
    '{ name: one more, expect: { status: 200 } }: 10001 cases; a file may have at most 10000',
  ]);
});
