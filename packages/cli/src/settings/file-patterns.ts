import { matchesGlob, relative, resolve, sep } from 'node:path';

/** Returns true if a file matches one of the patterns, which are relative to a directory. */
export function matchesPatterns(patterns: readonly string[], path: string, directory: string): boolean {
  if (patterns.length === 0) return false;
  const name = relative(directory, resolve(path)).split(sep).join('/');
  return patterns.some(pattern => matchesGlob(name, pattern));
}
