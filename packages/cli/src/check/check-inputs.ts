import { analyzeDocument } from '@tollgate/core/documents';
import { createTargeting, explainDetection } from '@tollgate/core/targeting';
import type { Diagnostic, ExternalError, SourceText } from '@tollgate/diagnostics';
import { createRepeatCache, findingsInFile, type PartPath, readInvariants, readTests } from '@tollgate/policy';
import type { ChangeOptions } from '../changes/change-options.ts';
import type { ConcurrencyOption } from '../concurrency/concurrency-option.ts';
import type { InputPart } from '../input/find-parts.ts';
import { readPolicySources } from '../input/policy-sources.ts';
import type { OutputOptions } from '../output/output-options.ts';
import type { Terminal } from '../process/terminal.ts';
import { type LoadedSettings, loadSettings } from '../settings/load-settings.ts';
import type { SettingsOptions } from '../settings/settings-options.ts';

/** The options of `tollgate check`. */
export interface CheckOptions extends SettingsOptions, OutputOptions, ChangeOptions, ConcurrencyOption {
  /** Path of the policies in files named without one. */
  readonly at?: PartPath;
  /** Names the files in which no policy was found. */
  readonly verbose?: true;
}

/** The results for some files. */
export interface CheckedFiles {
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
export async function checkInputs(
  inputs: readonly InputPart[],
  { at, loaded: { settings, carriers }, terminal }: CheckContext,
): Promise<CheckedFiles> {
  const sources = new Map<string, SourceText>();
  const failures: ExternalError[] = [];
  const skipped: string[] = [];
  const diagnostics: Diagnostic[] = [];
  const expressions = createRepeatCache();
  const reading = { at, skipped, targetOf: createTargeting(settings), carriers, terminal };
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
