import { createHash } from 'node:crypto';
import { userInfo } from 'node:os';
import { basename, dirname } from 'node:path';
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

/**
 * Returns what identifies a project file wherever its repository is checked out: a hash of the remote and of the path in the repository.
 * Undefined without a remote.
 */
export function projectIdOf(path: string): string | undefined {
  const directory = dirname(path);
  const remote = tryGit(directory, ['config', '--get', 'remote.origin.url']);
  const prefix = tryGit(directory, ['rev-parse', '--show-prefix']);
  if (remote === undefined || remote === '' || prefix === undefined) return undefined;
  // The same repository is cloned by HTTPS and by SSH, and with and without a user.
  const [, host = '', name = ''] =
    /^(?:\w+:\/\/)?(?:[^@/]*@)?([^:/]*)(?::\d+(?=\/))?[:/]+(.*?)(?:\.git)?\/*$/.exec(remote) ?? [];
  const text = `${host.toLowerCase()}/${name} ${prefix}${basename(path)}`;
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}

/** Returns who runs the command, for the journal. */
export function whoRuns(env: Readonly<Record<string, string | undefined>>): string {
  try {
    return env.USER ?? userInfo().username;
  } catch {
    return 'unknown';
  }
}
