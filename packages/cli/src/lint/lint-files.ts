import type { Diagnostic, SourceText, WorldError } from '@tollgate/diagnostics';
import { activate, createLinter, LINT_RULES, lintText } from '@tollgate/lint';
import { createExpressionCache } from '@tollgate/policy';
import type { CheckOptions } from '../check-files.ts';
import type { ExitCode } from '../exit-code.ts';
import { readPolicyTexts } from '../input/policy-texts.ts';
import { deliverReport } from '../output/deliver-report.ts';
import { reportOutputs } from '../output/report-outputs.ts';
import { loadSettings } from '../settings/load-settings.ts';
import { createTargeting, explainDetection } from '../settings/targeting.ts';
import type { Terminal } from '../terminal.ts';

/** The options of `tollgate lint`. */
export interface LintFilesOptions extends CheckOptions {}

/** Lints the files and reports on the terminal. Files that cannot be read do not keep the others from being linted. */
export async function lintFiles(
  files: readonly string[],
  options: LintFilesOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { at } = options;
  const outputs = reportOutputs(options);
  const loaded = await loadSettings(options, terminal);
  if (loaded.diagnostics.length + loaded.failures.length > 0)
    return deliverReport(loaded, { outputs, options, terminal });
  const linter = createLinter(LINT_RULES.filter(rule => rule.severity !== 'off').map(rule => activate(rule)));
  const sources: SourceText[] = [];
  const failures: WorldError[] = [];
  const diagnostics: Diagnostic[] = [];
  const expressions = createExpressionCache();
  const reading = { at, targetOf: createTargeting(loaded.settings), terminal };
  for await (const { source, part, target } of readPolicyTexts(files, reading, failure => failures.push(failure))) {
    sources.push(source);
    const found = lintText(source, { ...target, expressions, ...(part && { part }) }, linter).diagnostics;
    diagnostics.push(...found, ...explainDetection(target, source.uri, found));
  }
  return deliverReport({ sources, diagnostics, failures }, { outputs, options, terminal });
}
