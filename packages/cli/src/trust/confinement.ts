// Where what a repository names may be read and written.

import { existsSync, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isTrusted, isWorldWritable, repositoryRoot, searchUpward } from './trusted-directories.ts';

// The one place that says where a path may lead. A repository is written by strangers: what its files name stays inside it, and its links
// lead nowhere else, whoever names the file.

/** Name of the project file. */
export const PROJECT_FILE = 'tollgate.yaml';

/** Who names a file: the user on the command line, or a file in this directory, or a convention that applies to it. */
export type NamedBy = 'user' | { readonly repositoryOf: string };

/** A path that a repository must not lead to. */
export class ConfinementError extends Error {
  /** The directory that it leaves; undefined if trust makes no difference. */
  readonly directory: string | undefined;

  constructor(message: string, directory?: string) {
    super(message);
    this.name = 'ConfinementError';
    this.directory = directory;
  }
}

/**
 * Returns the path to write to, without links. What the user names may be anywhere, but no link of a repository leads out of it; what the
 * repository names is a regular file inside it, not one of Git. No trust changes that. @throws ConfinementError
 */
export function pathToWrite(path: string, by: NamedBy): string {
  const real = followed(path);
  if (by === 'user') return real;
  const tree = treeOf(realDirectory(by.repositoryOf));
  if (!isWithin(tree, real)) throw new ConfinementError(`it is outside of \`${tree}\``);
  if (isOfGit(real, tree)) throw new ConfinementError('it belongs to Git');
  const found = statSync(real, { throwIfNoEntry: false });
  if (found && !found.isFile()) throw new ConfinementError('it is not a regular file');
  return real;
}

/**
 * Returns the path to read, without links. As for {@link pathToWrite}, but trust in the directory allows everything, except that what a
 * repository names is a regular file. @throws ConfinementError
 */
export function pathToRead(path: string, by: NamedBy, env: Readonly<Record<string, string | undefined>>): string {
  // Most paths are neither links nor named by a file.
  if (by === 'user' && isPlain(path)) return path;
  try {
    const real = followed(path);
    if (by === 'user') return real;
    const tree = treeOf(realDirectory(by.repositoryOf));
    if (!isWithin(tree, real)) throw new ConfinementError(`it is outside of \`${tree}\``, tree);
    if (isOfGit(real, tree)) throw new ConfinementError('it belongs to Git', tree);
    requireRegular(real);
    return real;
  } catch (error) {
    if (!(error instanceof ConfinementError) || error.directory === undefined) throw error;
    const { directory } = error;
    if (isTrusted(join(directory, PROJECT_FILE), env)) {
      if (by !== 'user') requireRegular(path);
      return path;
    }
    const advice = `review it, then run \`tollgate trust ${directory}\` once, or pass \`--trust\``;
    throw new ConfinementError(`${error.message}, which you have not trusted; ${advice}`, directory);
  }
}

/** Returns true if a path is a directory or below it. Both are absolute. */
export function isWithin(directory: string, path: string): boolean {
  const way = relative(directory, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function requireRegular(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  // A pipe would be waited for, a device may never end. Directories are searched, or refused by the reader.
  if (found && !found.isFile() && !found.isDirectory()) throw new ConfinementError('it is not a regular file');
}

/** Returns true if no part of the path is a link. */
function isPlain(path: string): boolean {
  try {
    return realpathSync.native(path) === resolve(path);
  } catch {
    return false;
  }
}

const MAX_LINKS = 40;

/** Returns an absolute path without links, of which missing parts stay. Each link of a repository must lead to something inside it. */
function followed(path: string, links = 0): string {
  const absolute = resolve(path);
  const parent = dirname(absolute);
  if (parent === absolute) return absolute;
  const directory = followed(parent, links);
  const here = join(directory, basename(absolute));
  if (!lstatSync(here, { throwIfNoEntry: false })?.isSymbolicLink()) return here;
  // Links of processes to what they have opened cannot be followed by name.
  if (isWithin('/proc', directory)) return realPathOf(here);
  if (links >= MAX_LINKS) throw new ConfinementError('too many links');
  const real = followed(resolve(directory, readlinkSync(here)), links + 1);
  const tree = linkedTreeOf(directory);
  if (tree !== undefined && !isWithin(tree, real))
    throw new ConfinementError(`the link \`${here}\` leads out of \`${tree}\``, tree);
  return real;
}

/** A pipe has no real path. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Returns the tree that the links of a directory must not leave; undefined for a directory that belongs to no project. */
function linkedTreeOf(directory: string): string | undefined {
  const project = projectOf(directory);
  if (project !== undefined) return project;
  const here = realDirectory(process.cwd());
  return isWithin(here, directory) && !holdsHome(here) ? here : undefined;
}

/** Returns the tree that files of a directory may name. Files of no project may name what is below the same directory of the home directory. */
function treeOf(directory: string): string {
  return linkedTreeOf(directory) ?? looseTreeOf(directory);
}

function looseTreeOf(directory: string): string {
  const above = dirname(directory);
  return above === directory || holdsHome(above) || isWorldWritable(statSync(above)) ? directory : looseTreeOf(above);
}

/**
 * Returns the repository of a directory, or else the directory of its project file. A home directory is no repository, even if its owner
 * keeps it in Git: what was unpacked there is not the owner's.
 */
function projectOf(directory: string): string | undefined {
  const root = repositoryRoot(directory);
  if (root !== undefined && !holdsHome(root)) return root;
  const file = searchUpward(PROJECT_FILE, directory);
  return file === undefined ? undefined : dirname(file);
}

function holdsHome(directory: string): boolean {
  return isWithin(directory, realDirectory(homedir()));
}

/** Programs run what is in `.git`. On some file systems it has several names, so that the directory is compared as well. */
function isOfGit(path: string, tree: string): boolean {
  const git = statSync(join(tree, '.git'), { throwIfNoEntry: false });
  for (let at = path; at !== tree && at !== dirname(at); at = dirname(at)) {
    if (basename(at).toLowerCase() === '.git') return true;
    const found = statSync(at, { throwIfNoEntry: false });
    if (git && found && found.ino === git.ino && found.dev === git.dev) return true;
  }
  return false;
}

/** Returns the real path of a directory or, if it is missing, of the nearest one above it. */
function realDirectory(directory: string): string {
  const above = dirname(directory);
  return existsSync(directory) || above === directory ? realpathSync(directory) : realDirectory(above);
}
