// `tollgate fmt`.

import { formatDocument } from '@tollgate/core/documents';
import { createTargeting, targetOfEmbedded } from '@tollgate/core/targeting';
import {
  choosePaint,
  type Diagnostic,
  type ExternalError,
  type Paint,
  printable,
  SourceText,
  textReport,
  unifiedDiff,
} from '@tollgate/diagnostics';
import { type EmbeddedPolicy, findingsInFile, type PartPath, policyAt, rewriteInFile } from '@tollgate/policy';
import { findParts, type InputPart } from '../input/document-parts.ts';
import { STANDARD_INPUT } from '../input/find-inputs.ts';
import type { ChangeOptions, SettingsOptions } from '../input/input-options.ts';
import { type LoadedSettings, loadSettings, reportSettings } from '../input/load-settings.ts';
import { orNoPolicy, policiesIn, reportSkipped } from '../input/policy-sources.ts';
import { readSource } from '../input/read-source.ts';
import { selectInputs } from '../input/selected-files.ts';
import { inThreads, revivedSource } from '../process/concurrency.ts';
import { EXIT, type ExitCode, exitOfFailures, type Failure } from '../process/exit-code.ts';
import { withProgress } from '../process/progress-line.ts';
import { printMessage, reportStyle, type Terminal } from '../process/terminal.ts';
import type { ConcurrencyOption } from '../process/thread-messages.ts';
import { replaceFile } from '../trust/replace-file.ts';
import { catchInternalError, checkRewrite } from './check-rewrite.ts';

/** Formats the files, or shows what would change. A file that cannot be read or written does not stop the others. */
export async function formatFiles(
  files: readonly string[],
  options: FormatFilesOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const loaded = await loadSettings(options, terminal);
  if (loaded.diagnostics.length + loaded.failures.length > 0) return reportSettings(loaded, terminal);
  const unreadable: ExternalError[] = [];
  const found = await findParts(files, unreadable);
  const inputs = await selectInputs(found, { options, loaded, terminal });
  const here = () => formatInputs(inputs, { options, loaded, terminal });
  const formatted = await inThreads({ command: 'fmt', options, inputs, here, revive }, terminal);
  const outcomes = formatted.flatMap(one => one.outcomes);
  const failed = [...unreadable, ...formatted.flatMap(one => one.failures)];
  const skipped = formatted.flatMap(one => one.skipped);
  if (options.verbose) reportSkipped(skipped, 'no policy', terminal);
  reportRefused(outcomes, terminal);
  // If the policy goes to standard output, nothing else does.
  if (!inputs.some(({ path }) => path === STANDARD_INPUT) && outcomes.length > 0 && !options.diff) {
    const paint = choosePaint(terminal.isInteractive, terminal.env);
    terminal.write(`${paint('strong', summary(outcomes, options))}\n`);
  }
  for (const failure of failed) printMessage(terminal, failure.message);
  if (failed.length > 0) return exitOfFailures(failed);
  const isFinding = ({ kind }: FormatOutcome) => kind === 'refused' || (kind === 'changed' && isDry(options));
  const exitCode = outcomes.some(isFinding) ? EXIT.findings : EXIT.clean;
  return orNoPolicy(exitCode, { inputs, skipped, allowEmpty: options.allowEmpty }, terminal);
}

function revive({ outcomes, ...rest }: FormattedFiles): FormattedFiles {
  return { ...rest, outcomes: outcomes.map(one => ({ ...one, source: revivedSource(one.source) })) };
}

function isDry({ check, diff }: FormatFilesOptions): boolean {
  return check === true || diff === true;
}

function reportRefused(outcomes: readonly FormatOutcome[], terminal: Terminal): void {
  const refused = outcomes.filter(({ kind }) => kind === 'refused');
  if (refused.length === 0) return;
  const diagnostics = refused.flatMap(outcome => outcome.diagnostics);
  terminal.writeError(textReport({ sources: refused.map(({ source }) => source), diagnostics }, reportStyle(terminal)));
}

/** `2 files formatted, 1 refused, 5 unchanged`. */
function summary(outcomes: readonly FormatOutcome[], options: FormatFilesOptions): string {
  const count = (kind: FormatOutcome['kind']) => outcomes.filter(outcome => outcome.kind === kind).length;
  const changed = isDry(options) ? 'to be formatted' : 'formatted';
  const counts = [
    [count('changed'), changed],
    [count('refused'), 'refused'],
    [count('unchanged'), 'unchanged'],
  ] as const;
  const [first, ...others] = counts.filter(([number]) => number > 0).map(([number, what]) => ({ number, what }));
  const files = first!.number === 1 ? 'file' : 'files';
  return [`${first!.number} ${files} ${first!.what}`, ...others.map(({ number, what }) => `${number} ${what}`)].join(
    ', ',
  );
}

/** The options of `tollgate fmt`. */
export interface FormatFilesOptions extends SettingsOptions, ChangeOptions, ConcurrencyOption {
  readonly lineWidth: number;
  readonly check?: true;
  readonly diff?: true;
  /** Path of the policies in files that are named without one. */
  readonly at?: PartPath;
  /** Names the files in which no policy was found. */
  readonly verbose?: true;
  /** Succeeds even if no file contains a policy. */
  readonly allowEmpty?: boolean;
}

/** The result for one file. */
interface FormatOutcome {
  readonly kind: 'unchanged' | 'changed' | 'refused';
  readonly source: SourceText;
  readonly diagnostics: readonly Diagnostic[];
}

/** The results for some files. */
interface FormattedFiles {
  readonly outcomes: readonly FormatOutcome[];
  readonly failures: readonly Failure[];
  /** The files in which no policy was found. */
  readonly skipped: readonly string[];
}

/** Loads the settings and returns a function that formats files. */
export async function prepareFormat(options: FormatFilesOptions, terminal: Terminal) {
  const loaded = await loadSettings(options, terminal);
  return (inputs: readonly InputPart[]) => formatInputs(inputs, { options, loaded, terminal });
}

/** The options and settings of a run. */
interface FormatContext {
  readonly options: FormatFilesOptions;
  readonly loaded: LoadedSettings;
  readonly terminal: Terminal;
}

/** Formats files, or shows what would change. A file that cannot be read or written does not stop the others. */
async function formatInputs(
  inputs: readonly InputPart[],
  { options, loaded, terminal }: FormatContext,
): Promise<FormattedFiles> {
  const formatter = new Formatter(options, loaded, terminal);
  const outcomes: FormatOutcome[] = [];
  const failures: Failure[] = [];
  const skipped: string[] = [];
  for (const input of withProgress(inputs, terminal)) {
    const outcome = await formatter.format(input);
    if (outcome instanceof Error) failures.push(outcome);
    else if (outcome) outcomes.push(outcome);
    else skipped.push(input.path);
  }
  return { outcomes, failures, skipped };
}

/** A file with a formatted policy, or why it cannot be formatted. */
type FormattedFile =
  | { readonly file: SourceText; readonly refused?: undefined }
  | { readonly refused: readonly Diagnostic[] };

class Formatter {
  readonly #paint: Paint;
  readonly #options: FormatFilesOptions;
  readonly #terminal: Terminal;
  /** All profiles have the same layout, but different keys. */
  readonly #targetOf: ReturnType<typeof createTargeting>;
  readonly #embeddedSettings: LoadedSettings['embeddedSettings'];

  constructor(options: FormatFilesOptions, { settings, embeddedSettings }: LoadedSettings, terminal: Terminal) {
    this.#options = options;
    this.#targetOf = createTargeting(settings);
    this.#embeddedSettings = embeddedSettings;
    this.#terminal = terminal;
    this.#paint = choosePaint(terminal.isInteractive, terminal.env);
  }

  /** Undefined for a file in a directory that contains no policy. */
  async format(input: InputPart): Promise<FormatOutcome | Failure | undefined> {
    const { path } = input;
    const source = await readSource(path, this.#terminal);
    if (source instanceof Error) return source;
    const found = await policiesIn(source, input, { at: this.#options.at, embeddedSettings: this.#embeddedSettings });
    if (found instanceof Error) return found;
    const { kind, policies } = found;
    if (kind === 'other' || (input.isFound && kind !== 'policy')) return undefined;
    let file = source;
    for (const policy of policies) {
      const formatted = await this.#formatPolicy(file, policy);
      if (formatted instanceof Error) return formatted;
      if (formatted.refused) return { kind: 'refused', source: file, diagnostics: formatted.refused };
      file = formatted.file;
    }
    const failure = await this.#deliver(path, source, file.text);
    return failure ?? { kind: file.text === source.text ? 'unchanged' : 'changed', source, diagnostics: [] };
  }

  /** Returns the file with one of its policies formatted. Terraform has a formatter of its own; templates depend on their indentation. */
  async #formatPolicy(file: SourceText, { path, layers }: EmbeddedPolicy): Promise<FormattedFile | Failure> {
    if (layers.some(({ style }) => style === 'hcl-object' || style === 'template')) return { file };
    const embeddedSettings = await this.#embeddedSettings(file.uri);
    const policy = policyAt(file, path, embeddedSettings);
    const target = targetOfEmbedded(policy, this.#targetOf);
    if (target instanceof Error) return target;
    const { source, part } = policy;
    const { lineWidth } = this.#options;
    const formatted = catchInternalError(file.uri, () => formatDocument({ source, target, part }, lineWidth));
    if (formatted instanceof Error) return formatted;
    const { text, diagnostics } = formatted;
    if (text === undefined) return { refused: findingsInFile(policy, diagnostics) };
    const broken = await checkRewrite(
      { before: source, after: new SourceText(source.uri, text) },
      { kind: 'format', target },
    );
    if (broken) return broken;
    const { file: rewritten, refusal } = rewriteInFile(policy, text, embeddedSettings);
    return rewritten ? { file: rewritten } : { refused: findingsInFile(policy, [refusal]) };
  }

  async #deliver(path: string, { uri, text: before }: SourceText, text: string): Promise<ExternalError | undefined> {
    const isChanged = text !== before;
    if (this.#options.diff) this.#terminal.write(unifiedDiff({ name: uri, before, after: text }, this.#paint));
    else if (this.#options.check) this.#terminal.write(isChanged ? `${printable(uri)}\n` : '');
    else if (path === STANDARD_INPUT) this.#terminal.write(text);
    else if (isChanged) {
      const failure = await replaceFile(path, text);
      if (!failure) this.#terminal.write(`${printable(uri)}\n`);
      return failure;
    }
    return undefined;
  }
}
