// `tollgate check`.

import { analyzeDocument } from '@tollgate/core/documents';
import { createTargeting, explainDetection } from '@tollgate/core/targeting';
import type { Diagnostic, ExternalError, SourceText } from '@tollgate/diagnostics';
import { createRepeatCache, findingsInFile, type PartPath, readInvariants, readTests } from '@tollgate/policy';
import { findParts, type InputPart } from '../input/document-parts.ts';
import { POLICIES_AND_TESTS } from '../input/find-inputs.ts';
import type { ChangeOptions, SettingsOptions } from '../input/input-options.ts';
import { type LoadedSettings, loadSettings, settingsReport } from '../input/load-settings.ts';
import { orNoPolicy, readPolicySources, reportSkipped } from '../input/policy-sources.ts';
import { selectInputs } from '../input/selected-files.ts';
import { deliverReport, distinctFindings, reportOutputs } from '../output/deliver-report.ts';
import type { OutputOptions } from '../output/output-options.ts';
import { inThreads, revivedSource } from '../process/concurrency.ts';
import type { ExitCode } from '../process/exit-code.ts';
import type { Terminal } from '../process/terminal.ts';
import type { ConcurrencyOption } from '../process/thread-messages.ts';

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
  const skipped = checked.flatMap(one => one.skipped);
  if (options.verbose) reportSkipped(skipped, 'neither a policy nor tests', terminal);
  const report = {
    sources: checked.flatMap(one => one.sources),
    diagnostics: distinctFindings(checked.flatMap(one => one.diagnostics)),
    failures: [...failures, ...checked.flatMap(one => one.failures)],
  };
  const exitCode = await deliverReport(report, { outputs, options, terminal });
  return orNoPolicy(exitCode, { inputs, skipped, allowEmpty: options.allowEmpty }, terminal);
}

function revive(checked: CheckedFiles): CheckedFiles {
  return { ...checked, sources: checked.sources.map(revivedSource) };
}

/** The options of `tollgate check`. */
export interface CheckOptions extends SettingsOptions, OutputOptions, ChangeOptions, ConcurrencyOption {
  /** Path of the policies in files named without one. */
  readonly at?: PartPath;
  /** Names the files in which no policy was found. */
  readonly verbose?: true;
  /** Succeeds even if no file contains a policy. */
  readonly allowEmpty?: boolean;
}

/** The results for some files. */
interface CheckedFiles {
  readonly sources: readonly SourceText[];
  readonly diagnostics: readonly Diagnostic[];
  readonly failures: readonly ExternalError[];
  /** The files in which nothing was found. */
  readonly skipped: readonly string[];
}

/** Loads the settings and returns a function that checks files. */
export async function prepareCheck(options: CheckOptions, terminal: Terminal) {
  const loaded = await loadSettings(options, terminal);
  return (inputs: readonly InputPart[]) => checkInputs(inputs, { ...options, loaded, terminal });
}

interface CheckContext {
  readonly at?: PartPath | undefined;
  readonly loaded: LoadedSettings;
  readonly terminal: Terminal;
}

/** Checks files. Unreadable files do not stop the run. */
async function checkInputs(
  inputs: readonly InputPart[],
  { at, loaded: { settings, embeddedSettings }, terminal }: CheckContext,
): Promise<CheckedFiles> {
  const sources = new Map<string, SourceText>();
  const failures: ExternalError[] = [];
  const skipped: string[] = [];
  const diagnostics: Diagnostic[] = [];
  const expressions = createRepeatCache();
  const reading = { at, skipped, targetOf: createTargeting(settings), embeddedSettings, terminal };
  for await (const text of readPolicySources(inputs, reading, failure => failures.push(failure))) {
    if (text.kind !== 'policy') {
      const read = text.kind === 'tests' ? readTests : readInvariants;
      sources.set(text.source.uri, text.source);
      diagnostics.push(...read(text.source).diagnostics);
    } else {
      const { embedded, source, target } = text;
      sources.set(embedded.file.uri, embedded.file);
      const found = analyzeDocument({ ...text, expressions });
      diagnostics.push(...findingsInFile(embedded, [...found, ...explainDetection(target, source.uri, found)]));
    }
  }
  return { sources: [...sources.values()], diagnostics, failures, skipped };
}
