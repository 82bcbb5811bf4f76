import { execFileSync } from 'node:child_process';
import { devNull } from 'node:os';
import { dirname } from 'node:path';
import { ExternalError } from '@tollgate/diagnostics';

/**
 * The repository may be a stranger's, and its configuration can name programs. These settings win over it: no hooks, no program that watches
 * files, no pager, and no transport, which could fetch missing objects with a program of the repository.
 */
export const SAFE_GIT_ARGUMENTS: readonly string[] = [
  '--no-pager',
  '--literal-pathspecs',
  '-c',
  'core.fsmonitor=',
  '-c',
  `core.hooksPath=${devNull}`,
];

/** Returns the working directory and environment in which Git runs. */
export function safeGitOptions(): { readonly cwd: string; readonly env: NodeJS.ProcessEnv } {
  return {
    // Windows looks for programs in the working directory first.
    cwd: dirname(process.execPath),
    env: {
      ...process.env,
      GIT_ALLOW_PROTOCOL: 'none',
      GIT_NO_LAZY_FETCH: '1',
      GIT_OPTIONAL_LOCKS: '0',
      GIT_TERMINAL_PROMPT: '0',
      LC_ALL: 'C',
    },
  };
}

/** More than the list of all files of any repository. */
const MAX_OUTPUT = 1 << 28;

/**
 * Runs Git in a directory and returns what it prints. Only for commands that neither write nor compare file contents, which would run the
 * filters of the repository. @throws ExternalError
 */
export function runGit(directory: string, args: readonly string[]): string {
  try {
    return execFileSync('git', [...SAFE_GIT_ARGUMENTS, '-C', directory, ...args], {
      ...safeGitOptions(),
      encoding: 'utf8',
      maxBuffer: MAX_OUTPUT,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (cause) {
    throw new ExternalError('file/no-repository', `\`git ${args[0]}\` failed: ${reasonOf(cause)}`, { cause });
  }
}

/** As {@link runGit}, but undefined if Git fails; without the line break at the end. */
export function tryGit(directory: string, args: readonly string[]): string | undefined {
  try {
    return runGit(directory, args).trimEnd();
  } catch {
    return undefined;
  }
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  if ('code' in cause && cause.code === 'ENOENT') return 'Git is not installed';
  const said = 'stderr' in cause ? String(cause.stderr).trim().split('\n')[0]! : '';
  return said.replace(/^fatal: /, '') || cause.message.split('\n')[0]!;
}
