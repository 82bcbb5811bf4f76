import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCaptured } from '@tollgate/cli';
import { afterAll, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-headers-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

const POLICY = fileOf(
  'policy.yaml',
  `inbound:
  - expressions: ["hasReqHeader('X-Key')", "req.Path == '/a'"]
    actions: [{ type: deny }]
  - expressions: ["req.Path == '/never'"]
    actions: [{ type: deny }]
  - expressions: ["req.Path == '/b'"]
    actions: [{ type: deny }]
`,
);

const RECORDS = [
  { url: 'https://e.co/a', request_headers: { Accept: '*/*' } },
  { url: 'https://e.co/a', request_headers: { Accept: '*/*', 'X-Key': '1' } },
  { url: 'https://e.co/a', request_headers: { Accept: '*/*' } },
  { url: 'https://e.co/a' },
  { url: 'https://e.co/b', request_headers: { Accept: '*/*' } },
];
const TRAFFIC = fileOf('a.jsonl', RECORDS.map(record => `${JSON.stringify(record)}\n`).join(''));
const MAPPING = fileOf('mapping.yaml', 'complete_headers: true\n');

it('shows how many outcomes a recording of all headers would determine, and determines them', async () => {
  const { output } = await runCaptured(['replay', '--format', 'json', POLICY, TRAFFIC]);
  expect(JSON.parse(output).undetermined).toMatchObject({ exchanges: 3, byCompleteHeaders: 2 });
  const { output: text } = await runCaptured(['replay', POLICY, TRAFFIC]);
  expect(text.replaceAll(/\s+/g, ' ')).toContain(
    'up to 2 of these only lack headers; if the recording has all headers, set `complete_headers: true` in a `--mapping` file',
  );
  const settled = await runCaptured(['replay', '--format', 'json', '--mapping', MAPPING, POLICY, TRAFFIC]);
  expect(JSON.parse(settled.output).undetermined).toEqual({ exchanges: 1, needs: [expect.anything()] });
});

it('does not show this for a log that contains few headers', async () => {
  const log = fileOf('a.log', '192.0.2.1 - - [21/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" 200 5 "-" "curl/8"\n');
  const { output } = await runCaptured(['replay', '--format', 'json', POLICY, log]);
  expect(JSON.parse(output).undetermined).toEqual({ exchanges: 1, needs: [expect.anything()] });
});

it('counts rules in the headline of the page', async () => {
  const { output } = await runCaptured(['replay', '--format', 'html', POLICY, TRAFFIC]);
  expect(output).toContain('<dt>rules that match</dt><dd>2 of 3<small>1 never matches</small></dd>');
});
