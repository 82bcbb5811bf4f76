import { choosePaint, type ExternalError, textReport } from '@tollgate/diagnostics';
import { selectInputs } from '../changes/selected-files.ts';
import { inThreads, revivedSource } from '../concurrency/in-threads.ts';
import { STANDARD_INPUT } from '../input/find-inputs.ts';
import { findParts } from '../input/find-parts.ts';
import { reportSkipped } from '../input/policy-sources.ts';
import { EXIT, type ExitCode, exitOfFailures } from '../process/exit-code.ts';
import { printMessage, reportStyle, type Terminal } from '../process/terminal.ts';
import { loadSettings, reportSettings } from '../settings/load-settings.ts';
import { type FormatFilesOptions, type FormatOutcome, type FormattedFiles, formatInputs } from './format-inputs.ts';

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
  if (options.verbose)
    reportSkipped(
      formatted.flatMap(one => one.skipped),
      'no policy',
      terminal,
    );
  reportRefused(outcomes, terminal);
  // If the policy goes to standard output, nothing else does.
  if (!inputs.some(({ path }) => path === STANDARD_INPUT) && outcomes.length > 0 && !options.diff) {
    const paint = choosePaint(terminal.isInteractive, terminal.env);
    terminal.write(`${paint('strong', summary(outcomes, options))}\n`);
  }
  for (const failure of failed) printMessage(terminal, failure.message);
  if (failed.length > 0) return exitOfFailures(failed);
  const isFinding = ({ kind }: FormatOutcome) => kind === 'refused' || (kind === 'changed' && isDry(options));
  return outcomes.some(isFinding) ? EXIT.findings : EXIT.clean;
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
