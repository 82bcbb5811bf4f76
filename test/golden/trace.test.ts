import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCaptured } from '@tollgate/cli';
import { describe, expect, it } from 'vitest';

const FIXTURES = 'test/golden/trace';
const isUpdating = process.env.UPDATE_GOLDENS === '1';

const UNGUARDED = join(FIXTURES, 'unguarded.yaml');
const FILLED = join(FIXTURES, 'filled.yaml');
const ADMIN = 'https://shop.example/admin/a?b=c';

/** Command lines behind `tollgate trace`, by what they show. */
const CASES: Readonly<Record<string, readonly string[]>> = {
  rewritten: [
    'examples/policies/bookshop.yaml',
    '--url',
    'https://books.example/api/v0/user/17?x=1',
    '--status',
    '200',
  ],
  'from-a-log': ['examples/policies/bookshop.yaml', '--request', 'examples/traffic/access.log#5'],
  'from-a-browser': [
    'examples/policies/bookshop.yaml',
    '--request',
    'examples/traffic/browse.har#3',
    '--only',
    'matched',
  ],
  'failing-and-unknown': [UNGUARDED, '--url', ADMIN, '-H', 'X-Role: none', '--country', 'FR'],
  redirected: [
    UNGUARDED,
    '--url',
    ADMIN,
    '-X',
    'HEAD',
    '-H',
    'X-Role: 管理',
    '-H',
    'X-Role: other',
    '-H',
    'X-Tenant: b',
  ],
  'nothing-known': [UNGUARDED, '--url', '/admin', '--incomplete'],
  filled: [FILLED, '--url', 'https://shop.example/old/1', '-H', 'X-Tier: silver', '--client-ip', '203.0.113.7'],
  'one-rule': [UNGUARDED, '--url', ADMIN, '--rule', 'several lines', '--rule', 'outbound 1'],
  'a-route': [
    '--edge',
    'examples/edges/bookshop.json',
    '--url',
    'https://books.example/wp-login.php',
    '--status',
    '404',
  ],
  'a-route-with-a-limit': ['--edge', 'examples/edges/bookshop.json', '--request', 'examples/traffic/browse.har#2'],
  hinted: ['--profile', 'edge-v2-snake', join(FIXTURES, 'hinted.yaml'), '--url', 'http://shop.example/'],
  connection: ['--endpoint', 'tcp-edge', 'examples/policies/tcp-edge/database.yaml', '--client-ip', '203.0.113.7'],
};

async function trace(args: readonly string[]): Promise<string> {
  const { code, output, errors } = await runCaptured(['trace', ...args]);
  return `${errors}${output}exit code ${code}\n`;
}

describe('tollgate trace', () => {
  it.each(Object.entries(CASES))('prints the golden file: %s', async (name, args) => {
    const output = `tollgate trace ${args.join(' ')}\n\n${await trace(args)}`;
    const golden = join(FIXTURES, `${name}.txt`);
    if (isUpdating) writeFileSync(golden, output);
    else if (!existsSync(golden)) throw new Error(`${golden} is missing; UPDATE_GOLDENS=1 makes it`);
    expect(output).toBe(readFileSync(golden, 'utf8'));
  });

  it('has no golden file without a case', () => {
    const goldens = readdirSync(FIXTURES).filter(file => file.endsWith('.txt'));
    expect(goldens.filter(file => !(file.slice(0, -4) in CASES))).toEqual([]);
  });
});
