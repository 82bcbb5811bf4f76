import { type Diagnostic, jsonReport, type SourceText, textReport, type WorldError } from '@tollgate/diagnostics';
import { analyzePolicies, createExpressionCache, type PartPath } from '@tollgate/policy';
import { EXIT, type ExitCode } from './exit-code.ts';
import { findParts } from './input/find-parts.ts';
import { readSource } from './input/read-source.ts';
import { loadSettings } from './settings/load-settings.ts';
import type { SettingsOptions } from './settings/settings-options.ts';
import { createTargeting, explainDetection } from './settings/targeting.ts';
import { reportLook, type Terminal } from './terminal.ts';

/** The options of `tollgate check`. */
export interface CheckOptions extends SettingsOptions {
  readonly format: 'text' | 'json';
  /** Where in each file the policies stand, unless the name of the file says it. */
  readonly at?: PartPath;
}

/** Checks the files and reports on the terminal. Files that cannot be read do not keep the others from being checked. */
export async function checkFiles(
  files: readonly string[],
  options: CheckOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const loaded = await loadSettings(options, terminal);
  if (loaded.diagnostics.length + loaded.failures.length > 0) return finish(loaded, options, terminal);
  const sources: SourceText[] = [];
  const failed: WorldError[] = [];
  const diagnostics: Diagnostic[] = [];
  const targetOf = createTargeting(loaded.settings);
  const expressions = createExpressionCache();
  for (const { path, part = options.at } of await findParts(files, failed)) {
    const source = await readSource(path, terminal);
    if (source instanceof Error) {
      failed.push(source);
      continue;
    }
    const target = targetOf(source);
    if (target instanceof Error) {
      failed.push(target);
      continue;
    }
    sources.push(source);
    const found = analyzePolicies(source, { ...target, expressions, ...(part && { part }) }).diagnostics;
    diagnostics.push(...found, ...explainDetection(target, source.uri, found));
  }
  return finish({ sources, diagnostics, failures: failed }, options, terminal);
}

/** What came of a run. */
interface Result {
  readonly sources: readonly SourceText[];
  readonly diagnostics: readonly Diagnostic[];
  readonly failures: readonly WorldError[];
}

function finish({ sources, diagnostics, failures }: Result, { format }: CheckOptions, terminal: Terminal): ExitCode {
  const report = { sources, diagnostics };
  if (format === 'json') terminal.write(jsonReport(report));
  else if (sources.length > 0) terminal.write(textReport(report, reportLook(terminal)));
  for (const failure of failures) terminal.writeError(`tollgate: ${failure.message}\n`);
  if (failures.length > 0) return EXIT.world;
  return diagnostics.some(diagnostic => diagnostic.severity === 'error') ? EXIT.findings : EXIT.clean;
}
