import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { createTargeting } from '@tollgate/core/targeting';
import type { ExternalError, Report } from '@tollgate/diagnostics';
import { selectedFiles } from '../changes/selected-files.ts';
import { describeRule } from '../codes/rule-description.ts';
import { STANDARD_INPUT } from '../input/find-inputs.ts';
import { readPolicySources } from '../input/policy-sources.ts';
import { deliverReport } from '../output/deliver-report.ts';
import { reportOutputs } from '../output/report-outputs.ts';
import { EXIT, type ExitCode } from '../process/exit-code.ts';
import { defectMessage } from '../process/internal-error-message.ts';
import { printMessage, type Terminal } from '../process/terminal.ts';
import { UsageError } from '../process/usage-error.ts';
import { settingsReport } from '../settings/load-settings.ts';
import type { LintCache } from './lint-cache.ts';
import { LintRun } from './lint-run.ts';
import { type LintSetup, loadLinting } from './loading/load-linting.ts';
import { LoadedModules } from './loading/loaded-modules.ts';
import { BASELINE_FILE, CACHE_FILE, fixKinds, type LintFilesOptions } from './session/lint-options.ts';
import type { LintedFiles } from './session/lint-session.ts';

/** Lints the files and writes the reports. Unreadable files do not stop the run. */
export async function lintFiles(
  files: readonly string[],
  options: LintFilesOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  if (options.traffic && !options.unsafeFixes)
    throw new UsageError('`--traffic` has no effect without `--unsafe-fixes`');
  const modules = new LoadedModules();
  try {
    if (options.watch) return await watchFiles(files, options, { terminal, modules });
    return (await lintOnce(files, options, { terminal, modules })).exitCode;
  } finally {
    modules.end();
  }
}

interface LintContext {
  readonly terminal: Terminal;
  readonly modules: LoadedModules;
}

/** Lints until interrupted, whenever a linted file or the settings change. */
async function watchFiles(
  files: readonly string[],
  options: LintFilesOptions,
  { terminal, modules }: LintContext,
): Promise<ExitCode> {
  if (files.includes(STANDARD_INPUT)) throw new UsageError('`--watch` does not support standard input');
  const { FolderWatch, foldersOf } = await import('./watch-paths.ts');
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  const named = foldersOf(files, name => statSync(name, { throwIfNoEntry: false })?.isDirectory() ?? false);
  const reports = reportOutputs(options).flatMap(output => output.file ?? []);
  const written = [...reports, options.baseline ?? BASELINE_FILE, options.cacheFile ?? CACHE_FILE];
  const watch = new FolderWatch(stop.signal, written);
  // Watch before the first run so that no change during it is missed.
  watch.add([...named, '.', ...foldersOfSettings(await loadLinting(options, terminal, modules))]);
  let exitCode = (await lintOnce(files, options, { terminal, modules })).exitCode;
  while (await watch.next()) {
    modules.generation += 1;
    if (terminal.isInteractive) terminal.write('\u001b[2J\u001b[H');
    const last = await lintOnce(files, options, { terminal, modules });
    watch.add(foldersOfSettings(last.linting));
    exitCode = last.exitCode;
  }
  return exitCode;
}

function foldersOfSettings({ sources, modules }: LintSetup): readonly string[] {
  return [...sources.map(({ uri }) => uri), ...modules.paths].map(path => dirname(path));
}

/** The result and the settings of one run. */
interface LintOutcome {
  readonly exitCode: ExitCode;
  readonly linting: LintSetup;
}

async function lintOnce(
  files: readonly string[],
  options: LintFilesOptions,
  { terminal, modules }: LintContext,
): Promise<LintOutcome> {
  const linting = await loadLinting(options, terminal, modules);
  if (linting.diagnostics.length + linting.failures.length === 0)
    return { exitCode: await lintBy(linting, files, options, terminal), linting };
  const outputs = reportOutputs(options);
  return {
    exitCode: await deliverReport({ ...settingsReport(linting), rules: [] }, { outputs, options, terminal }),
    linting,
  };
}

async function lintBy(
  linting: LintSetup,
  files: readonly string[],
  options: LintFilesOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { at, stdinFilename } = options;
  const outputs = reportOutputs(options);
  const found: LintedFiles = { sources: [], diagnostics: [], suppressed: [], failures: [], defects: [] };
  const today = dayOf(new Date());
  const cache = options.cache ? await cacheOf(linting, options, today) : undefined;
  const run = new LintRun(linting, options, { files, terminal, found, cache, today });
  const reading = {
    ...{ at, stdinFilename, verbose: options.verbose, carriers: linting.carriers, terminal },
    ...{ targetOf: createTargeting(linting.settings), isChanging: fixKinds(options).length > 0 },
    isSelected: await selectedFiles(options, linting, terminal),
  };
  const fail = (failure: ExternalError) => found.failures.push(failure);
  for await (const text of readPolicySources(files, reading, fail)) await run.lint(text);
  run.finish();
  const unsaved = await cache?.save(linting.modules.state);
  if (unsaved) fail(unsaved);
  const counted = await withoutBaseline(found, options);
  const report: Report = {
    ...counted,
    ...(outputs.some(output => output.format === 'sarif') && { rules: linting.rules.map(describeRule) }),
    ...(options.failOn && { failOn: options.failOn }),
  };
  const exitCode = await deliverReport(report, { outputs, options, terminal });
  if (found.defects.length > 0) return reportInternalErrors(found.defects, terminal);
  return exitCode === EXIT.clean && hasTooManyWarnings(report, options, terminal) ? EXIT.findings : exitCode;
}

/** Returns the UTC date, such as `2027-01-01`. */
function dayOf(time: Date): string {
  const parts = [time.getUTCFullYear(), time.getUTCMonth() + 1, time.getUTCDate()];
  return parts.map(part => String(part).padStart(2, '0')).join('-');
}

/** Returns the findings that are not in the baseline. */
async function withoutBaseline(found: LintedFiles, options: LintFilesOptions): Promise<LintedFiles> {
  const { baseline, writeBaseline } = options;
  if (baseline === undefined && !writeBaseline && !existsSync(BASELINE_FILE)) return found;
  const { applyBaseline } = await import('./baseline/apply-baseline.ts');
  return applyBaseline(found, options);
}

async function cacheOf(linting: LintSetup, options: LintFilesOptions, today: string): Promise<LintCache> {
  const { LintCache, settingsKey } = await import('./lint-cache.ts');
  return new LintCache(options.cacheFile ?? CACHE_FILE, {
    settings: settingsKey(linting, options, today),
    modules: linting.modules.state,
  });
}

/** Reports internal errors after the findings. */
function reportInternalErrors(defects: readonly unknown[], terminal: Terminal): ExitCode {
  for (const defect of defects) terminal.writeError(defectMessage(defect));
  return EXIT.internal;
}

function hasTooManyWarnings({ diagnostics }: Report, { maxWarnings }: LintFilesOptions, terminal: Terminal): boolean {
  if (maxWarnings === undefined) return false;
  const found = diagnostics.filter(diagnostic => diagnostic.severity === 'warning').length;
  if (found <= maxWarnings) return false;
  printMessage(terminal, `found ${found} warnings, but \`--max-warnings\` allows ${maxWarnings}`);
  return true;
}
