import type { ChangeOptions } from '../changes/change-options.ts';
import type { ConcurrencyOption } from '../concurrency/concurrency-option.ts';
import type { OutputOptions } from '../output/output-options.ts';
import type { Failure } from '../process/exit-code.ts';
import { withProgress } from '../process/progress-line.ts';
import type { Terminal } from '../process/terminal.ts';
import { type LoadedSettings, loadSettings } from '../settings/load-settings.ts';
import type { SettingsOptions } from '../settings/settings-options.ts';
import { type TestedFile, testFile } from './test-file.ts';

/** The options of `tollgate test`. */
export interface TestPoliciesOptions
  extends Pick<SettingsOptions, 'env'>,
    OutputOptions,
    ChangeOptions,
    ConcurrencyOption {
  /** Selects tests by their names. */
  readonly name?: RegExp;
}

/** The results for some files. */
export interface TestedFiles {
  readonly files: readonly (TestedFile & { readonly path: string })[];
  readonly failures: readonly Failure[];
}

/** Loads the settings and returns a function that runs the tests of files. */
export async function prepareTests(options: TestPoliciesOptions, terminal: Terminal) {
  const loaded = await loadSettings(options, terminal);
  return (paths: readonly string[]) => testInputs(paths, { loaded, name: options.name, terminal });
}

/** The settings of a run. */
interface TestContext {
  readonly loaded: LoadedSettings;
  readonly name: RegExp | undefined;
  readonly terminal: Terminal;
}

/** Runs the tests of files. An unreadable file does not stop the others. */
export async function testInputs(
  paths: readonly string[],
  { loaded, name, terminal }: TestContext,
): Promise<TestedFiles> {
  const files: (TestedFile & { readonly path: string })[] = [];
  const failures: Failure[] = [];
  for (const path of withProgress(paths, terminal)) {
    const found = await testFile(path, { ...loaded, name }, terminal);
    if (found instanceof Error) failures.push(found);
    else files.push({ path, ...found });
  }
  return { files, failures };
}
