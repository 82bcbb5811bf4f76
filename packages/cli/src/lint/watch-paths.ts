import { watch } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Editors write a file in several steps, and tools many files at once: what comes within this time is one change. */
const SETTLING_MS = 80;

/** What is linted, and what lint rules are made of. */
const RELEVANT = /\.(?:ya?ml|json|[cm]?[jt]s)$/;

/**
 * Tells of changes of files below folders, each time once for all that happen together, until the signal.
 *
 * @param written files that the command writes itself: they are not watched
 */
export async function* changesIn(
  folders: readonly string[],
  signal: AbortSignal,
  written: readonly string[] = [],
): AsyncGenerator<void> {
  const own = new Set(written.map(path => resolve(path)));
  let wake = () => {};
  let isChanged = false;
  let timer: NodeJS.Timeout | undefined;
  const onChange = (folder: string, name: string | null) => {
    if (name === null || /(?:^|\/)(?:node_modules|\.)/.test(name) || !RELEVANT.test(name)) return;
    if (own.has(resolve(folder, name))) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      isChanged = true;
      wake();
    }, SETTLING_MS);
  };
  const watchers = folders.map(folder =>
    watch(folder, { recursive: true, signal }, (_, name) => onChange(folder, name)),
  );
  for (const watcher of watchers) watcher.on('error', () => wake());
  signal.addEventListener('abort', () => wake());
  try {
    while (!signal.aborted) {
      if (!isChanged) {
        await new Promise<void>(resolve => {
          wake = resolve;
        });
      }
      if (isChanged && !signal.aborted) {
        isChanged = false;
        yield;
      }
    }
  } finally {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  }
}

/** The folders that files, folders and patterns are in: of patterns, what stands before the first character with a meaning. */
export function foldersOf(names: readonly string[], isFolder: (name: string) => boolean): readonly string[] {
  const folders = names.map(name => {
    const fixed = name.replace(/#[^#]*$/, '').replace(/[*?[{].*$/, '');
    return isFolder(fixed) ? fixed : dirname(`${fixed}x`);
  });
  return [...new Set(folders.map(folder => (folder === '' ? '.' : folder)))];
}
