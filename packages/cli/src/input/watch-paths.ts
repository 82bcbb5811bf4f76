// Watches files and folders.

import { once } from 'node:events';
import type { Stats } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';

/** Editors write a file in several steps, and tools write many files at once. Changes within this time count as one. */
const SETTLING_MS = 80;

/** The linted files, the settings and the modules. */
const RELEVANT = /\.(?:ya?ml|json|[cm]?[jt]s)$/;

/** By their paths in a watched folder: what tools keep for themselves. */
const UNWATCHED = /(?:^|\/)(?:node_modules|\.)/;

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
  readonly #folders = new Set<string>();
  readonly #watchers: FSWatcher[] = [];
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

  /** Watches these folders in addition to the earlier ones. Resolves when no later change is missed. */
  async add(folders: readonly string[]): Promise<void> {
    const added = new Set(folders.map(folder => resolve(folder)).filter(folder => !this.#folders.has(folder)));
    if (this.#signal.aborted || added.size === 0) return;
    for (const folder of added) this.#folders.add(folder);
    // Editors replace files instead of writing to them, and folders come and go: Node's own watching loses both on Linux.
    const watcher = watch([...added], {
      ignoreInitial: true,
      ignored: (path, stats) => this.#isIgnored(path, stats),
    });
    this.#watchers.push(watcher);
    watcher.on('all', (_, path) => this.#noticed(resolve(path)));
    // What cannot be watched is not watched, as if nothing changed there.
    watcher.on('error', () => {});
    await once(watcher, 'ready', { signal: this.#signal }).catch(() => {});
  }

  #isIgnored(path: string, stats: Stats | undefined): boolean {
    const inFolders = [...this.#folders].map(folder => relative(folder, path)).filter(one => !one.startsWith('..'));
    if (inFolders.every(one => UNWATCHED.test(one.split(sep).join('/')))) return inFolders.length > 0;
    return stats?.isFile() === true && !RELEVANT.test(path);
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

  #noticed(path: string): void {
    if (!RELEVANT.test(path) || this.#written.has(path)) return;
    this.#changed.add(path);
    this.#stopSettling();
    this.#stopSettling = this.#settle(() => {
      this.#isChanged = true;
      this.#wake();
    });
  }

  #close(): void {
    this.#stopSettling();
    for (const watcher of this.#watchers) void watcher.close();
    this.#wake();
  }
}

/** Returns the folders to watch for files, folders and patterns; for a pattern, the part before its first special character. */
export function foldersOf(names: readonly string[], isFolder: (name: string) => boolean): readonly string[] {
  const folders = names.map(name => {
    const fixed = name.replace(/#[^#]*$/, '').replace(/[*?[{].*$/, '');
    return isFolder(fixed) ? fixed : dirname(`${fixed}x`);
  });
  return [...new Set(folders.map(folder => (folder === '' ? '.' : folder)))];
}
