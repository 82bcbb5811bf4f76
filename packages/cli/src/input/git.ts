// Runs Git, and reads files of a revision.

import { execFile, execFileSync } from 'node:child_process';
import { devNull } from 'node:os';
import { basename, dirname } from 'node:path';
import { promisify } from 'node:util';
import { ExternalError, SourceText } from '@tollgate/diagnostics';
import { MAX_BYTES } from '../process/terminal.ts';

/**
 * The repository may be a stranger's, and its configuration can name programs. These settings win over it: no hooks, no program that watches
 * files, no pager, and no transport, which could fetch missing objects with a program of the repository.
 */
const SAFE_GIT_ARGUMENTS: readonly string[] = [
  '--no-pager',
  '--literal-pathspecs',
  '-c',
  'core.fsmonitor=',
  '-c',
  `core.hooksPath=${devNull}`,
];

/** Returns the working directory and environment in which Git runs. */
function safeGitOptions(): { readonly cwd: string; readonly env: NodeJS.ProcessEnv } {
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

/**
 * Reads a file as it is at a revision of the Git repository that contains it. Runs only commands that execute no code of the repository: no
 * shell, no hooks, no filters, no network.
 */
export async function readGitFile(path: string, revision: string): Promise<SourceText> {
  const [folder, name] = [dirname(path), basename(path)];
  const commit = (await git(folder, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]))
    .toString('latin1')
    .trim();
  if (commit === '') throw failure(`there is no revision \`${revision}\``);
  const bytes = await git(folder, ['cat-file', 'blob', `${commit}:./${name}`], `\`${path}\` is not in \`${revision}\``);
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return new SourceText(`${revision}:${path}`, text);
  } catch (cause) {
    throw new ExternalError('file/not-utf-8', `\`${path}\` at \`${revision}\` is not valid UTF-8`, { cause });
  }
}

const run = promisify(execFile);

/** @param missing what to say if the command fails; without it, its output is empty */
async function git(folder: string, args: readonly string[], missing?: string): Promise<Buffer> {
  try {
    const options = { ...safeGitOptions(), encoding: 'buffer', maxBuffer: MAX_BYTES, shell: false } as const;
    return (await run('git', [...SAFE_GIT_ARGUMENTS, '-C', folder, ...args], options)).stdout;
  } catch (cause) {
    const { code, stderr } = cause as { readonly code?: unknown; readonly stderr?: Buffer };
    if (code === 'ENOENT') throw failure('cannot run `git`; install it, or name a file', cause);
    const said = stderr?.toString('utf8').trim().split('\n')[0] ?? '';
    if (/not a git repository|dubious ownership/.test(said)) throw failure(said.replace(/^fatal: /, ''), cause);
    if (missing === undefined) return Buffer.alloc(0);
    throw failure(missing, cause);
  }
}

function failure(message: string, cause?: unknown): ExternalError {
  return new ExternalError('file/no-revision', message, { cause });
}
