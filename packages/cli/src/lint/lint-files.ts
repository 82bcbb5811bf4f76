import { statSync } from 'node:fs';
import { type Report, SourceText, type WorldError } from '@tollgate/diagnostics';
import { type ActiveRule, type Linter, lintWorkspace, type Summaries } from '@tollgate/lint';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { STANDARD_INPUT } from '../input/find-inputs.ts';
import { type PolicyText, readPolicyTexts } from '../input/policy-texts.ts';
import { deliverReport } from '../output/deliver-report.ts';
import { reportOutputs } from '../output/report-outputs.ts';
import { createTargeting } from '../settings/targeting.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';
import { applyBaseline } from './apply-baseline.ts';
import { BASELINE_FILE } from './baseline.ts';
import { createLinterChoice } from './choose-linter.ts';
import { fixKinds, fixPolicyText } from './fix-policy-text.ts';
import { CACHE_FILE, LintCache, settingsKey } from './lint-cache.ts';
import type { LintFilesOptions } from './lint-options.ts';
import { type LintedFiles, type LintedText, LintSession } from './lint-session.ts';
import { type Linting, loadLinting } from './load-linting.ts';
import { ruleSettings } from './rule-settings.ts';
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
  const { at } = options;
  const outputs = reportOutputs(options);
  const linting = await loadLinting(options, terminal);
  if (linting.diagnostics.length + linting.failures.length > 0)
    return deliverReport({ ...linting, rules: [] }, { outputs, options, terminal });
  const found: LintedFiles = { sources: [], diagnostics: [], suppressed: [], failures: [] };
  const today = new Date().toISOString().slice(0, 10);
  const cache = options.cache ? cacheOf(linting, options, today) : undefined;
  const run = new LintRun(linting, options, { terminal, found, cache, today });
  const reading = { at, targetOf: createTargeting(linting.settings), terminal };
  const fail = (failure: WorldError) => found.failures.push(failure);
  for await (const text of readPolicyTexts(files, reading, fail)) await run.lint(named(text, options));
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

/** The standard input under the name that it was given. */
function named(text: PolicyText, { stdinFilename }: LintFilesOptions): PolicyText {
  if (text.path !== STANDARD_INPUT || stdinFilename === undefined) return text;
  return { ...text, source: new SourceText(stdinFilename, text.source.text) };
}

function cacheOf(linting: Linting, options: LintFilesOptions, today: string): LintCache {
  return new LintCache(options.cacheFile ?? CACHE_FILE, settingsKey(linting, options, today));
}

interface RunContext {
  readonly terminal: Terminal;
  readonly found: LintedFiles;
  readonly cache: LintCache | undefined;
  readonly today: string;
}

/** What the texts of one run are linted with. */
class LintRun {
  readonly #linterOf: (path: string) => Linter | undefined;
  readonly #session: LintSession;
  readonly #options: LintFilesOptions;
  readonly #terminal: Terminal;
  readonly #found: LintedFiles;
  readonly #cache: LintCache | undefined;
  readonly #summaries: { readonly uri: string; readonly summaries: Summaries }[] = [];
  /** The lint rules that compare files, as they are in the last file that they run for. */
  readonly #comparing = new Map<string, ActiveRule>();

  constructor(linting: Linting, options: LintFilesOptions, { terminal, found, cache, today }: RunContext) {
    const { rules, lint, directory } = linting;
    const { ignore: _, ...all } = lint;
    const settings = ruleSettings(options, rules);
    const chosen = options.ignore === false ? all : lint;
    this.#linterOf = createLinterChoice({ rules, lint: chosen, directory, presets: options.preset, settings });
    this.#session = new LintSession({ today, ignoresSuppressions: options.suppressions === false });
    this.#options = options;
    this.#terminal = terminal;
    this.#found = found;
    this.#cache = cache;
  }

  async lint(text: PolicyText): Promise<void> {
    const linter = this.#linterOf(text.source.uri);
    if (!linter) return;
    const options = this.#options;
    const { source, diagnostics, suppressed, summaries } =
      fixKinds(options).length === 0
        ? { source: text.source, ...this.#lintCached(text, linter) }
        : await this.#mend(text, linter);
    this.#found.sources.push(source);
    this.#found.diagnostics.push(...diagnostics);
    this.#found.suppressed.push(...suppressed);
    this.#summaries.push({ uri: source.uri, summaries });
    for (const one of linter.active) if (one.rule.workspace) this.#comparing.set(one.rule.id, one);
  }

  /** Compares the files that were linted. */
  finish(): void {
    this.#found.diagnostics.push(...lintWorkspace(this.#summaries, [...this.#comparing.values()]));
  }

  #lintCached(text: PolicyText, linter: Linter): LintedText {
    const known = this.#cache?.get(text);
    if (known) return known;
    const linted = this.#session.lint(text, linter);
    this.#cache?.set(text, linted);
    return linted;
  }

  async #mend(text: PolicyText, linter: Linter) {
    const session = this.#session;
    const mended = await fixPolicyText(text, linter, { session, options: this.#options, terminal: this.#terminal });
    if (mended.failure) this.#found.failures.push(mended.failure);
    return mended;
  }
}

function hasTooManyWarnings({ diagnostics }: Report, { maxWarnings }: LintFilesOptions, terminal: Terminal): boolean {
  if (maxWarnings === undefined) return false;
  const found = diagnostics.filter(one => one.severity === 'warning').length;
  if (found <= maxWarnings) return false;
  terminal.writeError(`tollgate: found ${found} warnings, and \`--max-warnings\` allows ${maxWarnings}\n`);
  return true;
}
