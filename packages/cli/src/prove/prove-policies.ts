import {
  type Diagnostic,
  type ExternalError,
  jsonDiagnostics,
  type Report,
  type SourceText,
} from '@tollgate/diagnostics';
import { deliverReport } from '../output/deliver-report.ts';
import type { OutputOptions } from '../output/output-options.ts';
import { replaceFile } from '../output/replace-file.ts';
import { reportOutputs } from '../output/report-outputs.ts';
import type { ExitCode } from '../process/exit-code.ts';
import { reportStyle, type Terminal } from '../process/terminal.ts';
import { UsageError } from '../process/usage-error.ts';
import { type LoadedSettings, loadSettings, settingsReport } from '../settings/load-settings.ts';
import type { SettingsOptions } from '../settings/settings-options.ts';
import { failOpenReport } from './fail-open.ts';
import { findInvariants } from './find-invariants.ts';
import { jsonProof } from './json-proof.ts';
import { type ProvedGroup, proveGroup } from './prove-group.ts';
import { countsOf, textProof } from './text-proof.ts';
import { writtenTests } from './written-tests.ts';

/** The options of `tollgate prove`. */
export interface ProveOptions extends Pick<SettingsOptions, 'env'>, OutputOptions {
  readonly failOpen?: true;
  /** The file to write tests to. */
  readonly writeTest?: string;
}

/** Proves the invariants that the arguments name and reports the results. An unreadable file does not stop the others. */
export async function provePolicies(
  names: readonly string[],
  options: ProveOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  if (options.failOpen && options.writeTest !== undefined) {
    throw new UsageError('`--fail-open` does not look at invariants; leave `--write-test` out');
  }
  const outputs = reportOutputs(options);
  const loaded = await loadSettings(options, terminal);
  if (loaded.diagnostics.length + loaded.failures.length > 0)
    return deliverReport(settingsReport(loaded), { outputs, options, terminal });
  if (options.failOpen) {
    return deliverReport(await failOpenReport(names, loaded, terminal), { outputs, options, terminal });
  }
  const { groups, report } = await proveAll(names, loaded, terminal);
  const failures = options.writeTest === undefined ? [] : await writeTests(options.writeTest, groups);
  const whole = { ...report, failures: [...(report.failures ?? []), ...failures] };
  const reporters = {
    text: (shown: Report) =>
      groups.length === 0 && shown.diagnostics.length === 0 ? '' : textProof(groups, shown, reportStyle(terminal)),
    json: (shown: Report) =>
      jsonProof(groups, { counts: countsOf(groups), diagnostics: jsonDiagnostics(shown) }, shown),
  };
  return deliverReport(whole, { outputs, options, terminal, reporters });
}

async function proveAll(names: readonly string[], loaded: LoadedSettings, terminal: Terminal) {
  const found = await findInvariants(names, loaded.project, terminal);
  const failures: ExternalError[] = [...found.failures];
  const diagnostics: Diagnostic[] = [...found.diagnostics];
  const sources: SourceText[] = [...found.sources];
  const groups: ProvedGroup[] = [];
  for (const group of found.groups) {
    const proved = await proveGroup(group, loaded, terminal);
    if (proved instanceof Error) {
      failures.push(proved);
      continue;
    }
    groups.push(proved);
    sources.push(...proved.sources);
    diagnostics.push(...proved.diagnostics);
  }
  const report: Report = {
    // Several files may be about the same policy.
    sources: [...new Map(sources.map((source): [string, SourceText] => [source.uri, source])).values()],
    diagnostics,
    cases: groups.flatMap(group => group.cases),
    failures,
  };
  return { groups, report };
}

async function writeTests(path: string, groups: readonly ProvedGroup[]): Promise<readonly ExternalError[]> {
  const text = writtenTests(path, groups);
  if (text === undefined) return [];
  const failure = await replaceFile(path, text);
  return failure === undefined ? [] : [failure];
}
