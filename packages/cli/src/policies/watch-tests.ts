// `tollgate test --watch`: runs the tests again that a changed file concerns, until interrupted.

import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ExternalError, printable, type SourceText } from '@tollgate/diagnostics';
import { STANDARD_INPUT } from '../input/find-inputs.ts';
import { loadSettings } from '../input/load-settings.ts';
import { FolderWatch, foldersOf } from '../input/watch-paths.ts';
import { reportOutputs } from '../output/deliver-report.ts';
import { EXIT, type ExitCode, UsageError } from '../process/exit-code.ts';
import { printMessage, type Terminal } from '../process/terminal.ts';
import { type TestPoliciesOptions, testPolicies } from './test-policies.ts';

/** Runs tests, and again those that a change of a test, a policy, a fixture or the settings concerns. */
export async function watchTests(
  names: readonly string[],
  options: TestPoliciesOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  if (names.includes(STANDARD_INPUT)) throw new UsageError('`--watch` does not support standard input');
  if (options.writeMissing)
    throw new UsageError('`--watch` does not change the files that it watches; leave out `--write-missing`');
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  const folders = foldersOf(names, name => statSync(name, { throwIfNoEntry: false })?.isDirectory() ?? false);
  const reports = reportOutputs(options).flatMap(output => output.file ?? []);
  const pages = [options.coverageLcov, options.coverageHtml, options.mutantsHtml].flatMap(path => path ?? []);
  const watch = new FolderWatch(stop.signal, [...reports, ...pages]);
  // Watch before the first run so that no change during it is missed.
  const settings = await loadSettings(options, terminal);
  await watch.add([...folders, '.', ...settings.sources.map(({ uri }) => dirname(uri))]);
  const readBy = new Map<string, ReadonlySet<string>>();
  const observe = (path: string, sources: readonly SourceText[]) => {
    const files = sources.map(({ uri }) => uri);
    readBy.set(path, new Set(files.map(file => resolve(file))));
    void watch.add(files.map(file => dirname(file)));
  };
  const run = async (chosen: readonly string[]) => {
    const exitCode = await testPolicies(chosen, options, terminal, observe).catch(error => {
      // What is missing or wrong now may be there after the next change.
      if (!(error instanceof UsageError || error instanceof ExternalError)) throw error;
      printMessage(terminal, error.message);
      return error instanceof UsageError ? EXIT.usage : EXIT.external;
    });
    if (terminal.isInteractive) terminal.write('\nwaiting for changes; press Ctrl-C to stop\n');
    return exitCode;
  };
  let exitCode = await run(names);
  while (await watch.next()) {
    let changed = watch.changed();
    // Editors empty a file before they write it.
    if (changed.some(isEmpty)) {
      await setTimeout(WRITING_MS, undefined, { signal: stop.signal }).catch(() => {});
      changed = [...new Set([...changed, ...watch.changed()])];
    }
    const chosen = testsOf(changed, readBy);
    if (terminal.isInteractive) terminal.write('\u001b[2J\u001b[H');
    if (chosen !== undefined)
      terminal.write(`${changed.map(file => printable(shortened(file))).join(', ')} changed\n\n`);
    exitCode = await run(chosen ?? names);
  }
  return exitCode;
}

/** How long an empty file may be about to be written. */
const WRITING_MS = 300;

function isEmpty(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.size === 0;
}

/** Returns the files of tests for which one of these files was read; undefined if other files changed, which may concern all. */
function testsOf(
  changed: readonly string[],
  readBy: ReadonlyMap<string, ReadonlySet<string>>,
): readonly string[] | undefined {
  const known = new Set([...readBy.values()].flatMap(files => [...files]));
  if (changed.length === 0 || changed.some(file => !known.has(file) || !existsSync(file))) return undefined;
  return [...readBy].filter(([, files]) => changed.some(file => files.has(file))).map(([path]) => path);
}

function shortened(file: string): string {
  const here = `${process.cwd()}/`;
  return file.startsWith(here) ? file.slice(here.length) : file;
}
