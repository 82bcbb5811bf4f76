import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../edge-server/test-server.ts';
import { installedCommand } from '../../support/installed-command.ts';
import { createPublisher, type Publisher } from './publisher.ts';
import { createShop, heldBy, policyText, projectText, type Shop } from './shop.ts';

/** `script` runs a command on a terminal of its own. */
const HAS_SCRIPT = spawnSync('script', ['--version']).status === 0;

let server: TestServer;
let publisher: Publisher;
let shop: Shop;

beforeAll(async () => {
  publisher = await createPublisher();
  server = await startTestServer({ development: true });
  shop = await createShop(server, 1);
  publisher.write('project/key', server.token);
  publisher.write('project/policy.yaml', policyText('one'));
  publisher.write('project/tollgate.yaml', projectText(shop, server.url, 0).replace('0.25', '30'));
});

afterAll(async () => {
  await server?.stop();
  publisher?.remove();
});

/** Runs `tollgate apply` on a terminal and answers its question. */
async function applyAnswering(answer: string): Promise<{ readonly code: number | null; readonly output: string }> {
  const line = `'${process.execPath}' '${await installedCommand()}' apply`;
  const child = spawn('script', ['-qefc', line, '/dev/null'], {
    cwd: join(publisher.folder, 'project'),
    env: { ...process.env, HOME: publisher.folder, TOLLGATE_TRUST: '1' },
  });
  let output = '';
  let isAsked = false;
  child.stdout.setEncoding('utf8').on('data', text => {
    output += text;
    if (isAsked || !output.includes('Only `yes` is accepted: ')) return;
    isAsked = true;
    child.stdin.write(answer);
  });
  const code = await new Promise<number | null>(done => child.once('close', done));
  return { code, output };
}

describe.runIf(HAS_SCRIPT)('apply on a terminal', () => {
  it.each([
    ['the answer is yes', 'y\n'],
    ['it is answered at all, by Ctrl-C', 'ye\u0003'],
    ['it is answered at all, by Ctrl-D', '\u0004'],
  ])('writes nothing unless %s', async (_, answer) => {
    const { code, output } = await applyAnswering(answer);
    expect([code, output]).toEqual([1, expect.stringMatching(/\r\ntollgate: nothing was written\r\n$/)]);
    expect(await heldBy(server, shop)).toMatchObject([{ policy: undefined }]);
  });

  it('writes once the answer is yes', async () => {
    const { code, output } = await applyAnswering('yes\n');
    expect([code, output]).toEqual([0, expect.stringContaining('applied: 1 written')]);
    expect(await heldBy(server, shop)).toMatchObject([{ policy: 'one' }]);
  });
});
