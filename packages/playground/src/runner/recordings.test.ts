import { gzipSync, zstdCompressSync } from 'node:zlib';
import { ExternalError } from '@tollgate/diagnostics';
import { decompress } from '@tollgate/traffic/reading';
import { describe, expect, it } from 'vitest';
import { INFLATERS } from './recordings.ts';

const LINES = Array.from({ length: 2000 }, (_, index) => `line ${index} of a log that compresses well\n`).join('');

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Returns the text, and the code of the error after it. */
async function read(bytes: Uint8Array, size = 1000): Promise<readonly [text: string, code: string | undefined]> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of decompress(inPieces(bytes, size), 'a.log', INFLATERS))
      text += decoder.decode(chunk, { stream: true });
  } catch (error) {
    if (!(error instanceof ExternalError)) throw error;
    return [text, error.code];
  }
  return [text, undefined];
}

describe('compressed recordings without Node', () => {
  it.each([
    [1, LINES.slice(0, 1000)],
    [100, LINES],
    [1000, LINES],
    [100_000, LINES],
  ])('reads all members of a gzip file, in pieces of %i bytes', async (size, text) => {
    const members = Buffer.concat([gzipSync(text), gzipSync('second\n'), gzipSync(text)]);
    expect(await read(members, size)).toEqual([`${text}second\n${text}`, undefined]);
  });

  it.each([100, 100_000])('reads all frames of a zstd file, in pieces of %i bytes', async size => {
    const frames = Buffer.concat([zstdCompressSync(LINES), zstdCompressSync('second\n')]);
    expect(await read(frames, size)).toEqual([`${LINES}second\n`, undefined]);
  });

  it('reads what precedes the end of a truncated file, and says so', async () => {
    const [text, code] = await read(gzipSync(LINES).subarray(0, -20));
    expect(code).toBe('file/corrupt-gzip');
    expect(LINES.startsWith(text)).toBe(true);
    expect((await read(zstdCompressSync(LINES).subarray(0, -5)))[1]).toBe('file/corrupt-zstd');
  });

  it('refuses damage', async () => {
    const damaged = gzipSync(LINES);
    damaged.fill(0xff, 20, 60);
    expect((await read(damaged))[1]).toBe('file/corrupt-gzip');
  });
});
