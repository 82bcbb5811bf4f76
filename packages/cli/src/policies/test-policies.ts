import { dirname, join } from 'node:path';
import { jsonDiagnostics, jsonText, type Report, type SourceText } from '@tollgate/diagnostics';
import { readTests } from '@tollgate/policy';
import { splitFilePart } from '../input/document-parts.ts';
import { type DirectoryFiles, findInputs } from '../input/find-inputs.ts';
import type { ChangeOptions, FileSelection, SettingsOptions } from '../input/input-options.ts';
import { type LoadedSettings, loadSettings, settingsReport } from '../input/load-settings.ts';
import { readSource } from '../input/read-source.ts';
import { reportNoneSelected, selectedFiles } from '../input/selected-files.ts';
import { deliverReport, reportOutputs } from '../output/deliver-report.ts';
import type { OutputOptions } from '../output/output-options.ts';
import type { ConcurrencyOption } from '../process/concurrency.ts';
import { type ExitCode, type Failure, UsageError } from '../process/exit-code.ts';
import { inThreads, revivedSource } from '../process/in-threads.ts';
import { withProgress } from '../process/progress-line.ts';
import { reportStyle, type Terminal } from '../process/terminal.ts';
import { type TestedFile, testFile } from './test-file.ts';
import { sumOf, testReport } from './test-report.ts';

/** Runs the tests in the files and reports the results. An unreadable file does not stop the others. */
export async function testPolicies(
  names: readonly string[],
  options: TestPoliciesOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const outputs = reportOutputs(options);
  const loaded = await loadSettings(options, terminal);
  if (loaded.diagnostics.length + loaded.failures.length > 0)
    return deliverReport(settingsReport(loaded), { outputs, options, terminal });
  const selecting = { options, loaded, terminal };
  const isSelected = await selectedFiles(selecting);
  const { paths, failures } = await findInputs(names, TESTS);
  const inputs = isSelected ? await affectedTests(paths, isSelected, terminal) : paths;
  if (inputs.length === 0 && paths.length > 0) reportNoneSelected('no test file or tested policy is', selecting);
  const here = () => testInputs(inputs, { loaded, name: options.name, terminal });
  const tested = await inThreads({ command: 'test', options, inputs, here, revive }, terminal);
  const files = tested.flatMap(one => one.files);
  if (options.name && isNothingChosen(tested))
    throw new UsageError(`no test has a name that matches \`${options.name.source}\``);
  const sources = files.flatMap(file => file.sources);
  const report: Report = {
    // Several test files may test the same policy.
    sources: [...new Map(sources.map((source): [string, SourceText] => [source.uri, source])).values()],
    diagnostics: files.flatMap(file => file.diagnostics),
    cases: files.flatMap(file => file.cases),
    failures: [...failures, ...tested.flatMap(one => one.failures)],
  };
  const reporters = {
    text: (shown: Report) => (files.length === 0 ? '' : testReport(files, shown, reportStyle(terminal))),
    json: (shown: Report) => jsonReportOf(files, shown),
  };
  return deliverReport(report, { outputs, options, terminal, reporters });
}

/** Files with errors may contain tests of the name. */
function isNothingChosen(tested: readonly TestedFiles[]): boolean {
  const files = tested.flatMap(one => one.files);
  return (
    files.every(({ cases, diagnostics }) => cases.length + diagnostics.length === 0) &&
    tested.every(({ failures }) => failures.length === 0)
  );
}

function revive({ files, failures }: TestedFiles): TestedFiles {
  return { files: files.map(file => ({ ...file, sources: file.sources.map(revivedSource) })), failures };
}

/** Returns the tests that are selected themselves, or whose policies are. */
async function affectedTests(
  paths: readonly string[],
  isSelected: FileSelection,
  terminal: Terminal,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of paths) {
    if (isSelected(path) || (await isPolicySelected(path, isSelected, terminal))) found.push(path);
  }
  return found;
}

async function isPolicySelected(path: string, isSelected: FileSelection, terminal: Terminal): Promise<boolean> {
  const source = await readSource(path, terminal);
  // Running an unreadable or wrong test reports why.
  if (source instanceof Error) return true;
  const { value } = readTests(source);
  return value === undefined || isSelected(join(dirname(path), splitFilePart(value.policy).name));
}

/** A directory stands for the files in it that are named like tests; it may contain policies, too. */
const TESTS: DirectoryFiles = {
  pattern: '**/*.test.{yaml,yml,json}',
  isIncluded: () => true,
  what: 'file of policy tests (`*.test.yaml` or `*.test.json`)',
};

function jsonReportOf(files: readonly (TestedFile & { readonly path: string })[], report: Report): string {
  const document = {
    version: 1,
    counts: sumOf(files),
    files: files.map(({ path, tested }) => ({
      file: path,
      ...(tested && { policy: tested.policy, profile: tested.profile, ...tested.run }),
    })),
    diagnostics: jsonDiagnostics(report),
    failures: (report.failures ?? []).map(({ code, message }) => ({ code, message })),
  };
  return `${jsonText(document, 2)}\n`;
}

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
interface TestedFiles {
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
async function testInputs(paths: readonly string[], { loaded, name, terminal }: TestContext): Promise<TestedFiles> {
  const files: (TestedFile & { readonly path: string })[] = [];
  const failures: Failure[] = [];
  for (const path of withProgress(paths, terminal)) {
    const found = await testFile(path, { ...loaded, name }, terminal);
    if (found instanceof Error) failures.push(found);
    else files.push({ path, ...found });
  }
  return { files, failures };
}
