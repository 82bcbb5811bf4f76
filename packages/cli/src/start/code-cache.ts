import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import type { FileReader } from './file-reader.ts';

/** Runs that add to what is kept of a file: the first ones call other functions than the last. */
const GROWING_RUNS = 6;

/** Builds of which code is kept, that of this one included. */
const MOST_BUILDS = 4;

/** What is kept of a file ends with its checksum and the number of runs. */
const TRAILER_LENGTH = 5;

interface Kept {
  readonly code: Buffer;
  readonly runs: number;
}

interface Compiled {
  readonly name: string;
  readonly script: Script;
  /** Runs that have added to what was kept of it. */
  readonly runs: number;
}

/**
 * What V8 made of code, kept from one run to the next with the functions that were called. Node's own compile cache keeps what is there
 * before anything is called, so that each start compiles nearly two thousand functions anew.
 */
export class CodeCache {
  readonly #directory: string | undefined;
  readonly #reader: FileReader;
  readonly #compiled: Compiled[] = [];

  /** @param directory of one build, Node and processor, for files are told by their names; nothing is kept without any */
  constructor(directory: string | undefined, reader: FileReader) {
    this.#directory = directory;
    this.#reader = reader;
  }

  compile(name: string, filename: string, source: string): Script {
    const kept = this.#read(name);
    const script = new Script(source, {
      filename,
      ...(kept && { cachedData: kept.code }),
    });
    this.#compiled.push({ name, script, runs: kept && !script.cachedDataRejected ? kept.runs : 0 });
    return script;
  }

  /** Keeps what was compiled in this run, where that may be more than before. What cannot be written is not kept. */
  save(): void {
    const directory = this.#directory;
    const growing = this.#compiled.filter(({ runs }) => runs < GROWING_RUNS);
    if (directory === undefined || growing.length === 0) return;
    try {
      if (mkdirSync(directory, { recursive: true, mode: 0o700 }) !== undefined) removeOldBuilds(join(directory, '..'));
      for (const one of growing) write(join(directory, one.name), one);
    } catch {
      // Such as a home that is read-only.
    }
  }

  #read(name: string): Kept | undefined {
    if (this.#directory === undefined) return undefined;
    try {
      return readKept(this.#reader.read(join(this.#directory, name)));
    } catch {
      return undefined;
    }
  }
}

function readKept(bytes: Buffer): Kept | undefined {
  const length = bytes.length - TRAILER_LENGTH;
  if (length <= 0) return undefined;
  const code = bytes.subarray(0, length);
  return bytes.readInt32LE(length) === checksumOf(code) ? { code, runs: bytes.at(-1)! } : undefined;
}

/** Whole or not at all: other runs may read at the same time. */
function write(path: string, { script, runs }: Compiled): void {
  const code = script.createCachedData();
  const trailer = Buffer.alloc(TRAILER_LENGTH, runs + 1);
  trailer.writeInt32LE(checksumOf(code));
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, Buffer.concat([code, trailer]), { mode: 0o600 });
  renameSync(draft, path);
}

/**
 * Depends on every byte: V8 looks at no checksum, and would crash at every start. Each step can be undone for a known word, so that a single
 * word that differs is always noticed. To load what makes better ones takes longer than to read the code.
 */
function checksumOf(code: Buffer): number {
  const words = new Int32Array(code.buffer, code.byteOffset, code.length >> 2);
  let sum = code.length;
  for (const word of words) sum = (Math.imul(sum ^ word, 0x01000193) + 1) | 0;
  for (const byte of code.subarray(words.length << 2)) sum = (Math.imul(sum ^ byte, 0x01000193) + 1) | 0;
  return sum;
}

function removeOldBuilds(directory: string): void {
  const paths = readdirSync(directory).map(name => join(directory, name));
  const byAge = paths.map(path => ({ path, time: statSync(path).mtimeMs })).sort((a, b) => b.time - a.time);
  for (const { path } of byAge.slice(MOST_BUILDS)) rmSync(path, { recursive: true, force: true });
}
