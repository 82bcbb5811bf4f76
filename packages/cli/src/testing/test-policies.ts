import { jsonDiagnostics, type Report, type WorldError } from '@tollgate/diagnostics';
import { EXIT, type ExitCode, exitOfFailures } from '../exit-code.ts';
import { type DirectoryFiles, findInputs } from '../input/find-inputs.ts';
import { loadSettings, reportSettings } from '../settings/load-settings.ts';
import type { SettingsOptions } from '../settings/settings-options.ts';
import { reportLook, type Terminal } from '../terminal.ts';
import { type TestedFile, testFile } from './test-file.ts';
import { sumOf, testReport } from './test-report.ts';

/** What `tollgate test` is run with. */
export interface TestPoliciesOptions extends Pick<SettingsOptions, 'env'> {
  readonly format: 'text' | 'json';
}

/** Runs the tests in the files, and reports on the terminal. A file that cannot be read does not keep the others from being run. */
export async function testPolicies(
  names: readonly string[],
  options: TestPoliciesOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const loaded = await loadSettings(options, terminal);
  if (loaded.diagnostics.length + loaded.failures.length > 0) return reportSettings(loaded, terminal);
  const { paths, failures } = await findInputs(names, TESTS);
  const failed: WorldError[] = [...failures];
  const files: (TestedFile & { readonly path: string })[] = [];
  for (const path of paths) {
    const found = await testFile(path, loaded.settings, terminal);
    if (found instanceof Error) failed.push(found);
    else files.push({ path, ...found });
  }
  const report: Report = {
    // Tests of several files may have one policy.
    sources: [...new Map(files.flatMap(file => file.sources).map(source => [source.uri, source])).values()],
    diagnostics: files.flatMap(file => file.diagnostics),
    failures: failed,
  };
  if (options.format === 'json') terminal.write(jsonText(files, report));
  else if (files.length > 0) terminal.write(testReport(files, report, reportLook(terminal)));
  for (const failure of failed) terminal.writeError(`tollgate: ${failure.message}\n`);
  if (failed.length > 0) return exitOfFailures(failed);
  return report.diagnostics.some(one => one.severity === 'error') ? EXIT.findings : EXIT.clean;
}

/** In a directory, what its name says to be tests: the policies may lie there as well. */
const TESTS: DirectoryFiles = {
  pattern: '**/*.test.{yaml,yml,json}',
  isMeant: () => true,
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
