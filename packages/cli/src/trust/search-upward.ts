import { existsSync, lstatSync, type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The path of a file in a directory or in the nearest above it, up to the root of the repository. The search never enters a directory of
 * another owner, nor one outside the repository that everybody may write to, such as `/tmp`: anyone could leave settings there.
 */
export function searchUpward(name: string, from: string): string | undefined {
  return searchedDirectories(from)
    .map(directory => join(directory, name))
    .find(path => existsSync(path) && isSafe(path, from));
}

/** The nearest directory with `.git` that a search from here reaches. */
export function repositoryRoot(from: string): string | undefined {
  return ownedAncestors(from).find(directory => isRoot(directory, from));
}

/** From the directory itself to the last one above it in which names are looked for. */
function searchedDirectories(from: string): readonly string[] {
  const owned = ownedAncestors(from);
  const root = owned.findIndex(directory => isRoot(directory, from));
  if (root >= 0) return owned.slice(0, root + 1);
  const open = owned.findIndex((directory, index) => index > 0 && isWorldWritable(statSync(directory)));
  return open < 0 ? owned : owned.slice(0, open);
}

/** A directory and those above it, until one has another owner. */
function ownedAncestors(from: string): readonly string[] {
  const ancestors = [from];
  for (let directory = dirname(from); directory !== ancestors.at(-1); directory = dirname(directory)) {
    const found = statSync(directory, { throwIfNoEntry: false });
    if (!found || !isOwn(found, from)) break;
    ancestors.push(directory);
  }
  return ancestors;
}

/** `.git` is a file in worktrees and submodules. One of another owner ends no search. */
function isRoot(directory: string, from: string): boolean {
  const found = lstatSync(join(directory, '.git'), { throwIfNoEntry: false });
  return found !== undefined && isOwn(found, from);
}

/** In a directory that everybody may write to, only files of one's own count. */
function isSafe(path: string, from: string): boolean {
  const file = lstatSync(path);
  return !isWorldWritable(statSync(dirname(path))) || isOwn(file, from) || file.uid === process.geteuid?.();
}

/** Whether it has the owner of the directory that a search begins in. On Windows all are alike. */
function isOwn({ uid }: Stats, from: string): boolean {
  return uid === statSync(from).uid;
}

function isWorldWritable({ mode }: Stats): boolean {
  return process.platform !== 'win32' && (mode & 0o002) !== 0;
}
