import { execFileSync } from 'node:child_process';
import { userInfo } from 'node:os';

/** Returns the commit of a directory; undefined outside of a repository. */
export function commitOf(directory: string): string | undefined {
  return git(directory, 'rev-parse', 'HEAD');
}

/** Returns false only if both commits are known and the first is not an ancestor of the second. */
export function isAncestor(directory: string, earlier: string, later: string): boolean {
  if (git(directory, 'cat-file', '-t', earlier) !== 'commit') return true;
  return git(directory, 'merge-base', '--is-ancestor', earlier, later) !== undefined;
}

function git(directory: string, ...args: readonly string[]): string | undefined {
  try {
    return execFileSync('git', args, { cwd: directory, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}

/** Returns who runs the command, for the journal. */
export function whoRuns(env: Readonly<Record<string, string | undefined>>): string {
  try {
    return env.USER ?? userInfo().username;
  } catch {
    return 'unknown';
  }
}
