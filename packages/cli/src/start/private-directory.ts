import { lstatSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a directory that nobody else may enter, with its parent, and says whether it is one: what is read from it is run. It must belong to the
 * user and be no link, its parent too, and where the parent is, others may not rename it.
 */
export function isPrivateDirectory(path: string): boolean {
  if (process.platform === 'win32') return true;
  const parent = dirname(path);
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return isPrivate(path) && isPrivate(parent) && keepsNames(dirname(parent));
  } catch {
    return false;
  }
}

function isPrivate(path: string): boolean {
  const found = lstatSync(path);
  return found.isDirectory() && found.uid === process.geteuid?.() && (found.mode & 0o077) === 0;
}

/** Whether only the user or root may rename what is in a directory; in one like `/tmp` nobody may what others own. */
function keepsNames(path: string): boolean {
  const { uid, mode } = lstatSync(path);
  const isOpen = (mode & 0o022) !== 0;
  return (uid === process.geteuid?.() || uid === 0) && (!isOpen || (mode & 0o1000) !== 0);
}
