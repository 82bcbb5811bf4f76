import { dirname } from 'node:path';
import type { Settings } from '@tollgate/core/targeting';
import type { EnvironmentSettings, PublishSettings } from '@tollgate/policy';
import { EXIT, type ExitCode } from '../../process/exit-code.ts';
import type { Terminal } from '../../process/terminal.ts';
import { UsageError } from '../../process/usage-error.ts';
import { type LoadedSettings, loadSettings, reportSettings } from '../../settings/load-settings.ts';
import { PROJECT_FILE } from '../../trust/confinement.ts';

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
  readonly carriers: LoadedSettings['carriers'];
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
  const { project, settings, carriers } = loaded;
  if (!project)
    throw new UsageError(`no \`${PROJECT_FILE}\` in this directory or above; create one with \`environments\``);
  const { path, value: publish } = project;
  return { env: terminal.env, path, directory: dirname(path), settings, carriers, publish };
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
