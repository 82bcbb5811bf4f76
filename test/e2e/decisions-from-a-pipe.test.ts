import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { installedCommand } from '../support/installed-command.ts';

const LINE = '192.0.2.1 - - [21/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" 200 5 "-" "curl/8"\n';

it('writes each decision when its line arrives, before the pipe is closed', async () => {
  const command = [await installedCommand(), 'replay', '-f', 'ndjson', 'examples/policies/bookshop.yaml', '-'];
  const child = spawn(process.execPath, command, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  for (let number = 1; number <= 3; number++) {
    child.stdin.write(LINE);
    // Nothing else is written before this line has arrived.
    const { value = '' } = await lines.next();
    expect(JSON.parse(value)).toMatchObject({ place: { number } });
  }
  child.stdin.end();
  const { value: summary = '' } = await lines.next();
  expect(JSON.parse(summary)).toMatchObject({ kind: 'summary', exchanges: 3 });
  await once(child, 'close');
  expect(child.exitCode).toBe(0);
});
