import { userInfo } from 'node:os';
import { tryGit } from '../../git/run-git.ts';

/** Returns the commit of a directory; undefined outside of a repository. */
export function commitOf(directory: string): string | undefined {
  return tryGit(directory, ['rev-parse', 'HEAD']);
}

/** Returns false only if both commits are known and the first is not an ancestor of the second. */
export function isAncestor(directory: string, earlier: string, later: string): boolean {
  if (tryGit(directory, ['cat-file', '-t', earlier]) !== 'commit') return true;
  return tryGit(directory, ['merge-base', '--is-ancestor', earlier, later]) !== undefined;
}

/** Returns who runs the command, for the journal. */
export function whoRuns(env: Readonly<Record<string, string | undefined>>): string {
  try {
    return env.USER ?? userInfo().username;
  } catch {
    return 'unknown';
  }
}
