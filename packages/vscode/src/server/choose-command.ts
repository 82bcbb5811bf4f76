import { join } from 'node:path';

/** Which `tollgate` command serves the editor. */
export interface ChosenCommand {
  /** Path of the script that Node runs. */
  readonly script: string;
  readonly origin: 'bundled' | 'workspace';
}

/** What the choice depends on. */
export interface CommandChoice {
  /** Value of the setting `tollgate.server`. */
  readonly setting: string;
  readonly isTrusted: boolean;
  /** Path of the script that comes with the extension. */
  readonly bundled: string;
  /** Paths of the workspace folders. */
  readonly folders: readonly string[];
  readonly exists: (path: string) => boolean;
}

/** Returns the command that the setting asks for. A script of the workspace is code, and runs only if the workspace is trusted. */
export function chooseCommand({ setting, isTrusted, bundled, folders, exists }: CommandChoice): ChosenCommand {
  const installed = folders.map(folder => join(folder, 'node_modules', '@tollgate', 'cli', 'bin', 'tollgate.js'));
  const script = setting === 'workspace' && isTrusted ? installed.find(exists) : undefined;
  return script === undefined ? { script: bundled, origin: 'bundled' } : { script, origin: 'workspace' };
}
