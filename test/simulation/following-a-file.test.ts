import { appendFileSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { followingReader } from '@tollgate/traffic-node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';

const line = (path: string) =>
  `203.0.113.9 - - [21/Nov/2026:10:00:00 +0000] "GET ${path} HTTP/1.1" 200 5 "-" "curl/8"\n`;

let directory: string;
let file: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tollgate-follow-'));
  file = join(directory, 'access.log');
});

afterEach(() => rmSync(directory, { recursive: true }));

/** Follows the file, and collects the paths with their lines. */
function follow(isFromEnd = false) {
  const stop = new AbortController();
  const found: string[] = [];
  const skipped: string[] = [];
  const reading = (async () => {
    for await (const batch of followingReader({ stop: stop.signal, isFromEnd }).read(file)) {
      found.push(...batch.exchanges.map(({ place, target }) => `${place.number} ${target}`));
      skipped.push(...batch.skipped.map(({ place, reason }) => `${place.number} ${reason}`));
    }
  })();
  return {
    found,
    skipped,
    seen: (count: number) => eventually(() => found.length >= count),
    async stop() {
      stop.abort();
      await reading;
    },
  };
}

describe('a recording that is followed', () => {
  it('is read to its end, and then as it grows', async () => {
    writeFileSync(file, line('/a'));
    const followed = follow();
    await followed.seen(1);
    const [start, rest] = [line('/b').slice(0, 40), line('/b').slice(40)];
    appendFileSync(file, start);
    appendFileSync(file, rest + line('/c'));
    await followed.seen(3);
    await followed.stop();
    expect(followed).toMatchObject({ found: ['1 /a', '2 /b', '3 /c'], skipped: [] });
  });

  it('may be empty at first', async () => {
    writeFileSync(file, '');
    const followed = follow();
    appendFileSync(file, line('/a'));
    await followed.seen(1);
    await followed.stop();
    expect(followed.found).toEqual(['1 /a']);
  });

  it('may begin with what is added', async () => {
    writeFileSync(file, line('/a'));
    const followed = follow(true);
    // Whatever is written before it is opened is not read.
    await eventually(() => {
      appendFileSync(file, line('/b'));
      return followed.found.length > 0;
    });
    await followed.stop();
    expect(new Set(followed.found.map(one => one.split(' ')[1]))).toEqual(new Set(['/b']));
  });

  it('is read after its rotation for as long as the server writes to it, and then the next one', async () => {
    writeFileSync(file, line('/a'));
    const followed = follow();
    await followed.seen(1);
    const old = join(directory, 'access.log.1');
    renameSync(file, old);
    appendFileSync(old, line('/b'));
    await followed.seen(2);
    writeFileSync(file, '');
    appendFileSync(old, line('/c'));
    await followed.seen(3);
    appendFileSync(file, line('/d'));
    // A process that still has the old one.
    appendFileSync(old, line('/e').slice(0, 20));
    await followed.seen(4);
    await followed.stop();
    expect(followed).toMatchObject({
      found: ['1 /a', '2 /b', '3 /c', '1 /d'],
      skipped: ['4 traffic/malformed-line'],
    });
  });

  it('begins anew when it is truncated', async () => {
    writeFileSync(file, line('/a') + line('/b'));
    const followed = follow();
    await followed.seen(2);
    truncateSync(file);
    appendFileSync(file, line('/c'));
    await followed.seen(3);
    await followed.stop();
    expect(followed.found).toEqual(['1 /a', '2 /b', '1 /c']);
  });

  it('must exist', async () => {
    const reading = followingReader({ stop: new AbortController().signal }).read(file).next();
    await expect(reading).rejects.toThrow(`cannot read \`${file}\`: no such file`);
  });
});
