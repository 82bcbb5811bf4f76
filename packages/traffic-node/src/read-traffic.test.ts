import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { ReadTrafficOptions } from '@tollgate/traffic';
import { afterAll, describe, expect, it } from 'vitest';
import { readTraffic } from './read-traffic.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-traffic-'));
afterAll(() => rmSync(folder, { recursive: true }));

const LINE = '192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /log HTTP/1.1" 200 2\n';
const HAR = '{"log":{"entries":[{"request":{"url":"http://e.co/har"}}]}}';

async function targets(content: string | Buffer, options?: ReadTrafficOptions) {
  const file = join(folder, 'traffic');
  writeFileSync(file, content);
  const found: (string | undefined)[] = [];
  for await (const batch of readTraffic(file, options)) found.push(...batch.exchanges.map(exchange => exchange.target));
  return found;
}

describe('reading a file of traffic', () => {
  it.each([
    ['an access log', LINE, ['/log']],
    ['an access log that begins with rubbish', `# rubbish\n${LINE}`, ['/log']],
    ['a compressed access log of two members', Buffer.concat([gzipSync(LINE), gzipSync(LINE)]), ['/log', '/log']],
    ['a HAR file', HAR, ['/har']],
    ['a HAR file with a byte order mark', `\ufeff ${HAR}`, ['/har']],
    ['a compressed HAR file', gzipSync(HAR), ['/har']],
    ['JSON lines', '{"target":"/json"}\n{"target":"/more"}\n', ['/json', '/more']],
    ['JSON lines that begin with half a line', 'et":1}\n{"target":"/json"}\n', ['/json']],
    ['mostly damaged JSON lines', `{"target":"/json"}\n${'{"x\n'.repeat(18)}`, ['/json']],
    ['a HAR file whose log is not the first member', `{"a":1,${HAR.slice(1)}`, ['/har']],
    ['a HAR file with an object in each line', `{\n"a":1,\n${HAR.slice(1).replaceAll(':[', ':[\n')}`, ['/har']],
    ['an empty file', '', []],
  ])('detects %s from its content', async (_, content, expected) => {
    expect(await targets(content)).toEqual(expected);
  });

  it('detects a server log among other messages', async () => {
    const caddy =
      '{"msg":"handled request","request":{"remote_ip":"192.0.2.1","method":"GET","host":"e.co","uri":"/caddy"}}\n';
    const other = '{"level":"info","msg":"server running","status":"up"}\n';
    expect(await targets(other.repeat(3) + caddy + other)).toEqual(['/caddy']);
  });

  it('reads every line of a log of many chunks', async () => {
    expect(await targets(LINE.repeat(20_000))).toHaveLength(20_000);
  });

  it('accepts a given format', async () => {
    expect(await targets(`{}\n${LINE}`, { format: 'access-log' })).toEqual(['/log']);
  });

  it('reads lines in the given format, and detects that of other files', async () => {
    const logFormat = '"$request_uri" $status';
    expect(await targets('hello\n"/a" 200\n', { logFormat })).toEqual(['/a']);
    expect(await targets(LINE, { logFormat })).toEqual([]);
    expect(await targets(HAR, { logFormat })).toEqual(['/har']);
    await expect(targets(LINE, { logFormat: 'main' })).rejects.toMatchObject({ name: 'LogFormatError' });
  });

  it('stops at the first unreadable record if strict', async () => {
    const file = join(folder, 'strict');
    const timedOut = LINE.replace('GET /log HTTP/1.1', '-');
    writeFileSync(file, `${LINE}${timedOut}oops\nagain\n`);
    await expect(readTraffic(file, { strict: true }).next()).rejects.toMatchObject({
      code: 'traffic/unreadable-record',
      message: `\`${file}:3\` cannot be read: not a line of the log format, at column 1, expected the address of the client, found \`oops\``,
    });
    writeFileSync(file, LINE + timedOut);
    expect((await readTraffic(file, { strict: true }).next()).value).toMatchObject({ exchanges: [{}], skipped: [{}] });
  });

  it.each([
    ['text of another kind', 'hello\nworld\n', 'traffic/unknown-format'],
    ['a compressed file that breaks off', gzipSync(LINE.repeat(99)).subarray(0, 40), 'file/corrupt-gzip'],
  ])('rejects %s', async (_, content, code) => {
    await expect(targets(content)).rejects.toMatchObject({ name: 'ExternalError', code });
  });

  it.each([
    ['a list', '[\n{"method":"GET"}\n]', 'found a JSON list; write one object per line'],
    ['UTF-16', Buffer.from(`\ufeff${LINE}`, 'utf16le'), 'found UTF-16; convert it to UTF-8'],
    ['anything else', 'hello', 'expected `har`, `json-lines`, '],
    ['words', 'hello there, this is a text', 'expected `har`, `json-lines`, '],
  ])('says what it found instead of traffic: %s', async (_, content, message) => {
    await expect(targets(content)).rejects.toThrow(message);
  });

  it.each([
    ['a missing file', join(folder, 'missing'), 'file/not-found'],
    ['a directory', folder, 'file/is-directory'],
  ])('reports that it cannot read %s', async (_, file, code) => {
    await expect(readTraffic(file).next()).rejects.toMatchObject({ name: 'ExternalError', code });
  });
});
