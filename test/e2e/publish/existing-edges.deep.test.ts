import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCaptured } from '@tollgate/cli';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../edge-server/test-server.ts';
import { createShop, policyText } from './shop.ts';

const ROUTES = 11;
const home = process.cwd();
let server: TestServer;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-publish-'));
  process.chdir(folder);
  server = await startTestServer({ development: true });
  await createShop(server, ROUTES);
  write('key', server.token);
});

afterAll(async () => {
  await server?.stop();
  process.chdir(home);
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
});

beforeEach(() => {
  rmSync(join(folder, '.tollgate'), { recursive: true, force: true });
});

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

function read(name: string): string {
  return readFileSync(join(folder, name), 'utf8');
}

const run = (args: readonly string[]) => runCaptured(args, { env: { HOME: folder, TOLLGATE_TRUST: '1' } });

function writeProject(policy: string, more = ''): void {
  write(
    'tollgate.yaml',
    `environments: { test: { url: "${server.url}", apiKey: { file: key }, requestsPerMinute: 100000 } }
targets:
  shop: { policy: ${policy}, route: { edge: "shop.example:443", match: /r0/ }${more} }
`,
  );
}

async function publish(version: string): Promise<void> {
  write('policy.yaml', policyText(version));
  writeProject('policy.yaml');
  expect(await run(['apply', '--yes', '--allow-erase'])).toMatchObject({ code: 0 });
}

it('pulls into a part of a JSON file and leaves every other byte as it is', async () => {
  await publish('json');
  const before = '{ "a" : 1.50,\n   "spec": {"other":[ 1,2 ],\n     "policy": {"inbound": []} }, "z":"\\u00e9"  }\n';
  write('edge.json', before);
  writeProject("'edge.json#/spec/policy'");
  expect(await run(['pull'])).toMatchObject({ code: 0, output: 'edge.json#/spec/policy: written\n' });
  const after = read('edge.json');
  const [head, tail] = before.split('{"inbound": []}') as [string, string];
  expect([after.startsWith(head), after.endsWith(tail)]).toEqual([true, true]);
  expect(JSON.parse(after).spec.policy.inbound[0].actions[0].config.content).toBe('version json');
  expect(await run(['plan', '--exit-code'])).toMatchObject({ code: 0 });
  expect(await run(['pull'])).toMatchObject({ code: 0, output: 'edge.json#/spec/policy: unchanged\n' });
});

it.each([
  ['new.json', ''],
  ['missing.json', '{"kind": "Edge"}'],
  ['nothing.json', '{"spec": null}'],
  ['new.yaml', ''],
  ['missing.yaml', 'kind: Edge\n'],
  ['nothing.yaml', 'spec: # Nothing yet.\n'],
])('pulls into a part of %s that does not exist yet', async (name, text) => {
  await publish('part');
  write(name, text);
  writeProject(`'${name}#/spec/policy'`);
  expect(await run(['pull'])).toMatchObject({ code: 0, output: `${name}#/spec/policy: written\n` });
  expect(await run(['plan', '--exit-code'])).toMatchObject({ code: 0 });
});

it.each([
  ['scalar.json', '{"spec": 1}'],
  ['broken.json', '{"spec": '],
  ['scalar.yaml', 'spec: 1\n'],
  ['broken.yaml', 'spec: [\n'],
])('refuses to pull into %s', async (name, text) => {
  await publish('refused');
  write(name, text);
  writeProject(`'${name}#/spec/policy'`);
  const { code, errors } = await run(['pull']);
  expect([code, errors, read(name)]).toEqual([
    3,
    expect.stringMatching(/^tollgate: cannot update `.*`: it has errors, or no place for `\/spec\/policy`; .*\n$/),
    text,
  ]);
});

it('adopts an edge into a project whose `targets` is empty', async () => {
  write(
    'tollgate.yaml',
    `environments:\n  test: { url: "${server.url}", apiKey: { file: key } }\ntargets:\n  # None yet.\n`,
  );
  const { code, errors } = await run(['adopt', 'https://shop.example']);
  expect([code, errors]).toEqual([
    0,
    expect.stringMatching(
      /^tollgate: added 11 targets to `.*tollgate\.yaml`; `tollgate pull` writes their policies\n$/,
    ),
  ]);
  const adopted = read('tollgate.yaml');
  expect(adopted.match(/match: \/r\d+\//g)?.length).toBe(ROUTES);
  for (const edge of ['shop.example:443', 'shop.example']) {
    const again = await run(['adopt', edge]);
    expect(again).toMatchObject({
      code: 0,
      errors: expect.stringContaining('has been adopted already: `shop-example-r0`'),
    });
  }
  expect(read('tollgate.yaml')).toBe(adopted);
});

it('adopts only the routes that have no target yet', async () => {
  writeProject('policy.yaml');
  const { output } = await run(['adopt', 'shop.example:443']);
  expect(output).toBe(Array.from({ length: ROUTES - 1 }, (_, index) => `shop-example-r${index + 1}\n`).join(''));
});

it.each(['tomorrow', '2027-1-3', '2027-02-30', '9999'])('refuses to accept drift until %s', async until => {
  writeProject('policy.yaml', `, acceptedDrift: { reason: known, until: "${until}" }`);
  const { code, errors } = await run(['drift']);
  expect([code, errors]).toEqual([
    2,
    expect.stringContaining(`expected a day such as \`2027-01-31\`, found \`${until}\``),
  ]);
});

it('reports as Markdown, and as JSON also where there is nothing to do', async () => {
  await publish('one');
  write('policy.yaml', policyText('two'));
  const drift = await run(['drift', '-f', 'markdown']);
  expect([drift.code, drift.output]).toEqual([
    1,
    expect.stringMatching(/^### shop\n\n```diff\n {2}policy: to match the file:\n.*\n```\n\n1 of 1 target differs\n$/s),
  ]);
  expect(await run(['apply', '--yes', '-f', 'markdown'])).toMatchObject({
    code: 0,
    output:
      '## applied: 1 written\n\n| target | state | modules | reason |\n| --- | --- | --- | --- |\n| shop | written | policy |  |\n',
  });
  expect(await run(['rollback', '--yes'])).toMatchObject({ code: 0, output: 'rolled back: 1 written\n' });
  const again = await run(['rollback', '2', '--yes', '-f', 'json']);
  expect([again.code, JSON.parse(again.output)]).toEqual([
    0,
    { version: 1, outcome: 'applied', hasTags: null, targets: [] },
  ]);
  const { output } = await run(['history', '--local', '-f', 'markdown']);
  expect(output.split('\n').map(line => line.split(' | ')[0])).toEqual(['| run', '| ---', '| 3', '| 2', '| 1', '']);
});

it('shows a module that appears or disappears as one value', async () => {
  await publish('whole');
  const webhook = ', webhookVerification: { provider: slack }';
  writeProject('policy.yaml', webhook);
  const { output } = await run(['plan']);
  expect(output).toContain('  webhook verification (new)\n    + {"enabled":true,"provider":"slack","secret":""}\n');
});

it('takes a project file with errors for a usage error, not for a difference', async () => {
  writeProject('policy.yaml', ', nonsense: 1');
  const runs = [['plan', '--exit-code'], ['drift'], ['apply', '--yes'], ['history'], ['pull'], ['rollback', '--yes']];
  const codes = await Promise.all(runs.map(async args => (await run(args)).code));
  expect(codes).toEqual(runs.map(() => 2));
});
