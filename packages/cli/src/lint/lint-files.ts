// `tollgate lint`: files, then what is between them; once, or again after each change.

import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Diagnostic, ExternalError, Report, SourceText } from '@tollgate/diagnostics';
import { type ActiveRule, lintWorkspace } from '@tollgate/lint';
import { type EmbeddedPolicy, policyAt, rangeInFile } from '@tollgate/policy';
import { describeRule } from '@tollgate/reports';
import { findParts, type InputPart } from '../input/document-parts.ts';
import { POLICIES_AND_TESTS, STANDARD_INPUT } from '../input/find-inputs.ts';
import { settingsReport } from '../input/load-settings.ts';
import { orNoPolicy, reportSkipped } from '../input/policy-sources.ts';
import { selectInputs } from '../input/selected-files.ts';
import { deliverReport, distinctFindings, reportOutputs } from '../output/deliver-report.ts';
import { inThreads, revivedSource } from '../process/concurrency.ts';
import { defectMessage, EXIT, type ExitCode, type Failure, UsageError } from '../process/exit-code.ts';
import { printMessage, type Terminal } from '../process/terminal.ts';
import { createTimeout } from '../trust/run-with-timeout.ts';
import type { LintCache } from './lint-cache.ts';
import { BASELINE_FILE, CACHE_FILE, type LintFilesOptions } from './lint-options.ts';
import { type LintedPart, type LintWork, lintersOf, lintInputs, openCache, type SummarizedPolicy } from './lint-run.ts';
import { defectsIn, type LintedFiles } from './lint-session.ts';
import { type LintSetup, loadLinting } from './load-linting.ts';
import { LoadedModules } from './loaded-modules.ts';

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
  const { FolderWatch, foldersOf } = await import('../input/watch-paths.ts');
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  const named = foldersOf(files, name => statSync(name, { throwIfNoEntry: false })?.isDirectory() ?? false);
  const reports = reportOutputs(options).flatMap(output => output.file ?? []);
  const written = [...reports, options.baseline ?? BASELINE_FILE, options.cacheFile ?? CACHE_FILE];
  const watch = new FolderWatch(stop.signal, written);
  // Watch before the first run so that no change during it is missed.
  await watch.add([...named, '.', ...foldersOfSettings(await loadLinting(options, terminal, modules))]);
  let exitCode = (await lintOnce(files, options, { terminal, modules })).exitCode;
  while (await watch.next()) {
    modules.generation += 1;
    if (terminal.isInteractive) terminal.write('\u001b[2J\u001b[H');
    const last = await lintOnce(files, options, { terminal, modules });
    await watch.add(foldersOfSettings(last.linting));
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
  const delivered = await deliverReport(report, { outputs, options, terminal });
  const { inputs, skipped } = found;
  const exitCode = orNoPolicy(delivered, { inputs, skipped, allowEmpty: options.allowEmpty }, terminal);
  if (found.defects.length > 0) return reportInternalErrors(found.defects, terminal);
  return exitCode === EXIT.clean && hasTooManyWarnings(report, options, terminal) ? EXIT.findings : exitCode;
}

/** The findings of a run, and its files. */
interface LintedInputs extends LintedFiles {
  readonly inputs: readonly InputPart[];
  /** The files in which nothing was found. */
  readonly skipped: readonly string[];
}

/** Lints the files that arguments name, and compares them. */
async function lintAll(
  linting: LintSetup,
  names: readonly string[],
  options: LintFilesOptions,
  terminal: Terminal,
): Promise<LintedInputs> {
  const unread: ExternalError[] = [];
  const today = dayOf(new Date());
  const cache = options.cache ? await openCache(linting, options, today) : undefined;
  const all = await findParts(names, unread, POLICIES_AND_TESTS);
  const inputs = await selectInputs(all, { options, loaded: linting, terminal });
  const here = () => lintInputs(inputs, { linting, options, names, terminal, cache, today });
  const work: LintWork = { ...options, names, today };
  const parts = await inThreads({ command: 'lint', options: work, inputs, here, revive }, terminal);
  const skipped = parts.flatMap(one => one.skipped);
  if (options.verbose) reportSkipped(skipped, 'neither a policy nor tests', terminal);
  const compared = await compareFiles(parts, linting, options);
  const failures = [...unread, ...parts.flatMap(one => one.failures)];
  const unsaved = await saveCache(cache, parts);
  return {
    ...{ inputs, skipped },
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
  const { applyBaseline } = await import('./baseline.ts');
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

/** Runs the lint rules that compare files, as configured for the last file. */
async function compareFiles(
  parts: readonly LintedPart[],
  linting: LintSetup,
  options: LintFilesOptions,
): Promise<Pick<LintedFiles, 'diagnostics' | 'defects'>> {
  const summarized = parts.flatMap(one => one.summaries);
  if (summarized.length === 0) return { diagnostics: [], defects: [] };
  const runWithTimeout = createTimeout(options.ruleTimeout);
  const linterOf = lintersOf(linting, options, runWithTimeout);
  const comparing = new Map<string, ActiveRule>();
  for (const { file } of summarized)
    for (const one of linterOf(file)?.active ?? []) if (one.rule.workspace) comparing.set(one.rule.id, one);
  const { found, failures } = lintWorkspace(summarized, [...comparing.values()], runWithTimeout);
  const embedded = await embeddedIn(found, summarized, { sources: parts.flatMap(one => one.sources), linting });
  return { diagnostics: found.map(one => comparedInFile(embedded, one)), defects: [...defectsIn(failures)] };
}

/** Returns the policies in findings whose documents are not whole files, by the names of the documents. */
async function embeddedIn(
  found: readonly Diagnostic[],
  summarized: readonly SummarizedPolicy[],
  { sources, linting }: { readonly sources: readonly SourceText[]; readonly linting: LintSetup },
): Promise<ReadonlyMap<string, EmbeddedPolicy>> {
  const named = new Set(found.flatMap(({ uri, related = [] }) => [uri, ...related.map(one => one.uri)]));
  const embedded = new Map<string, EmbeddedPolicy>();
  for (const { uri, file, path } of summarized) {
    const source = named.has(uri) && uri !== file ? sources.find(one => one.uri === file) : undefined;
    if (source) embedded.set(uri, policyAt(source, path, await linting.embeddedSettings(file)));
  }
  return embedded;
}

/** Returns a finding about several files with all its locations in files. */
function comparedInFile(embedded: ReadonlyMap<string, EmbeddedPolicy>, found: Diagnostic): Diagnostic {
  const { related, ...rest } = found;
  const inFile = <T extends Pick<Diagnostic, 'uri' | 'range'>>(one: T): T => {
    const policy = embedded.get(one.uri);
    return policy ? { ...one, uri: policy.file.uri, range: rangeInFile(policy, one.range) } : one;
  };
  return { ...inFile(rest), ...(related && { related: related.map(inFile) }) };
}
