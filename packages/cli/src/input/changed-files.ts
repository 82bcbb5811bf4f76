// The files that Git says have changed since a revision.

import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { ExternalError } from '@tollgate/diagnostics';
import { printMessage, type Terminal } from '../process/terminal.ts';
import { STANDARD_INPUT } from './find-inputs.ts';
import { runGit, tryGit } from './git.ts';
import type { ChangeOptions, FileSelection } from './input-options.ts';
import { type LoadedSettings, modulesOf } from './load-settings.ts';

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
