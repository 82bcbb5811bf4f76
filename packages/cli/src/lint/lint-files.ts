import { type Diagnostic, jsonReport, type SourceText, textReport, type WorldError } from '@tollgate/diagnostics';
import { activate, createLinter, LINT_RULES, lintText } from '@tollgate/lint';
import { createExpressionCache, parsePartPath } from '@tollgate/policy';
import { type CheckOptions, refusePath } from '../check-files.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { readPolicyTexts } from '../input/policy-texts.ts';
import { loadSettings } from '../settings/load-settings.ts';
import { createTargeting, explainDetection } from '../settings/targeting.ts';
import { reportLook, type Terminal } from '../terminal.ts';

/** The options of `tollgate lint`. */
export interface LintFilesOptions extends CheckOptions {}

/** Lints the files and reports on the terminal. Files that cannot be read do not keep the others from being linted. */
export async function lintFiles(
  files: readonly string[],
  options: LintFilesOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const at = options.at === undefined ? undefined : parsePartPath(options.at);
  if (options.at !== undefined && !at) return refusePath(options.at, terminal);
  const loaded = await loadSettings(options, terminal);
  if (loaded.diagnostics.length + loaded.failures.length > 0) return finish(loaded, options, terminal);
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
  return finish({ sources, diagnostics, failures }, options, terminal);
}

interface Result {
  readonly sources: readonly SourceText[];
  readonly diagnostics: readonly Diagnostic[];
  readonly failures: readonly WorldError[];
}

function finish({ failures, ...report }: Result, { format }: LintFilesOptions, terminal: Terminal): ExitCode {
  if (format === 'json') terminal.write(jsonReport(report));
  else if (report.sources.length > 0) terminal.write(textReport(report, reportLook(terminal)));
  for (const failure of failures) terminal.writeError(`tollgate: ${failure.message}\n`);
  if (failures.length > 0) return EXIT.world;
  return report.diagnostics.some(diagnostic => diagnostic.severity === 'error') ? EXIT.findings : EXIT.clean;
}
