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
import type { ChangeOptions } from '../changes/change-options.ts';
import { selectedFiles } from '../changes/selected-files.ts';
import { STANDARD_INPUT } from '../input/find-inputs.ts';
import { findParts, type InputPart } from '../input/find-parts.ts';
import { policiesIn, reportSkipped } from '../input/policy-sources.ts';
import { readSource } from '../input/read-source.ts';
import { replaceFile } from '../output/replace-file.ts';
import { EXIT, type ExitCode, exitOfFailures, type Failure } from '../process/exit-code.ts';
import { withProgress } from '../process/progress-line.ts';
import { printMessage, reportStyle, type Terminal } from '../process/terminal.ts';
import { checkRewrite, fenced } from '../rewrite/check-rewrite.ts';
import { type LoadedSettings, loadSettings, reportSettings } from '../settings/load-settings.ts';
import type { SettingsOptions } from '../settings/settings-options.ts';

/** The options of `tollgate fmt`. */
export interface FormatFilesOptions extends SettingsOptions, ChangeOptions {
  readonly lineWidth: number;
  readonly check?: true;
  readonly diff?: true;
  /** Path of the policies in files that are named without one. */
  readonly at?: PartPath;
  /** Names the files in which no policy was found. */
  readonly verbose?: true;
}

/** The result for one file. */
interface Outcome {
  readonly kind: 'unchanged' | 'changed' | 'refused';
  readonly source: SourceText;
  readonly diagnostics: readonly Diagnostic[];
}

/** Formats the files, or shows what would change. A file that cannot be read or written does not stop the others. */
export async function formatFiles(
  files: readonly string[],
  options: FormatFilesOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const loaded = await loadSettings(options, terminal);
  if (loaded.diagnostics.length + loaded.failures.length > 0) return reportSettings(loaded, terminal);
  const unreadable: ExternalError[] = [];
  const outcomes: Outcome[] = [];
  const formatter = new Formatter(options, loaded, terminal);
  const isSelected = (await selectedFiles(options, loaded, terminal)) ?? (() => true);
  const inputs = (await findParts(files, unreadable)).filter(({ path }) => isSelected(path));
  const failed: Failure[] = [...unreadable];
  const skippedRecord: string[] = [];
  for (const input of withProgress(inputs, terminal)) {
    const outcome = await formatter.format(input);
    if (outcome instanceof Error) failed.push(outcome);
    else if (outcome) outcomes.push(outcome);
    else skippedRecord.push(input.path);
  }
  if (options.verbose) reportSkipped(skippedRecord, 'no policy', terminal);
  reportRefused(outcomes, terminal);
  // If the policy goes to standard output, nothing else does.
  if (!inputs.some(({ path }) => path === STANDARD_INPUT) && outcomes.length > 0 && !options.diff) {
    terminal.write(`${formatter.paint('strong', summary(outcomes, options))}\n`);
  }
  for (const failure of failed) printMessage(terminal, failure.message);
  if (failed.length > 0) return exitOfFailures(failed);
  const isFinding = ({ kind }: Outcome) => kind === 'refused' || (kind === 'changed' && isDry(options));
  return outcomes.some(isFinding) ? EXIT.findings : EXIT.clean;
}

/** A file with a formatted policy, or why it cannot be formatted. */
type FormattedFile =
  | { readonly file: SourceText; readonly refused?: undefined }
  | { readonly refused: readonly Diagnostic[] };

class Formatter {
  readonly paint: Paint;
  readonly #options: FormatFilesOptions;
  readonly #terminal: Terminal;
  /** All profiles have the same layout, but different keys. */
  readonly #targetOf: ReturnType<typeof createTargeting>;
  readonly #carriers: LoadedSettings['carriers'];

  constructor(options: FormatFilesOptions, { settings, carriers }: LoadedSettings, terminal: Terminal) {
    this.#options = options;
    this.#targetOf = createTargeting(settings);
    this.#carriers = carriers;
    this.#terminal = terminal;
    this.paint = choosePaint(terminal.isInteractive, terminal.env);
  }

  /** Undefined for a file in a directory that contains no policy. */
  async format(input: InputPart): Promise<Outcome | Failure | undefined> {
    const { path } = input;
    const source = await readSource(path, this.#terminal);
    if (source instanceof Error) return source;
    const { kind, policies } = await policiesIn(source, input, { at: this.#options.at, carriers: this.#carriers });
    if (input.isFound && kind !== 'policy') return undefined;
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
    const carriers = await this.#carriers(file.uri);
    const policy = policyAt(file, path, carriers);
    const target = targetOfEmbedded(policy, this.#targetOf);
    if (target instanceof Error) return target;
    const { source, part } = policy;
    const { lineWidth } = this.#options;
    const formatted = fenced(file.uri, () => formatDocument({ source, target, part }, lineWidth));
    if (formatted instanceof Error) return formatted;
    const { text, diagnostics } = formatted;
    if (text === undefined) return { refused: findingsInFile(policy, diagnostics) };
    const broken = await checkRewrite(
      { before: source, after: new SourceText(source.uri, text) },
      { kind: 'format', target },
    );
    if (broken) return broken;
    const { file: rewritten, refusal } = rewriteInFile(policy, text, carriers);
    return rewritten ? { file: rewritten } : { refused: findingsInFile(policy, [refusal]) };
  }

  async #deliver(path: string, { uri, text: before }: SourceText, text: string): Promise<ExternalError | undefined> {
    const isChanged = text !== before;
    if (this.#options.diff) this.#terminal.write(unifiedDiff({ name: uri, before, after: text }, this.paint));
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

function isDry({ check, diff }: FormatFilesOptions): boolean {
  return check === true || diff === true;
}

function reportRefused(outcomes: readonly Outcome[], terminal: Terminal): void {
  const refused = outcomes.filter(({ kind }) => kind === 'refused');
  if (refused.length === 0) return;
  const diagnostics = refused.flatMap(outcome => outcome.diagnostics);
  terminal.writeError(textReport({ sources: refused.map(({ source }) => source), diagnostics }, reportStyle(terminal)));
}

/** `2 files formatted, 1 refused, 5 unchanged`. */
function summary(outcomes: readonly Outcome[], options: FormatFilesOptions): string {
  const count = (kind: Outcome['kind']) => outcomes.filter(outcome => outcome.kind === kind).length;
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
