import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { installedCommand } from '../support/installed-command.ts';

const FIELDS = '#Software: Microsoft Internet Information Services 10.0\n#Fields: date time cs-method cs-uri-stem\n';

it.each([
  ['an access log', '', '192.0.2.1 - - [21/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" 200 5 "-" "curl/8"\n'],
  ['a W3C log', FIELDS, '2026-11-21 10:00:00 GET /a\n'],
])('writes each decision on %s when its line arrives, before the pipe is closed', async (_, head, line) => {
  const command = [await installedCommand(), 'replay', '-f', 'ndjson', 'examples/policies/bookshop.yaml', '-'];
  const child = spawn(process.execPath, command, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  child.stdin.write(head);
  const before = head.split('\n').length - 1;
  for (let number = 1; number <= 3; number++) {
    child.stdin.write(line);
    // Nothing else is written before this line has arrived.
    const { value = '' } = await lines.next();
    expect(JSON.parse(value)).toMatchObject({ place: { number: before + number } });
  }
  child.stdin.end();
  const { value: summary = '' } = await lines.next();
  expect(JSON.parse(summary)).toMatchObject({ kind: 'summary', exchanges: 3 });
  await once(child, 'close');
  expect(child.exitCode).toBe(0);
});
