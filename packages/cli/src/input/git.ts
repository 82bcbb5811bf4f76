// Runs Git: files of a revision, and those that have changed since.

import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { devNull } from 'node:os';
import { basename, dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
import { ExternalError, SourceText } from '@tollgate/diagnostics';
import { MAX_BYTES, printMessage, type Terminal } from '../process/terminal.ts';
import { STANDARD_INPUT } from './find-inputs.ts';
import type { ChangeOptions, FileSelection } from './input-options.ts';
import { type LoadedSettings, modulesOf } from './load-settings.ts';

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

/** Git starts in another directory, so the one that it is to work in must be absolute. */
function gitArguments(directory: string, args: readonly string[]): readonly string[] {
  return [...SAFE_GIT_ARGUMENTS, '-C', resolve(directory), ...args];
}

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
function runGit(directory: string, args: readonly string[]): string {
  try {
    return execFileSync('git', gitArguments(directory, args), {
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
    return (await run('git', gitArguments(folder, args), options)).stdout;
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

/**
 * Returns which files `--changed` and `--staged` select. If the settings or a module that they name have changed, all
 * files are selected, because the findings in any may differ. @throws ExternalError
 */
export function selectChanged(
  { changed, staged }: ChangeOptions,
  { project, sources }: Pick<LoadedSettings, 'project' | 'sources'>,
  terminal: Terminal,
): FileSelection | undefined {
  const revision = typeof changed === 'string' ? changed : undefined;
  const files = changedFiles(process.cwd(), staged ? { kind: 'staged' } : { kind: 'since', revision });
  const settings = [...sources.map(({ uri }) => uri), ...modulesOf(project)].find(path => files.has(realPath(path)));
  if (settings === undefined) return path => path === STANDARD_INPUT || files.has(realPath(path));
  printMessage(terminal, `\`${settings}\` has changed, so all files are selected`);
  return undefined;
}

/** The path itself if there is no such file. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/** What counts as changed: what is staged for the next commit, or everything since a revision. */
type ChangeScope = { readonly kind: 'staged' } | { readonly kind: 'since'; readonly revision: string | undefined };

/**
 * Returns the absolute real paths of the changed files of the repository that contains a directory, also of deleted ones. Since a revision
 * means: since the last commit that it and `HEAD` share, with changes that are not committed and files that Git does not know; without a
 * revision, since `HEAD`. Nothing of the repository is executed. @throws ExternalError
 */
function changedFiles(directory: string, scope: ChangeScope): ReadonlySet<string> {
  const root = runGit(directory, ['rev-parse', '--show-toplevel']).trimEnd();
  const head = tryGit(root, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  const names =
    scope.kind === 'staged'
      ? indexChanges(root, head)
      : [...indexChanges(root, baseOf(root, scope.revision, head)), ...unstagedChanges(root), ...unknownFiles(root)];
  const real = realpathSync(root);
  return new Set(names.map(name => resolve(real, name)));
}

/** Returns the id of the commit that a revision names; undefined if there is none. */
export function commitAt(directory: string, revision: string): string | undefined {
  if (revision.startsWith('-')) return undefined;
  return tryGit(directory, ['rev-parse', '--verify', '--quiet', `${revision}^{commit}`]);
}

function baseOf(root: string, revision: string | undefined, head: string | undefined): string | undefined {
  if (revision === undefined) return head;
  const commit = commitAt(root, revision);
  if (commit === undefined)
    throw new ExternalError(
      'file/no-repository',
      `\`${revision}\` is not a commit of this repository; fetch it first, or name another`,
    );
  const base = head === undefined ? undefined : tryGit(root, ['merge-base', commit, head]);
  if (base === undefined)
    throw new ExternalError(
      'file/no-repository',
      `\`${revision}\` and \`HEAD\` have no common commit; if the clone is shallow, fetch more of its history`,
    );
  return base;
}

/** Returns what differs between a commit and the index; everything in the index if there is no commit yet. */
function indexChanges(root: string, commit: string | undefined): readonly string[] {
  if (commit === undefined) return listOf(runGit(root, ['ls-files', '--cached', '-z']));
  return listOf(runGit(root, ['diff-index', '--cached', '--name-only', '-z', ...DIFF_OPTIONS, commit, '--']));
}

const DIFF_OPTIONS = ['--no-renames', '--no-ext-diff', '--no-textconv', '--ignore-submodules=all'];

/**
 * Returns what differs between the index and the working tree. Git lists files whose times have changed; whether their content has changed is
 * found here, because Git would run filters.
 */
function unstagedChanges(root: string): readonly string[] {
  const fields = listOf(runGit(root, ['diff-files', '--raw', '--no-abbrev', '-z', ...DIFF_OPTIONS]));
  return fields.flatMap((field, index) => {
    if (index % 2 === 1) return [];
    const [, , id = ''] = field.split(' ');
    const name = fields[index + 1]!;
    return hasContent(resolve(root, name), id) ? [] : [name];
  });
}

/** Returns true if a file has the content with this id of Git. */
function hasContent(path: string, id: string): boolean {
  try {
    const found = lstatSync(path);
    if (!found.isSymbolicLink() && !found.isFile()) return false;
    const content = found.isSymbolicLink() ? Buffer.from(readlinkSync(path)) : readFileSync(path);
    const hash = createHash(id.length > 40 ? 'sha256' : 'sha1')
      .update(`blob ${content.length}\0`)
      .update(content);
    return hash.digest('hex') === id;
  } catch {
    return false;
  }
}

function unknownFiles(root: string): readonly string[] {
  return listOf(runGit(root, ['ls-files', '--others', '--exclude-standard', '-z']));
}

function listOf(text: string): readonly string[] {
  return text.split('\0').filter(name => name !== '');
}
