import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundleCommand } from '../../scripts/bundle-command.ts';

const home = mkdtempSync(join(tmpdir(), 'tollgate-published-'));

/** Runs the command as one who installed it does: there are no sources beside it, nor the packages it was made of. */
function tollgate(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(home, 'bin/tollgate.js'), ...args], {
    encoding: 'utf8',
    env: { XDG_CACHE_HOME: join(home, 'cache') },
  });
  return [status, stdout, stderr];
}

beforeAll(async () => {
  cpSync('packages/cli/bin', join(home, 'bin'), { recursive: true });
  cpSync('packages/cli/package.json', join(home, 'package.json'));
  await bundleCommand(join(home, 'dist/bundle'));
}, 60_000);

afterAll(() => rmSync(home, { recursive: true }));

it('checks a policy', () => {
  expect(tollgate('check', resolve('examples/policies/block-bots.yaml'))).toEqual([0, 'no problems in 1 file\n', '']);
});

it('says the same when its code is kept from an earlier run', () => {
  const lint = () => tollgate('lint', resolve('examples/policies/bookshop.yaml'));
  const first = lint();
  expect(first[0]).toBe(0);
  expect([lint(), lint()]).toEqual([first, first]);
  const [build = ''] = readdirSync(join(home, 'cache/tollgate/code'));
  expect(readdirSync(join(home, 'cache/tollgate/code', build))).toContain('main.cjs');
});

it('lints patterns with the parser and the analyser that it loads late', () => {
  const policy = join(home, 'patterns.yaml');
  const condition = "req.Path.matches('^/old/([a-z]+)+$')";
  writeFileSync(policy, `inbound: [{expressions: ["${condition}"], actions: [{type: deny}]}]\n`);
  const [code, out, err] = tollgate('lint', '--fail-on', 'warning', '-f', 'json', policy);
  expect([code, err]).toEqual([1, '']);
  expect(JSON.parse(String(out)).diagnostics.map((one: { code: string }) => one.code)).toEqual(['regex/redos']);
});

it('traces a request', () => {
  const exchange = join(home, 'exchange.yaml');
  writeFileSync(exchange, 'request: { method: GET, url: https://books.example/robots.txt }\n');
  for (const format of ['text', 'json', 'html']) {
    const args = ['examples/policies/bookshop.yaml', '--request', exchange, '--format', format];
    const [code, out, err] = tollgate('trace', ...args);
    expect([format, code, err]).toEqual([format, 0, '']);
    expect(out).toContain('no training of language models');
  }
});

it('replays traffic', () => {
  const [code, out, err] = tollgate('replay', 'examples/policies/bookshop.yaml', 'examples/traffic/access.log');
  expect([code, err]).toEqual([0, '']);
  expect(out).toContain('exchanges');
});
