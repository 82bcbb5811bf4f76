import { analyzeDocument } from '@tollgate/core/documents';
import { createDetectionNote, createTargeting } from '@tollgate/core/targeting';
import type { Diagnostic, ExternalError, SourceText } from '@tollgate/diagnostics';
import { createRepeatCache, findingsInFile, type PartPath, readInvariants, readTests } from '@tollgate/policy';
import type { ChangeOptions } from '../changes/change-options.ts';
import { selectedFiles } from '../changes/selected-files.ts';
import { createOnce } from '../input/once.ts';
import { readPolicySources } from '../input/policy-sources.ts';
import { deliverReport } from '../output/deliver-report.ts';
import type { OutputOptions } from '../output/output-options.ts';
import { reportOutputs } from '../output/report-outputs.ts';
import type { ExitCode } from '../process/exit-code.ts';
import type { Terminal } from '../process/terminal.ts';
import { loadSettings, settingsReport } from '../settings/load-settings.ts';
import type { SettingsOptions } from '../settings/settings-options.ts';

/** The options of `tollgate check`. */
export interface CheckOptions extends SettingsOptions, OutputOptions, ChangeOptions {
  /** Path of the policies in files named without one. */
  readonly at?: PartPath;
  /** Names the files in which no policy was found. */
  readonly verbose?: true;
}

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
  const sources = new Map<string, SourceText>();
  const explain = createDetectionNote();
  const failed: ExternalError[] = [];
  const diagnostics: Diagnostic[] = [];
  const expressions = createRepeatCache();
  const { at, verbose } = options;
  const { settings, carriers } = loaded;
  const isSelected = await selectedFiles(options, loaded, terminal);
  const reading = { at, verbose, targetOf: createTargeting(settings), carriers, isSelected, terminal };
  const once = createOnce();
  for await (const text of readPolicySources(files, reading, failure => failed.push(failure))) {
    if (text.kind !== 'policy') {
      const read = text.kind === 'tests' ? readTests : readInvariants;
      sources.set(text.source.uri, text.source);
      diagnostics.push(...read(text.source).diagnostics);
    } else {
      const { embedded, source, target } = text;
      sources.set(embedded.file.uri, embedded.file);
      const found = analyzeDocument(text, expressions);
      diagnostics.push(...once(findingsInFile(embedded, [...found, ...explain(target, source.uri, found)])));
    }
  }
  return deliverReport(
    { sources: [...sources.values()], diagnostics, failures: failed },
    { outputs, options, terminal },
  );
}
