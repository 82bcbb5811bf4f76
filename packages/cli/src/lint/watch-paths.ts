import { type FSWatcher, watch } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Editors write a file in several steps, and tools many files at once: what comes within this time is one change. */
const SETTLING_MS = 80;

/** What is linted, and what lint rules are made of. */
const RELEVANT = /\.(?:ya?ml|json|[cm]?[jt]s)$/;

/** Calls `done` after a while and returns how to call that off. */
export type Settle = (done: () => void) => () => void;

const settleInTime: Settle = done => {
  const timer = setTimeout(done, SETTLING_MS);
  return () => clearTimeout(timer);
};

/** Tells of changes of files in folders and below, each time once for all that happen together, until the signal. */
export class FolderWatch {
  readonly #signal: AbortSignal;
  readonly #written: ReadonlySet<string>;
  readonly #settle: Settle;
  readonly #watchers = new Map<string, FSWatcher>();
  #isChanged = false;
  #wake = () => {};
  #stopSettling = () => {};

  /** @param written files that the command writes itself: they are not watched */
  constructor(signal: AbortSignal, written: readonly string[] = [], settle = settleInTime) {
    this.#signal = signal;
    this.#written = new Set(written.map(path => resolve(path)));
    this.#settle = settle;
    signal.addEventListener('abort', () => this.#close());
  }

  /** Watches these folders from now on, as well as those before. */
  add(folders: readonly string[]): void {
    for (const folder of folders.map(one => resolve(one))) {
      if (this.#signal.aborted || this.#watchers.has(folder)) continue;
      const watcher = watch(folder, { recursive: true }, (_, name) => this.#noticed(folder, name));
      // A folder that is gone has nothing to tell any more.
      watcher.on('error', () => watcher.close());
      this.#watchers.set(folder, watcher);
    }
  }

  /** Waits until something has changed since the last time; false when the signal came. */
  async next(): Promise<boolean> {
    while (!this.#isChanged && !this.#signal.aborted) {
      await new Promise<void>(done => {
        this.#wake = done;
      });
    }
    this.#isChanged = false;
    return !this.#signal.aborted;
  }

  #noticed(folder: string, name: string | null): void {
    if (name === null || !isRelevant(name) || this.#written.has(resolve(folder, name))) return;
    this.#stopSettling();
    this.#stopSettling = this.#settle(() => {
      this.#isChanged = true;
      this.#wake();
    });
  }

  #close(): void {
    this.#stopSettling();
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#wake();
  }
}

/** Returns true if a change of this file, given by its path in a watched folder, can change what is reported. */
export function isRelevant(path: string): boolean {
  return !/(?:^|\/)(?:node_modules|\.)/.test(path) && RELEVANT.test(path);
}

/** The folders that files, folders and patterns are in: of patterns, what stands before the first character with a meaning. */
export function foldersOf(names: readonly string[], isFolder: (name: string) => boolean): readonly string[] {
  const folders = names.map(name => {
    const fixed = name.replace(/#[^#]*$/, '').replace(/[*?[{].*$/, '');
    return isFolder(fixed) ? fixed : dirname(`${fixed}x`);
  });
  return [...new Set(folders.map(folder => (folder === '' ? '.' : folder)))];
}
