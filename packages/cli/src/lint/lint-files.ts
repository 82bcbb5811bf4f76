import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ExternalError, Report } from '@tollgate/diagnostics';
import { selectInputs } from '../changes/selected-files.ts';
import { describeRule } from '../codes/rule-description.ts';
import { inThreads, revivedSource } from '../concurrency/in-threads.ts';
import { distinctFindings } from '../input/distinct-findings.ts';
import { POLICIES_AND_TESTS, STANDARD_INPUT } from '../input/find-inputs.ts';
import { findParts } from '../input/find-parts.ts';
import { reportSkipped } from '../input/policy-sources.ts';
import { deliverReport } from '../output/deliver-report.ts';
import { reportOutputs } from '../output/report-outputs.ts';
import { EXIT, type ExitCode, type Failure } from '../process/exit-code.ts';
import { defectMessage } from '../process/internal-error-message.ts';
import { printMessage, type Terminal } from '../process/terminal.ts';
import { UsageError } from '../process/usage-error.ts';
import { settingsReport } from '../settings/load-settings.ts';
import { compareFiles } from './compare-files.ts';
import type { LintCache } from './lint-cache.ts';
import { type LintedPart, type LintWork, lintInputs, openCache } from './lint-inputs.ts';
import { type LintSetup, loadLinting } from './loading/load-linting.ts';
import { LoadedModules } from './loading/loaded-modules.ts';
import { BASELINE_FILE, CACHE_FILE, type LintFilesOptions } from './session/lint-options.ts';
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

interface WatchContext {
  readonly terminal: Terminal;
  readonly modules: LoadedModules;
}

/** Lints until interrupted, whenever a linted file or the settings change. */
async function watchFiles(
  files: readonly string[],
  options: LintFilesOptions,
  { terminal, modules }: WatchContext,
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
  { terminal, modules }: WatchContext,
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
  names: readonly string[],
  options: LintFilesOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const outputs = reportOutputs(options);
  const found = await lintAll(linting, names, options, terminal);
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

/** Lints the files that arguments name, and compares them. */
async function lintAll(
  linting: LintSetup,
  names: readonly string[],
  options: LintFilesOptions,
  terminal: Terminal,
): Promise<LintedFiles> {
  const unread: ExternalError[] = [];
  const today = dayOf(new Date());
  const cache = options.cache ? await openCache(linting, options, today) : undefined;
  const all = await findParts(names, unread, POLICIES_AND_TESTS);
  const inputs = await selectInputs(all, { options, loaded: linting, terminal });
  const here = () => lintInputs(inputs, { linting, options, names, terminal, cache, today });
  const work: LintWork = { ...options, names, today };
  const parts = await inThreads({ command: 'lint', options: work, inputs, here, revive }, terminal);
  if (options.verbose)
    reportSkipped(
      parts.flatMap(one => one.skipped),
      'neither a policy nor tests',
      terminal,
    );
  const compared = await compareFiles(parts, linting, options);
  const failures = [...unread, ...parts.flatMap(one => one.failures)];
  const unsaved = await saveCache(cache, parts);
  return {
    sources: parts.flatMap(one => one.sources),
    diagnostics: [...distinctFindings(parts.flatMap(one => one.diagnostics)), ...compared.diagnostics],
    suppressed: parts.flatMap(one => one.suppressed),
    failures: unsaved ? [...failures, unsaved] : failures,
    defects: [...parts.flatMap(one => one.defects), ...compared.defects],
  };
}

function revive(part: LintedPart): LintedPart {
  return { ...part, sources: part.sources.map(revivedSource) };
}

async function saveCache(cache: LintCache | undefined, parts: readonly LintedPart[]): Promise<Failure | undefined> {
  for (const { remembered } of parts) cache?.add(remembered);
  return cache?.save(parts.map(one => one.modules));
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
