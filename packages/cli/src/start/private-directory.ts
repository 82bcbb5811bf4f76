import { lstatSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

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
