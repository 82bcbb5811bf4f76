import { dirname, join } from 'node:path';
import { type ExternalError, jsonDiagnostics, type Report, type SourceText } from '@tollgate/diagnostics';
import { readTests } from '@tollgate/policy';
import type { ChangeOptions, FileSelection } from '../changes/change-options.ts';
import { selectedFiles } from '../changes/selected-files.ts';
import { splitFilePart } from '../input/file-part.ts';
import { type DirectoryFiles, findInputs } from '../input/find-inputs.ts';
import { readSource } from '../input/read-source.ts';
import { deliverReport } from '../output/deliver-report.ts';
import type { OutputOptions } from '../output/output-options.ts';
import { reportOutputs } from '../output/report-outputs.ts';
import type { ExitCode } from '../process/exit-code.ts';
import { withProgress } from '../process/progress-line.ts';
import { reportStyle, type Terminal } from '../process/terminal.ts';
import { loadSettings, settingsReport } from '../settings/load-settings.ts';
import type { SettingsOptions } from '../settings/settings-options.ts';
import { type TestedFile, testFile } from './test-file.ts';
import { sumOf, testReport } from './test-report.ts';

/** The options of `tollgate test`. */
export interface TestPoliciesOptions extends Pick<SettingsOptions, 'env'>, OutputOptions, ChangeOptions {}

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
  const isSelected = await selectedFiles(options, loaded, terminal);
  const { paths: all, failures } = await findInputs(names, TESTS);
  const paths = isSelected ? await affectedTests(all, isSelected, terminal) : all;
  const failed: ExternalError[] = [...failures];
  const files: (TestedFile & { readonly path: string })[] = [];
  for (const path of withProgress(paths, terminal)) {
    const found = await testFile(path, loaded, terminal);
    if (found instanceof Error) failed.push(found);
    else files.push({ path, ...found });
  }
  const sources = files.flatMap(file => file.sources);
  const report: Report = {
    // Several test files may test the same policy.
    sources: [...new Map(sources.map((source): [string, SourceText] => [source.uri, source])).values()],
    diagnostics: files.flatMap(file => file.diagnostics),
    cases: files.flatMap(file => file.cases),
    failures: failed,
  };
  const reporters = {
    text: (shown: Report) => (files.length === 0 ? '' : testReport(files, shown, reportStyle(terminal))),
    json: (shown: Report) => jsonText(files, shown),
  };
  return deliverReport(report, { outputs, options, terminal, reporters });
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

function jsonText(files: readonly (TestedFile & { readonly path: string })[], report: Report): string {
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
  return `${JSON.stringify(document, undefined, 2)}\n`;
}
