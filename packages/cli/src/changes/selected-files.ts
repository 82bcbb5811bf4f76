import type { Terminal } from '../process/terminal.ts';
import type { LoadedSettings } from '../settings/load-settings.ts';
import type { ChangeOptions, FileSelection } from './change-options.ts';

/** Returns which files `--changed` and `--staged` select; undefined if all are. Without them, nothing that runs Git is loaded. */
export async function selectedFiles(
  options: ChangeOptions,
  loaded: Pick<LoadedSettings, 'project' | 'sources'>,
  terminal: Terminal,
): Promise<FileSelection | undefined> {
  if (options.changed === undefined && !options.staged) return undefined;
  const { selectChanged } = await import('./select-changed.ts');
  return selectChanged(options, loaded, terminal);
}
