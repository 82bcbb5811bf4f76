import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, Script } from 'node:vm';

/** Runs that add to what is kept of a file: the first ones call other functions than the last. */
const GROWING_RUNS = 6;

/** Builds of which code is kept, that of this one included. */
const MOST_BUILDS = 4;

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
  readonly #compiled: Compiled[] = [];

  /** @param directory of one build, Node and processor, for files are told by their names; nothing is kept without any */
  constructor(directory: string | undefined) {
    this.#directory = directory;
  }

  compile(name: string, filename: string, source: string): Script {
    const kept = this.#read(name);
    const script = new Script(source, {
      filename,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
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
      return readKept(readFileSync(join(this.#directory, name)));
    } catch {
      return undefined;
    }
  }
}

/**
 * The code stands there twice, and then the number of runs. V8 looks at no checksum, and code that is damaged would crash every start; to
 * compare two copies takes a tenth of the time that loading what makes checksums does.
 */
function readKept(bytes: Buffer): Kept | undefined {
  const length = (bytes.length - 1) / 2;
  const code = bytes.subarray(0, length);
  const isWhole = length > 0 && Number.isInteger(length) && code.equals(bytes.subarray(length, -1));
  return isWhole ? { code, runs: bytes.at(-1)! } : undefined;
}

/** Whole or not at all: other runs may read at the same time. */
function write(path: string, { script, runs }: Compiled): void {
  const code = script.createCachedData();
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, Buffer.concat([code, code, Buffer.of(runs + 1)]), { mode: 0o600 });
  renameSync(draft, path);
}

function removeOldBuilds(directory: string): void {
  const paths = readdirSync(directory).map(name => join(directory, name));
  const byAge = paths.map(path => ({ path, time: statSync(path).mtimeMs })).sort((a, b) => b.time - a.time);
  for (const { path } of byAge.slice(MOST_BUILDS)) rmSync(path, { recursive: true, force: true });
}
