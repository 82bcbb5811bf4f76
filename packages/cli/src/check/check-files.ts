import type { ExternalError } from '@tollgate/diagnostics';
import { selectInputs } from '../changes/selected-files.ts';
import { inThreads, revivedSource } from '../concurrency/in-threads.ts';
import { distinctFindings } from '../input/distinct-findings.ts';
import { POLICIES_AND_TESTS } from '../input/find-inputs.ts';
import { findParts } from '../input/find-parts.ts';
import { reportSkipped } from '../input/policy-sources.ts';
import { deliverReport } from '../output/deliver-report.ts';
import { reportOutputs } from '../output/report-outputs.ts';
import type { ExitCode } from '../process/exit-code.ts';
import type { Terminal } from '../process/terminal.ts';
import { loadSettings, settingsReport } from '../settings/load-settings.ts';
import { type CheckedFiles, type CheckOptions, checkInputs } from './check-inputs.ts';

/** Checks the files and writes the reports. Unreadable files do not stop the run. */
export async function checkFiles(
  files: readonly string[],
  options: CheckOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const outputs = reportOutputs(options);
  const loaded = await loadSettings(options, terminal);
  if (loaded.diagnostics.length + loaded.failures.length > 0)
    return deliverReport(settingsReport(loaded), { outputs, options, terminal });
  const failures: ExternalError[] = [];
  const found = await findParts(files, failures, POLICIES_AND_TESTS);
  const inputs = await selectInputs(found, { options, loaded, terminal });
  const here = () => checkInputs(inputs, { at: options.at, loaded, terminal });
  const checked = await inThreads({ command: 'check', options, inputs, here, revive }, terminal);
  if (options.verbose)
    reportSkipped(
      checked.flatMap(one => one.skipped),
      'neither a policy nor tests',
      terminal,
    );
  const report = {
    sources: checked.flatMap(one => one.sources),
    diagnostics: distinctFindings(checked.flatMap(one => one.diagnostics)),
    failures: [...failures, ...checked.flatMap(one => one.failures)],
  };
  return deliverReport(report, { outputs, options, terminal });
}

function revive(checked: CheckedFiles): CheckedFiles {
  return { ...checked, sources: checked.sources.map(revivedSource) };
}
