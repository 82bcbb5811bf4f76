// A cache of compiled code, in a directory that only the user may enter.

import { isAscii } from 'node:buffer';
import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { Script } from 'node:vm';

/** Number of runs that add to the cached code of a file: each may call other functions. */
const GROWING_RUNS = 6;

/** Number of builds whose code is cached, including this one. */
const MAX_BUILDS = 4;

/** Cached code ends with its checksum, the time and the checksum of the source, and the number of runs that have added to it. */
const TRAILER_BYTES = 17;

interface CachedCode {
  readonly code: Buffer;
  readonly runs: number;
}

interface SourceFile {
  readonly bytes: Buffer;
  /** Of its last change, in ms. */
  readonly time: number;
}

interface CompiledFile extends SourceFile {
  readonly name: string;
  readonly script: Script;
  /** Number of runs that have added to its cached code. */
  readonly runs: number;
}

/**
 * The compiled code of a build, with the functions that were called. Node's own compile cache contains only what V8 compiles before anything is
 * called, so that each start compiles nearly two thousand functions again.
 */
export class CodeCache {
  readonly #directory: string;
  readonly #compiled: CompiledFile[] = [];

  /** @param directory of one build, version of Node and processor; only the user may enter its parent */
  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Loads the files of a folder through the cache. Other files are loaded as usual. */
  install(extensions: NodeJS.RequireExtensions, folder: string): void {
    const usual = extensions['.js'];
    extensions['.js'] = (module, path) => {
      const run = dirname(path) === folder ? this.compile(path)?.runInThisContext() : undefined;
      if (!run) return usual(module, path);
      run.call(module.exports, module.exports, createRequire(path), module, path, folder);
    };
  }

  /** Compiles a file to a function with the parameters of a CommonJS module; undefined if the file imports modules at run time. */
  compile(path: string): Script | undefined {
    const name = basename(path);
    const source: SourceFile = { bytes: readFileSync(path), time: statSync(path).mtimeMs };
    // Strings of one byte per character are read twice as fast. Bundlers leave what is not ASCII in templates, whose raw text would differ.
    const text = source.bytes.toString(isAscii(source.bytes) ? 'latin1' : 'utf8');
    // Node cannot import modules from such a script without a warning.
    if (text.includes('import(')) return undefined;
    const cached = this.#read(name, source);
    const script = new Script(`(function (exports, require, module, __filename, __dirname) {${text}\n})`, {
      filename: path,
      ...(cached && { cachedData: cached.code }),
    });
    this.#compiled.push({ ...source, name, script, runs: cached && !script.cachedDataRejected ? cached.runs : 0 });
    return script;
  }

  /** Writes the code of this run, where it may be more than before. Failures are ignored, for example in a read-only home directory. */
  save(): void {
    const growing = this.#compiled.filter(({ runs }) => runs < GROWING_RUNS);
    if (growing.length === 0) return;
    try {
      if (mkdirSync(this.#directory, { recursive: true, mode: 0o700 }) !== undefined)
        removeOldBuilds(dirname(this.#directory));
      for (const one of growing) write(join(this.#directory, one.name), one);
    } catch {}
  }

  #read(name: string, source: SourceFile): CachedCode | undefined {
    try {
      return readCode(readFileSync(join(this.#directory, name)), source);
    } catch {
      return undefined;
    }
  }
}

function readCode(bytes: Buffer, source: SourceFile): CachedCode | undefined {
  const length = bytes.length - TRAILER_BYTES;
  if (length <= 0) return undefined;
  const code = bytes.subarray(0, length);
  // V8 compares only the lengths of sources. Copies of one build differ in their times, and share the code.
  const isSame =
    bytes.readDoubleLE(length + 4) === source.time || bytes.readInt32LE(length + 12) === checksumOf(source.bytes);
  return isSame && bytes.readInt32LE(length) === checksumOf(code) ? { code, runs: bytes.at(-1)! } : undefined;
}

/** Writes a file in one step, because other runs may read it at the same time. */
function write(path: string, { script, runs, bytes, time }: CompiledFile): void {
  const code = script.createCachedData();
  const trailer = Buffer.alloc(TRAILER_BYTES, runs + 1);
  trailer.writeInt32LE(checksumOf(code));
  trailer.writeDoubleLE(time, 4);
  trailer.writeInt32LE(checksumOf(bytes), 12);
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, Buffer.concat([code, trailer]), { mode: 0o600 });
  renameSync(draft, path);
}

/**
 * Depends on every byte: V8 checks only the length, and would crash at every start. Loading `node:zlib` or `node:crypto` takes longer than
 * reading the code.
 */
function checksumOf(code: Buffer): number {
  // V8 and `readFileSync` allocate memory that is aligned.
  const words = new Int32Array(code.buffer, code.byteOffset, code.length >> 2);
  let sum = code.length;
  // A plain loop over an array of integers is optimized soonest.
  for (let index = 0; index < words.length; index++) sum = (Math.imul(sum ^ words[index]!, 0x01000193) + 1) | 0;
  for (const byte of code.subarray(words.length << 2)) sum = (Math.imul(sum ^ byte, 0x01000193) + 1) | 0;
  return sum;
}

function removeOldBuilds(directory: string): void {
  const paths = readdirSync(directory).map(name => join(directory, name));
  const byAge = paths.map(path => ({ path, time: statSync(path).mtimeMs })).sort((a, b) => b.time - a.time);
  for (const { path } of byAge.slice(MAX_BUILDS)) rmSync(path, { recursive: true, force: true });
}

/**
 * Creates a directory and its parent for the user alone, and returns true if they are safe to run code from: both belong to the user and
 * are not links, nobody else may enter them, and nobody else can rename the parent.
 */
export function isPrivateDirectory(path: string): boolean {
  if (process.platform === 'win32') return true;
  const parent = dirname(path);
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return isPrivate(path) && isPrivate(parent) && protectsNames(dirname(parent));
  } catch {
    return false;
  }
}

function isPrivate(path: string): boolean {
  const found = lstatSync(path);
  return found.isDirectory() && found.uid === process.geteuid?.() && (found.mode & 0o077) === 0;
}

/**
 * Returns true if only the user and root can rename the entries of a directory. In one with the sticky bit, such as `/tmp`, users can only
 * rename their own.
 */
function protectsNames(path: string): boolean {
  const { uid, mode } = lstatSync(path);
  const isOpen = (mode & 0o022) !== 0;
  return (uid === process.geteuid?.() || uid === 0) && (!isOpen || (mode & 0o1000) !== 0);
}

/**
 * Returns the directory for a user's caches; undefined if there is none. It is never a directory that others can write to, because its
 * content is executed.
 */
export function cacheDirectory(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): string | undefined {
  if (env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  if (platform === 'win32') return env.LOCALAPPDATA;
  // Relative paths are ignored, because they would lead into the working directory.
  if (env.XDG_CACHE_HOME && isAbsolute(env.XDG_CACHE_HOME)) return env.XDG_CACHE_HOME;
  const home = env.HOME;
  if (!home || !isAbsolute(home)) return undefined;
  return platform === 'darwin' ? join(home, 'Library/Caches') : join(home, '.cache');
}
