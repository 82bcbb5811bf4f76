import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { changedFiles } from '../git/changed-files.ts';
import { STANDARD_INPUT } from '../input/find-inputs.ts';
import { printMessage, type Terminal } from '../process/terminal.ts';
import type { LoadedSettings } from '../settings/load-settings.ts';
import { modulesOf } from '../settings/modules-of.ts';
import type { ChangeOptions, FileSelection } from './change-options.ts';

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
