import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCaptured } from '../run-captured.ts';

const ROOT = process.cwd();
const SECRETS = { AWS_SECRET_ACCESS_KEY: 'aws-secret-of-the-user', TOLLGATE_API_KEY: 'tollgate-key-of-the-user' };

let home: string;
let server: Server;
let url: string;
/** Everything that a stranger's server received. */
let received: string;

beforeEach(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'tollgate-secrets-')));
  mkdirSync(join(home, 'project/.git'), { recursive: true });
  writeFileSync(join(home, 'project/key'), 'key-in-a-file\n');
  writeFileSync(join(home, 'secret'), 'key-elsewhere\n');
  writeFileSync(join(home, 'project/policy.yaml'), 'inbound: []\n');
  process.chdir(join(home, 'project'));
  received = '';
  server = createServer((request, response) => {
    received += `${request.url} ${request.rawHeaders.join(' ')}`;
    response.writeHead(404).end();
  });
  await new Promise<void>(done => void server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(() => {
  server.close();
  process.chdir(ROOT);
  rmSync(home, { recursive: true });
});

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runCaptured(args, { env: { HOME: home, ...SECRETS, ...env } });

function project(apiKey: string, { to = url, more = '', target = '' } = {}): void {
  const text = `environments: { p: { url: '${to}', apiKey: ${apiKey}${more} } }
targets: { t: { policy: policy.yaml, route: { edge: a, id: r }${target} } }
`;
  writeFileSync(join(home, 'project/tollgate.yaml'), text);
}

const AWS = '{ env: AWS_SECRET_ACCESS_KEY }';
const KEY = '{ env: TOLLGATE_API_KEY }';
const SENDERS = [
  ['plan'],
  ['drift'],
  ['pull'],
  ['adopt', 'a'],
  ['apply', '--yes'],
  ['impact', 'live:t', 'policy.yaml', 'x'],
];

describe('a secret that a project file names', () => {
  it.each(SENDERS)('is not sent by %s to a URL that the user has not trusted', async (...args) => {
    for (const key of [AWS, KEY, '{ file: key }']) {
      project(key);
      for (const more of [[], ['--no-trust']]) {
        const { code, errors } = await run([...more, ...args]);
        expect([code, received]).toEqual([2, '']);
        expect(errors).toContain('run `tollgate trust environment p`');
      }
    }
  });

  it.each(SENDERS)(
    'is sent by %s once the user has trusted the URL with it, until something changes',
    async (...args) => {
      project(AWS, { more: ", headers: { X-A: '1' }" });
      expect(await run(['trust', 'environment'])).toEqual({
        code: 0,
        output: `trusted \`${url}\` with the variable \`AWS_SECRET_ACCESS_KEY\`\n`,
        errors: '',
      });
      await run(['--no-trust', ...args]);
      expect(received).toContain(SECRETS.AWS_SECRET_ACCESS_KEY);
      received = '';
      const changes: readonly (readonly [string, Parameters<typeof project>[1]])[] = [
        [KEY, { more: ", headers: { X-A: '1' }" }],
        [AWS, { more: ", headers: { X-A: '2' }" }],
        [AWS, { more: ", headers: { X-A: '1' }, versionHeader: X-B" }],
        [AWS, { to: `${url}/other`, more: ", headers: { X-A: '1' }" }],
        [AWS, { to: url.replace('127.0.0.1', 'localhost'), more: ", headers: { X-A: '1' }" }],
      ];
      for (const [key, options] of changes) {
        project(key, options);
        expect([(await run(args)).code, received]).toEqual([2, '']);
      }
      project(AWS, { more: ", headers: { X-A: '1' }" });
      expect((await run(['trust', 'revoke'])).code).toBe(0);
      expect([(await run(args)).code, received]).toEqual([2, '']);
    },
  );

  it('of a webhook needs the same trust', async () => {
    project(KEY, { target: `, webhookVerification: { provider: slack, secret: ${AWS} }` });
    const { code, errors } = await run(['plan'], { TOLLGATE_TRUSTED_URL: url });
    expect(code).toBe(2);
    expect(errors).toContain('the webhook secret of the target `t` is the variable `AWS_SECRET_ACCESS_KEY`');
    expect((await run(['trust', 'environment'])).output.split('\n')).toHaveLength(3);
    expect((await run(['plan'])).code).toBe(3);
  });

  it('is not covered by the trust in a directory', async () => {
    project(AWS);
    expect((await run(['trust'])).code).toBe(0);
    expect([(await run(['plan'])).code, received]).toEqual([2, '']);
  });
});

describe('`TOLLGATE_TRUSTED_URL`', () => {
  it.each<[string, string, (url: string) => string, boolean]>([
    ['allows variables for Tollgate', KEY, one => one, true],
    ['may list several URLs', KEY, one => `https://a.example/ ${one}/`, true],
    ['allows no other variables', AWS, one => one, false],
    ['allows no files', '{ file: key }', one => one, false],
    ['allows no other URL', KEY, one => `${one}0`, false],
    ['allows nothing if it is empty', KEY, () => '', false],
  ])('%s', async (_, key, trusted, isSent) => {
    project(key);
    await run(['--no-trust', 'plan'], { TOLLGATE_TRUSTED_URL: trusted(url) });
    expect(received !== '').toBe(isSent);
  });
});

it('sends no file from outside of the project', async () => {
  project('{ file: ../secret }');
  await run(['trust', 'environment']);
  const { code, errors } = await run(['plan']);
  expect([code, received]).toEqual([3, '']);
  expect(errors).toContain('it is outside of');
});

it.each(['Host', 'authorization', 'Transfer-Encoding', 'CONNECTION'])('refuses the header %s', async name => {
  project(KEY, { more: `, headers: { ${name}: a.example }` });
  const { code, errors } = await run(['plan'], { TOLLGATE_TRUST: '1' });
  expect([code, received]).toEqual([2, '']);
  expect(errors).toContain(`\`headers\` must not contain \`${name}\`; remove it`);
});
