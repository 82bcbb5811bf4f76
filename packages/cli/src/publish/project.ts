// The project that is published: its settings, environments and commit.

import { createHash } from 'node:crypto';
import { userInfo } from 'node:os';
import { basename, dirname, posix } from 'node:path';
import type { Settings } from '@tollgate/core/targeting';
import type { EnvironmentSettings, PublishSettings } from '@tollgate/policy';
import { tryGit } from '../input/git.ts';
import { type LoadedSettings, loadSettings, reportSettings } from '../input/load-settings.ts';
import { EXIT, type ExitCode, UsageError } from '../process/exit-code.ts';
import type { Terminal } from '../process/terminal.ts';
import { PROJECT_FILE } from '../trust/confinement.ts';

/** Where secrets are looked up. */
export interface SecretContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The project file. */
  readonly path: string;
  readonly directory: string;
}

/** A project file with what publishing needs of it. */
export interface PublishProject extends SecretContext {
  /** Profiles and extensions. */
  readonly settings: Settings;
  readonly embeddedSettings: LoadedSettings['embeddedSettings'];
  readonly publish: PublishSettings;
}

/** One of the environments of a project. */
export interface Environment {
  readonly name: string;
  readonly settings: EnvironmentSettings;
}

/**
 * Loads the project file in the working directory or above. Problems in it are reported, as a usage error: with 1, a script would take them
 * for changes or drift.
 */
export async function loadProject(terminal: Terminal): Promise<PublishProject | ExitCode> {
  const loaded = await loadSettings({}, terminal);
  if (loaded.diagnostics.length + loaded.failures.length > 0) {
    const code = reportSettings(loaded, terminal);
    return code === EXIT.findings ? EXIT.usage : code;
  }
  const { project, settings, embeddedSettings } = loaded;
  if (!project)
    throw new UsageError(`no \`${PROJECT_FILE}\` in this directory or above; create one with \`environments\``);
  const { path, value: publish } = project;
  return { env: terminal.env, path, directory: dirname(path), settings, embeddedSettings, publish };
}

/** Returns the named environment, or the only one. */
export function chooseEnvironment({ publish, path }: PublishProject, name: string | undefined): Environment {
  const environments = Object.entries(publish.environments ?? {});
  const names = environments.map(([one]) => `\`${one}\``).join(', ');
  if (environments.length === 0) throw new UsageError(`\`${path}\` has no \`environments\`; add one`);
  if (name === undefined && environments.length > 1) throw new UsageError(`name an environment: ${names}`);
  const found = environments.find(([one]) => one === name || name === undefined);
  if (!found) throw new UsageError(`no environment \`${name}\`; the project has ${names}`);
  return { name: found[0], settings: found[1] };
}

/** Returns the commit of a directory; undefined outside of a repository. */
export function commitOf(directory: string): string | undefined {
  return tryGit(directory, ['rev-parse', 'HEAD']);
}

/** A file with what was read from it. */
interface ReadFile {
  readonly path: string;
  readonly text: string;
}

/** Returns the commit of a directory if it contains all the files as they were read; undefined otherwise. */
export function commitWith(directory: string, files: readonly ReadFile[]): string | undefined {
  const commit = commitOf(directory);
  if (commit === undefined || files.length === 0) return commit;
  // Files are not compared by Git, which would run filters of the repository.
  const listed = tryGit(directory, ['ls-tree', '-rz', '--full-tree', commit]) ?? '';
  const blobs = new Map(
    listed.split('\0').map(line => {
      const [about = '', path = ''] = line.split('\t');
      return [path, about.split(' ')[2]] as const;
    }),
  );
  const prefix = tryGit(directory, ['rev-parse', '--show-prefix']) ?? '';
  const isSame = ({ path, text }: ReadFile) => {
    const blob = blobs.get(posix.normalize(`${prefix}${path.replaceAll('\\', '/')}`));
    return blob !== undefined && [text, text.replaceAll('\r\n', '\n')].some(one => blobId(one, blob.length) === blob);
  };
  return files.every(isSame) ? commit : undefined;
}

/** Returns the id of a blob, in a repository with SHA-1 or SHA-256. */
function blobId(text: string, length: number): string {
  const bytes = Buffer.from(text);
  const hash = createHash(length === 64 ? 'sha256' : 'sha1');
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
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
