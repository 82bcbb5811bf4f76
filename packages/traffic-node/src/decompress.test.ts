import { createHash } from 'node:crypto';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { decompress } from '@tollgate/traffic/reading';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INFLATERS } from './read-traffic.ts';

/** Text that compresses to about half its size. */
const TEXT = Buffer.from(
  Array.from({ length: 4000 }, (_, index) => createHash('md5').update(`${index}`).digest('hex')).join('\n'),
);

async function read(bytes: Uint8Array, chunk = 65_536) {
  async function* source() {
    for (let at = 0; at < bytes.length; at += chunk) yield bytes.subarray(at, at + chunk);
  }
  const chunks: Uint8Array[] = [];
  let failure: unknown;
  try {
    for await (const one of decompress(source(), 'a.log', INFLATERS)) chunks.push(one);
  } catch (error) {
    failure = error;
  }
  return { bytes: Buffer.concat(chunks), failure };
}

/** A frame that decompressors skip (RFC 8878, section 3.1.2). */
const SKIPPABLE = Buffer.from([0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 9, 9, 9]);

const COMPRESSORS = [
  ['gzip', (text: Buffer) => gzipSync(text), 'file/corrupt-gzip'],
  ['zstd', (text: Buffer) => zstdCompressSync(text), 'file/corrupt-zstd'],
] as const;

describe.each(COMPRESSORS)('decompressing %s', (_, compress, code) => {
  const whole = compress(TEXT);

  it('returns what was compressed, also from several members', async () => {
    expect(await read(whole)).toEqual({ bytes: TEXT, failure: undefined });
    const members = Buffer.concat([whole, compress(Buffer.alloc(0)), compress(Buffer.from('end'))]);
    expect(await read(members)).toEqual({ bytes: Buffer.concat([TEXT, Buffer.from('end')]), failure: undefined });
  });

  it('returns the same wherever the chunks end', async () => {
    const short = TEXT.subarray(0, 500);
    const members = Buffer.concat([compress(short), compress(short)]);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: members.length }), async chunk => {
        expect(await read(members, chunk)).toEqual({ bytes: Buffer.concat([short, short]), failure: undefined });
      }),
      { numRuns: 30 },
    );
  });

  it('returns everything before the data breaks off, and reports it', async () => {
    const { bytes, failure } = await read(Buffer.concat([whole, whole.subarray(0, 7)]));
    expect(bytes.equals(TEXT)).toBe(true);
    expect(failure).toMatchObject({
      code,
      message: 'cannot read `a.log` to its end: the compressed data is truncated',
    });
    const half = await read(whole.subarray(0, whole.length * 0.9));
    expect(half.failure).toMatchObject({ code });
    expect(TEXT.subarray(0, half.bytes.length).equals(half.bytes)).toBe(true);
    // A zstd block holds up to 128 KiB, and is decompressed completely or not at all.
    expect(half.bytes.length).toBeGreaterThan(TEXT.length * 0.88 - 128 * 1024);
  });

  it('returns what precedes garbage, and reports that the data is damaged', async () => {
    const rubbish = Buffer.from('this is no compressed data');
    const { bytes, failure } = await read(Buffer.concat([whole, whole, rubbish]));
    expect(failure).toMatchObject({ code, message: 'cannot read `a.log` to its end: the compressed data is damaged' });
    expect(bytes.length).toBeGreaterThanOrEqual(TEXT.length * 2 - 128 * 1024);
  });

  it('fails in no other way, whatever is changed', async () => {
    const small = compress(TEXT.subarray(0, 3000));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(small.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        fc.nat(small.length),
        async (changes, length) => {
          const changed = Buffer.from(small);
          for (const [at, byte] of changes) changed[Math.max(at, 4)] = byte;
          const { failure } = await read(changed.subarray(0, Math.max(length, 6)));
          if (failure !== undefined) expect(failure).toMatchObject({ name: 'ExternalError', code });
        },
      ),
      { numRuns: 200 },
    );
  });
});

it('skips zstd frames without data', async () => {
  const short = TEXT.subarray(0, 3000);
  const frame = zstdCompressSync(short);
  const bytes = Buffer.concat([SKIPPABLE, frame, SKIPPABLE, SKIPPABLE, frame, SKIPPABLE]);
  for (const chunk of [3, 1000, bytes.length]) {
    expect(await read(bytes, chunk)).toEqual({ bytes: Buffer.concat([short, short]), failure: undefined });
  }
});

it('reads zstd frames with checksums and without sizes', async () => {
  const { createZstdCompress, constants } = await import('node:zlib');
  const compressor = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
  compressor.write(TEXT);
  compressor.end();
  const chunks: Uint8Array[] = [];
  for await (const chunk of compressor) chunks.push(chunk);
  const frame = Buffer.concat(chunks);
  expect(await read(Buffer.concat([frame, frame]), 777)).toEqual({
    bytes: Buffer.concat([TEXT, TEXT]),
    failure: undefined,
  });
});

it.each([
  ['text', Buffer.from('hello')],
  ['nothing', Buffer.alloc(0)],
  ['one byte', Buffer.from([0x1f])],
])('returns %s unchanged', async (_, bytes) => {
  expect(await read(bytes)).toEqual({ bytes, failure: undefined });
});

it.each([
  ['bzip2', Buffer.from('BZh91AY&SY')],
  ['xz', Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0])],
  ['zip', Buffer.from([0x50, 0x4b, 3, 4, 20, 0])],
])('reports that %s is not supported', async (name, bytes) => {
  const message = `cannot read \`a.log\`: it is compressed by ${name}; expected gzip or zstd`;
  expect((await read(bytes)).failure).toMatchObject({ code: 'file/unknown-compression', message });
});
