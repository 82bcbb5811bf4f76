import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { RuleView } from '@tollgate/reports';
import type { RuleResult } from '@tollgate/simulator';
import { verdictKey } from '@tollgate/simulator/compiled';
import { type Exchange, exchangeRecord } from '@tollgate/traffic';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCaptured } from '../run-captured.ts';
import { withOptions } from './described-exchange.ts';
import { chooseRules, readRequest } from './trace-request.ts';

const POLICY = 'examples/policies/bookshop.yaml';
const EDGE = 'examples/edges/bookshop.json';

const trace = (args: readonly string[], input = '') => runCaptured(['trace', ...args], { input });

describe('tollgate trace', () => {
  it.each<[readonly string[], number, string]>([
    [[], 2, 'missing required argument `policy`'],
    [[POLICY], 2, 'missing request; pass `--url URL` or `--request FILE`'],
    [[POLICY, '--edge', EDGE, '--url', '/'], 2, 'expected either a policy or `--edge`, found both'],
    [['-', '--request', '-'], 2, 'standard input cannot be both policy and request'],
    [
      [POLICY, '--url', 'nowhere'],
      2,
      '`--url` expects a URL such as `https://example.com/a`, or a path, found `nowhere`',
    ],
    [[POLICY, '--url', '/', '--rule', 'no scaners'], 2, '`--rule`: no rule `no scaners`; did you mean `no scanners`?'],
    [['missing.yaml', '--url', '/'], 3, 'cannot read `missing.yaml`: no such file'],
    [[POLICY, '--request', 'missing.har'], 3, 'cannot read `missing.har`: no such file'],
    [
      [POLICY, '--request', 'examples/traffic/browse.har#9999'],
      3,
      'found no exchange `#9999` in `examples/traffic/browse.har`',
    ],
    [['--edge', POLICY, '--url', '/'], 3, `cannot read \`${POLICY}\` as an edge: invalid JSON: `],
  ])('reports an error and its exit code: %j', async (args, code, message) => {
    const found = await trace(args);
    expect({ code: found.code, output: found.output }).toEqual({ code, output: '' });
    expect(found.errors.startsWith(`tollgate: ${message}`)).toBe(true);
  });

  it('knows what a log says of a token, at the time of the request', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-trace-'));
    const config = {
      issuer: { allow_list: [{ value: 'https://id.example/' }] },
      http: { tokens: [{ type: 'jwt', method: 'header', name: 'Authorization', prefix: '' }] },
      jws: { allowed_algorithms: ['RS256'], keys: { sources: { additional_jkus: ['https://id.example/keys'] } } },
    };
    const [policy, log] = [join(folder, 'policy.json'), join(folder, 'd.jsonl')];
    writeFileSync(policy, JSON.stringify({ on_http_request: [{ actions: [{ type: 'jwt-validation', config }] }] }));
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const token = `${part({ alg: 'RS256' })}.${part({ iss: 'https://id.example/' })}.c2ln`;
    const key = verdictKey(JSON.stringify([config.issuer, null, config.jws]), token);
    const recorded = { url: 'https://e.co/', request_headers: { Authorization: token } };
    writeFileSync(
      log,
      ['valid', 'it has expired']
        .map(verdict => JSON.stringify({ ...recorded, verdicts: `${key} ${verdict}` }))
        .join('\n'),
    );
    const traced = async (...args: readonly string[]) => (await trace([policy, ...args])).output;
    expect(await traced('-r', `${log}#1`)).toContain('jwt-validation  lets it pass\n');
    expect(await traced('-r', `${log}#2`)).toContain('rejects the token: it has expired\n');
    expect(await traced('-r', `${log}#1`, '--time', '2030-01-01T00:00:00Z')).toContain('jwt-validation  perhaps\n');
    rmSync(folder, { recursive: true });
  });

  it('reports a policy with errors as `tollgate check` does, in both formats', async () => {
    const policy = 'inbound: [{ expressions: [req.Pth == 1], actions: [{ type: deny }] }]';
    const text = await trace(['-', '--url', '/'], policy);
    expect([text.code, text.errors]).toEqual([1, '']);
    expect(text.output).toContain('error[name/undeclared-field]');
    const json = await trace(['-', '--url', '/', '--format', 'json'], policy);
    expect([json.code, JSON.parse(json.output).diagnostics[0].code]).toEqual([1, 'name/undeclared-field']);
  });

  it('reports errors in an exchange at their positions', async () => {
    const { code, output } = await trace([POLICY, '--request', '-'], 'request:\n  url: books.example\n');
    expect(code).toBe(1);
    expect(output).toContain('error[test/invalid]: expected an absolute URL');
    expect(output).toContain('<stdin>:2:8');
  });

  it('traces a policy from standard input, and a part of a file', async () => {
    const found = await trace(['-', '--url', '/'], 'inbound: [{ actions: [{ type: deny }] }]');
    expect(found.output).toMatch(/^<stdin> \(https-route\) on GET \/\n\n✓ inbound 1 {2}matched/);
    const part = await trace([`${EDGE}#/routes/2/policy`, '--url', 'https://books.example/a.php']);
    expect(part.output).toContain('✓ inbound 1  no probes  matched');
  });

  it.each(['text', 'html'])('says of an action without an effect whether it is a check, as %s', async format => {
    const rules = `
      - { type: basic-auth, config: { credentials: ['ada:correct-horse'] } }
      - { type: url-rewrite, config: { from: /old, to: /new } }`;
    const request = ['--url', 'https://a.example/x', '-H', 'Authorization: Basic YWRhOmNvcnJlY3QtaG9yc2U='];
    const found = await trace(['-', ...request, '--format', format], `on_http_request:\n  - actions:${rules}\n`);
    const words = found.output
      .replaceAll(/<[^>]*>/g, '')
      .match(/→ (?:basic-auth|url-rewrite) +(?:lets it pass|nothing to do)/g);
    expect(words?.map(one => one.replaceAll(/ +/g, ' '))).toEqual([
      '→ basic-auth lets it pass',
      '→ url-rewrite nothing to do',
    ]);
  });
});

function rule(
  phase: RuleView['phase'],
  number: number,
  status: 'not-matched' | 'not-reached',
  name?: string,
): RuleView {
  const result: RuleResult = { status };
  return { phase, number, name, result, range: { start: 0, end: 0 }, reason: undefined, expressions: [], actions: [] };
}

const RULES = [
  rule('inbound', 1, 'not-matched', 'no bots'),
  rule('inbound', 2, 'not-reached'),
  rule('outbound', 1, 'not-reached', 'hide the server'),
];

it.each([
  [{}, [0, 1, 2]],
  [{ rule: ['1'] }, [0, 2]],
  [{ rule: ['inbound 1', 'hide the server'] }, [0, 2]],
  [{ only: ['not-reached'] }, [1, 2]],
  [{ rule: ['1'], only: ['not-reached', 'failed'] }, [2]],
])('selects rules by number, phase and number, name, and status: %j', (choice, expected) => {
  expect(chooseRules(RULES, choice)).toEqual(expected.map(index => RULES[index]));
});

it.each([
  ['no bot', '`--rule`: no rule `no bot`; did you mean `no bots`?'],
  ['7', '`--rule`: no rule `7`; expected `no bots`, `inbound 2`, `hide the server`'],
])('lists the existing rules: %s', (word, message) => {
  expect(() => chooseRules(RULES, { rule: [word] })).toThrow(message);
});

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'tollgate-'));
});

afterAll(() => rmSync(directory, { recursive: true }));

const terminalOf = (input: string | Uint8Array) => ({
  write: () => undefined,
  writeError: () => undefined,
  readInput: async () => Buffer.from(input),
  isInteractive: false,
  env: {},
});

async function read(argument: string, input: string | Uint8Array = ''): Promise<Exchange> {
  const reading = await readRequest(argument, {}, terminalOf(input));
  if ('refused' in reading) throw new Error(reading.refused.diagnostics.map(({ message }) => message).join('; '));
  return withOptions(reading.exchange, {});
}

async function readFile(name: string, text: string | Uint8Array, number = ''): Promise<Exchange> {
  const file = join(directory, name);
  writeFileSync(file, text);
  return read(file + number);
}

const RAW =
  'POST /a?b=c HTTP/1.1\r\nHost: e.co\r\nx-key : 1\r\nX-Long: one\r\n  two\r\nX-Key: 2\r\n\r\nbody: no header';

const LOG = [
  '203.0.113.7 - - [21/Nov/2026:00:00:01 +0000] "GET /one HTTP/1.1" 200 5 "-" "Firefox"',
  'not a line of a log',
  '203.0.113.8 - - [21/Nov/2026:00:00:02 +0000] "GET /three HTTP/1.1" 404 5 "-" "Firefox"',
  '',
].join('\n');

const HAR = JSON.stringify({
  log: {
    version: '1.2',
    entries: ['https://e.co/1', 'https://e.co/2'].map(url => ({
      startedDateTime: '2026-11-21T00:00:00Z',
      request: { method: 'GET', url, httpVersion: 'HTTP/1.1', headers: [{ name: 'Host', value: 'e.co' }] },
      response: { status: 200, headers: [], bodySize: 1 },
    })),
  },
});

describe('a request from a file', () => {
  it('is parsed as raw HTTP, with all headers known', async () => {
    for (const exchange of [await readFile('raw.txt', RAW), await read('-', RAW)]) {
      expect(exchange).toMatchObject({ method: 'POST', target: '/a?b=c', url: undefined, protocol: 'HTTP/1.1' });
      expect(exchange.requestHeaders).toEqual({
        fields: [
          { name: 'Host', value: 'e.co' },
          { name: 'X-Key', value: '1' },
          { name: 'X-Long', value: 'one two' },
          { name: 'X-Key', value: '2' },
        ],
        ...{ absent: [], complete: true, withheld: [] },
      });
    }
    const proxied = await readFile('proxied.txt', 'GET http://e.co/a HTTP/1.1\nHost: e.co\n');
    expect([proxied.url, proxied.target]).toEqual(['http://e.co/a', 'http://e.co/a']);
  });

  it.each([
    [
      'JSON',
      '{"request": {"method": "PUT", "url": "https://e.co/x", "headers": {"X-A": null}}, "response": {"status": 503}}',
    ],
    [
      'YAML',
      '# an exchange\nrequest:\n  method: PUT\n  url: https://e.co/x\n  headers: { X-A: null }\nresponse: { status: 503 }\n',
    ],
  ])('is one exchange in %s, as in policy tests', async (_, text) => {
    const exchange = await read('-', text);
    expect(exchange).toMatchObject({ method: 'PUT', url: 'https://e.co/x', response: { status: 503 } });
    expect(exchange.requestHeaders).toEqual({ fields: [], absent: ['x-a'], complete: false, withheld: [] });
  });

  it.each<[string, string | Uint8Array, string, string]>([
    ['a.log', LOG, '#1', '/one'],
    ['a.log', LOG, '#3', '/three'],
    ['a.log.gz', gzipSync(LOG), '#3', '/three'],
    ['one.log', LOG.split('\n')[0]!, '', '/one'],
    ['b.har', HAR, '#2', '/2'],
    ['c.jsonl', '{"method":"GET","target":"/1"}\n{"method":"GET","target":"/2"}\n', '#2', '/2'],
  ])('is a record of a recording, by number or line: %s', async (name, text, number, target) => {
    expect((await readFile(name, text, number)).target).toBe(target);
  });

  it('is a JSON record in any layout, such as the exchange of a trace', async () => {
    const record = {
      method: 'PUT',
      url: 'https://e.co/x',
      request_headers: { 'X-A': ['1'] },
      status: 204,
      country: 'DE',
    };
    const exchange = await readFile('record.json', JSON.stringify(record, undefined, 2));
    expect(exchange).toMatchObject({
      method: 'PUT',
      url: 'https://e.co/x',
      response: { status: 204 },
      geo: { countryCode: 'DE' },
    });
    expect(await read('-', JSON.stringify(exchangeRecord(exchange), undefined, 2))).toEqual({
      ...exchange,
      place: { ...exchange.place, file: '<stdin>' },
    });
  });

  it('is read from standard input', async () => {
    expect((await read('-', LOG.split('\n')[2])).target).toBe('/three');
  });

  it.each<[string, string | Uint8Array, string, RegExp]>([
    ['a.log', LOG, '', /^`.*a\.log` contains several exchanges; choose one, such as `.*a\.log#1` or `.*a\.log#3`$/],
    ['a.log', LOG, '#2', /^`.*a\.log:2` is not an exchange: `not a line of a log`$/],
    ['a.log', LOG, '#9', /^found no exchange `#9` in `.*a\.log`$/],
    ['empty.log', '', '', /^no exchange in `.*empty\.log`: it has no records; /],
    [
      'bad.txt',
      'GET / HTTP/1.1\nno header',
      '',
      /^`.*bad\.txt:2`: expected a header such as `Accept: \*\/\*`, found `no header`$/,
    ],
    [
      'x.yaml',
      'request: { url: e.co }',
      '',
      /^expected an absolute URL or a path that begins with `\/`, found `e\.co`$/,
    ],
    ['x.bin', Buffer.from([0, 255, 254, 1]), '', /is not recorded traffic/],
  ])('is rejected if there is none: %s %#', async (name, text, number, message) => {
    await expect(readFile(name, text, number)).rejects.toThrow(message);
  });

  it('names the file that does not exist', async () => {
    await expect(read(join(directory, 'missing.har'))).rejects.toThrow(/^cannot read `.*missing\.har`: no such file$/);
    await expect(read(`${join(directory, 'missing.har')}#1`)).rejects.toThrow(
      /^cannot read `.*missing\.har`: no such file$/,
    );
  });
});
