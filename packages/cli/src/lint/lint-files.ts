import { statSync } from 'node:fs';
import type { Report, WorldError } from '@tollgate/diagnostics';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { STANDARD_INPUT } from '../input/find-inputs.ts';
import { readPolicyTexts } from '../input/policy-texts.ts';
import { deliverReport } from '../output/deliver-report.ts';
import { reportOutputs } from '../output/report-outputs.ts';
import { createTargeting } from '../settings/targeting.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';
import { applyBaseline } from './apply-baseline.ts';
import { BASELINE_FILE } from './baseline.ts';
import { CACHE_FILE, LintCache, settingsKey } from './lint-cache.ts';
import type { LintFilesOptions } from './lint-options.ts';
import { LintRun } from './lint-run.ts';
import type { LintedFiles } from './lint-session.ts';
import { type Linting, loadLinting } from './load-linting.ts';
import { describeRule } from './rule-table.ts';
import { changesIn, foldersOf } from './watch-paths.ts';

/** Lints the files and reports on the terminal. Files that cannot be read do not keep the others from being linted. */
export async function lintFiles(
  files: readonly string[],
  options: LintFilesOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  if (options.watch) return watchFiles(files, options, terminal);
  return lintOnce(files, options, terminal);
}

/** Lints until the process is interrupted, and again whenever something changes where the files are. */
async function watchFiles(files: readonly string[], options: LintFilesOptions, terminal: Terminal): Promise<ExitCode> {
  if (files.includes(STANDARD_INPUT)) throw new UsageError('`--watch` cannot watch the standard input');
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  const folders = foldersOf(files, name => statSync(name, { throwIfNoEntry: false })?.isDirectory() ?? false);
  const reports = reportOutputs(options).flatMap(one => one.file ?? []);
  const written = [...reports, options.baseline ?? BASELINE_FILE, options.cacheFile ?? CACHE_FILE];
  let exitCode = await lintOnce(files, options, terminal);
  for await (const _ of changesIn([...new Set([...folders, '.'])], stop.signal, written)) {
    if (terminal.isInteractive) terminal.write('\u001b[2J\u001b[H');
    exitCode = await lintOnce(files, options, terminal);
  }
  return exitCode;
}

async function lintOnce(files: readonly string[], options: LintFilesOptions, terminal: Terminal): Promise<ExitCode> {
  const { at, stdinFilename } = options;
  const outputs = reportOutputs(options);
  const linting = await loadLinting(options, terminal);
  if (linting.diagnostics.length + linting.failures.length > 0)
    return deliverReport({ ...linting, rules: [] }, { outputs, options, terminal });
  const found: LintedFiles = { sources: [], diagnostics: [], suppressed: [], failures: [] };
  const today = new Date().toISOString().slice(0, 10);
  const cache = options.cache ? cacheOf(linting, options, today) : undefined;
  const run = new LintRun(linting, options, { files, terminal, found, cache, today });
  const reading = { at, stdinFilename, targetOf: createTargeting(linting.settings), terminal };
  const fail = (failure: WorldError) => found.failures.push(failure);
  for await (const text of readPolicyTexts(files, reading, fail)) await run.lint(text);
  run.finish();
  const unsaved = await cache?.save();
  if (unsaved) fail(unsaved);
  const counted = await applyBaseline(found, options);
  const report: Report = {
    ...counted,
    rules: linting.rules.map(describeRule),
    ...(options.failOn && { failOn: options.failOn }),
  };
  const exitCode = await deliverReport(report, { outputs, options, terminal });
  return exitCode === EXIT.clean && hasTooManyWarnings(report, options, terminal) ? EXIT.findings : exitCode;
}

function cacheOf(linting: Linting, options: LintFilesOptions, today: string): LintCache {
  return new LintCache(options.cacheFile ?? CACHE_FILE, settingsKey(linting, options, today));
}

function hasTooManyWarnings({ diagnostics }: Report, { maxWarnings }: LintFilesOptions, terminal: Terminal): boolean {
  if (maxWarnings === undefined) return false;
  const found = diagnostics.filter(one => one.severity === 'warning').length;
  if (found <= maxWarnings) return false;
  terminal.writeError(`tollgate: found ${found} warnings, and \`--max-warnings\` allows ${maxWarnings}\n`);
  return true;
}
