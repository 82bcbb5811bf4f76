// Watches files and folders.

import { type FSWatcher, watch } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Editors write a file in several steps, and tools write many files at once. Changes within this time count as one. */
const SETTLING_MS = 80;

/** The linted files, the settings and the modules. */
const RELEVANT = /\.(?:ya?ml|json|[cm]?[jt]s)$/;

/** Calls `done` after a while, and returns a function that cancels the call. */
export type Debounce = (done: () => void) => () => void;

const debounceChanges: Debounce = done => {
  const timer = setTimeout(done, SETTLING_MS);
  return () => clearTimeout(timer);
};

/** Watches files in folders and below them until the signal aborts. Changes that happen together count as one. */
export class FolderWatch {
  readonly #signal: AbortSignal;
  readonly #written: ReadonlySet<string>;
  readonly #settle: Debounce;
  readonly #watchers = new Map<string, FSWatcher>();
  #isChanged = false;
  /** Since the last call of {@link changed}. */
  readonly #changed = new Set<string>();
  #wake = () => {};
  #stopSettling = () => {};

  /** @param written files that the command writes itself, which are not watched */
  constructor(signal: AbortSignal, written: readonly string[] = [], settle = debounceChanges) {
    this.#signal = signal;
    this.#written = new Set(written.map(path => resolve(path)));
    this.#settle = settle;
    signal.addEventListener('abort', () => this.#close());
  }

  /** Watches these folders in addition to the earlier ones. */
  add(folders: readonly string[]): void {
    for (const folder of folders.map(folder => resolve(folder))) {
      if (this.#signal.aborted || this.#watchers.has(folder)) continue;
      const watcher = watch(folder, { recursive: true }, (_, name) => this.#noticed(folder, name));
      // A deleted folder cannot change.
      watcher.on('error', () => watcher.close());
      this.#watchers.set(folder, watcher);
    }
  }

  /** Waits for a change since the last call. Returns false if the signal aborts. */
  async next(): Promise<boolean> {
    while (!this.#isChanged && !this.#signal.aborted) {
      await new Promise<void>(done => {
        this.#wake = done;
      });
    }
    this.#isChanged = false;
    return !this.#signal.aborted;
  }

  /** Returns the paths of the files that changed since the last call. */
  changed(): readonly string[] {
    const paths = [...this.#changed];
    this.#changed.clear();
    return paths;
  }

  #noticed(folder: string, name: string | null): void {
    if (name === null || !isRelevant(name) || this.#written.has(resolve(folder, name))) return;
    this.#changed.add(resolve(folder, name));
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

/** Returns the folders to watch for files, folders and patterns; for a pattern, the part before its first special character. */
export function foldersOf(names: readonly string[], isFolder: (name: string) => boolean): readonly string[] {
  const folders = names.map(name => {
    const fixed = name.replace(/#[^#]*$/, '').replace(/[*?[{].*$/, '');
    return isFolder(fixed) ? fixed : dirname(`${fixed}x`);
  });
  return [...new Set(folders.map(folder => (folder === '' ? '.' : folder)))];
}
