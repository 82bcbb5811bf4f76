import { existsSync, lstatSync, type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Returns the path of a file in a directory or the nearest one above it, up to the root of the repository. The search never enters a
 * directory of another owner or a world-writable one outside the repository, such as `/tmp`, where anyone could leave settings.
 */
export function searchUpward(name: string, from: string): string | undefined {
  return searchedDirectories(from)
    .map(directory => join(directory, name))
    .find(path => existsSync(path) && isSafe(path, from));
}

/** Returns the nearest directory with `.git` that a search from here reaches. */
export function repositoryRoot(from: string): string | undefined {
  return ownedAncestors(from).find(directory => isRoot(directory, from));
}

/** Returns the directories to search, from the given one upwards. */
function searchedDirectories(from: string): readonly string[] {
  const owned = ownedAncestors(from);
  const root = owned.findIndex(directory => isRoot(directory, from));
  if (root >= 0) return owned.slice(0, root + 1);
  const open = owned.findIndex((directory, index) => index > 0 && isWorldWritable(statSync(directory)));
  return open < 0 ? owned : owned.slice(0, open);
}

/** Returns a directory and those above it, until one has another owner. */
function ownedAncestors(from: string): readonly string[] {
  const ancestors = [from];
  for (let directory = dirname(from); directory !== ancestors.at(-1); directory = dirname(directory)) {
    const found = statSync(directory, { throwIfNoEntry: false });
    if (!found || !isOwn(found, from)) break;
    ancestors.push(directory);
  }
  return ancestors;
}

/** `.git` is a file in worktrees and submodules. One of another owner does not end the search. */
function isRoot(directory: string, from: string): boolean {
  const found = lstatSync(join(directory, '.git'), { throwIfNoEntry: false });
  return found !== undefined && isOwn(found, from);
}

/** In a world-writable directory, only the user's own files count. */
function isSafe(path: string, from: string): boolean {
  const file = lstatSync(path);
  return !isWorldWritable(statSync(dirname(path))) || isOwn(file, from) || file.uid === process.geteuid?.();
}

/** Returns true if a path has the owner of the start directory. Windows has no user ids. */
function isOwn({ uid }: Stats, from: string): boolean {
  return uid === statSync(from).uid;
}

/** Returns true if anybody can write. */
export function isWorldWritable({ mode }: Stats): boolean {
  return process.platform !== 'win32' && (mode & 0o002) !== 0;
}
