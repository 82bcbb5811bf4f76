// Reports a replay while it runs and at its end.

import { type ExternalError, jsonText, type Report, type Reporter, textReport } from '@tollgate/diagnostics';
import {
  csvReplay,
  DECISION_HEAD,
  decisionLine,
  decisionRow,
  fieldsOption,
  type ReplayResult,
  type RuleNames,
  textReplay,
} from '@tollgate/reports';
import type { Decided, ReplayOptions, ReplayWatch, Route } from '@tollgate/simulator';
import { type Exchange, nothingRead } from '@tollgate/traffic';
import { deliverReport, outputsOf, type ReportOutput } from '../output/deliver-report.ts';
import { EXIT, type ExitCode, exitOfFailures } from '../process/exit-code.ts';
import { printMessage, reportStyle, type Terminal } from '../process/terminal.ts';
import { limitYoungGenerationOfReplay } from '../process/v8-heap-flags.ts';
import { FileReplacement, replaceFile } from '../trust/replace-file.ts';
import { openProgress, type Progress } from './progress.ts';
import { REPLAY_FORMATS, type ReplayFormat, type ReportArguments } from './replay-options.ts';

/** The formats that are written at the end. */
type WholeFormat = Exclude<ReplayFormat, DecisionFormat>;

/** Reports a replay in all requested formats, while it runs and at its end. */
export class ReplayReporting {
  readonly #args: ReportArguments;
  readonly #terminal: Terminal;
  readonly #outputs: readonly ReportOutput<ReplayFormat>[];
  #decisions: DecisionOutputs | undefined;

  /** Throws a `UsageError` for formats that cannot be combined. */
  constructor(args: ReportArguments, terminal: Terminal) {
    this.#args = args;
    this.#terminal = terminal;
    this.#outputs = outputsOf(args, REPLAY_FORMATS);
  }

  /** Reports policies with errors in the formats that can express them; on standard error if none can. */
  async refuse(report: Report): Promise<ExitCode> {
    const outputs = this.#outputs.flatMap(({ format, file }) =>
      format === 'csv' || format === 'decisions' || format === 'html' ? [] : [{ format, file }],
    );
    const { paint, width } = reportStyle(this.#terminal);
    if (outputs.length === 0) this.#terminal.writeError(textReport(report, { paint, width }));
    const options = { ...(this.#args.quiet && { quiet: this.#args.quiet }) };
    await deliverReport(report, { outputs, options, terminal: this.#terminal });
    return EXIT.findings;
  }

  /** Runs a replay with progress and decisions. */
  async during<Summary>(
    { options, namesOf }: { readonly options: ReplayOptions; readonly namesOf: NamesOf },
    run: (options: ReplayOptions) => Promise<Summary>,
  ): Promise<Summary> {
    const decisions = new DecisionOutputs(this.#outputs, this.#terminal);
    this.#decisions = decisions;
    const progress = await this.#progress(options.files);
    const watch: ReplayWatch = {
      ...(!decisions.isEmpty && { decided: (exchange, decided) => decisions.add(exchange, decided, namesOf) }),
      read: exchanges => {
        progress?.replayed(exchanges);
        return decisions.isEmpty ? undefined : decisions.flush();
      },
    };
    const traffic = { ...options.traffic, ...(progress && { onBytes: (bytes: number) => progress.read(bytes) }) };
    const limiting = setInterval(limitYoungGenerationOfReplay, 20);
    try {
      return await run({ ...options, traffic, watch, breakdown: { top: this.#args.top } });
    } catch (error) {
      await decisions.abandon();
      throw error;
    } finally {
      clearInterval(limiting);
      progress?.clear();
    }
  }

  /** Returns the progress line if standard error is a terminal and no decisions go to the terminal. */
  async #progress(files: readonly string[]): Promise<Progress | undefined> {
    const streams = this.#outputs.some(({ format, file }) => isDecisionFormat(format) && file === undefined);
    const isHidden = this.#args.quiet === true || (streams && this.#terminal.isInteractive);
    return openProgress({ files, progress: this.#args.progress && !isHidden }, this.#terminal);
  }

  /** Writes all reports, and prints what could not be read or written. */
  async finish(answer: ReplayResult): Promise<ExitCode> {
    const failures: (ExternalError | undefined)[] = [];
    for (const { format, file } of this.#outputs)
      if (!isDecisionFormat(format)) failures.push(await this.#write(answer, format, file));
    failures.push(...((await this.#decisions?.finish(answer)) ?? []));
    const unread = answer.traffic.files.flatMap(({ failure }) => failure ?? []);
    const unwritten = failures.filter(failure => failure !== undefined);
    for (const { message } of [...unread, ...unwritten]) printMessage(this.#terminal, message);
    if (unread.length > 0) return EXIT.external;
    const empty = this.#args.allowEmpty || answer.traffic.isPartial ? [] : emptyInputs(answer);
    for (const { message } of empty) this.#terminal.writeError(`tollgate: ${message}\n`);
    unwritten.push(...empty);
    if (unwritten.length > 0) return exitOfFailures(unwritten);
    if (!answer.traffic.isPartial) return EXIT.clean;
    printMessage(this.#terminal, 'interrupted; the report is partial');
    return EXIT.interrupted;
  }

  async #write(
    answer: ReplayResult,
    format: WholeFormat,
    file: string | undefined,
  ): Promise<ExternalError | undefined> {
    // A table of zeros would hide why the files could not be read.
    if (format === 'text' && isUnread(answer)) return undefined;
    const text = await this.#textOf(answer, format, file === undefined);
    if (file === undefined) {
      this.#terminal.write(text);
      return undefined;
    }
    return replaceFile(file, text);
  }

  async #textOf(answer: ReplayResult, format: WholeFormat, isOnTerminal: boolean): Promise<string> {
    const style = isOnTerminal ? reportStyle(this.#terminal) : {};
    const text = (await reporterOf(format))(answer, style);
    const { report } = answer;
    const hasWarnings = format === 'text' && report.diagnostics.length > 0 && !this.#args.quiet;
    return hasWarnings ? `${textReport(report, style)}\n${text}` : text;
  }
}

/** Loads on demand what prints whole documents. */
async function reporterOf(format: WholeFormat): Promise<Reporter<ReplayResult>> {
  switch (format) {
    case 'text':
      return textReplay;
    case 'csv':
      return csvReplay;
    case 'json':
      return (await import('@tollgate/reports/json')).jsonReplay;
    case 'markdown':
      return (await import('@tollgate/reports/markdown')).markdownReplay;
    case 'html':
      return (await import('@tollgate/reports/html')).htmlReplay;
  }
}

/** Returns the whole traffic if it contains no exchange; otherwise the files whose records were all skipped. */
function emptyInputs({ traffic: { exchanges, files, skipped }, unread = [] }: ReplayResult): readonly ExternalError[] {
  const examples = skipped.flatMap(({ first }) => first);
  if (exchanges === 0) {
    const total = files.reduce((sum, file) => sum + file.skipped, 0);
    const [first] = unread;
    const read = { files: files.map(({ file }) => file), skipped: total, example: examples[0] };
    return [nothingRead({ ...read, cure: first && fieldsOption(first) })];
  }
  const useless = files.filter(file => file.exchanges === 0 && file.skipped > 0);
  return useless.map(({ file, skipped: count }) =>
    nothingRead({ files: [file], skipped: count, example: examples.find(({ place }) => place.file === file) }),
  );
}

/** Whether Ctrl-C can end the replay with a partial report. A file of decisions is kept only if it is complete. */
export function isStoppable(args: ReportArguments): boolean {
  return !outputsOf(args, REPLAY_FORMATS).some(({ format, file }) => isDecisionFormat(format) && file !== undefined);
}

function isUnread({ traffic: { files, exchanges } }: ReplayResult): boolean {
  return files.every(({ failure }) => failure !== undefined) && exchanges === 0;
}

// Writes decisions while a replay runs.

/** The formats that are written while a replay runs. */
type DecisionFormat = 'ndjson' | 'decisions';

/** Returns true for a format that is written while a replay runs. */
function isDecisionFormat(format: ReplayFormat): format is DecisionFormat {
  return format === 'ndjson' || format === 'decisions';
}

/** Returns the rules of a route, or of the only policy if it is undefined. */
type NamesOf = (route: Route | undefined) => RuleNames;

interface DecisionOutput {
  readonly format: DecisionFormat;
  readonly lines: LineStream;
}

/** Writes decisions in all requested formats. */
class DecisionOutputs {
  readonly #outputs: readonly DecisionOutput[];

  constructor(outputs: readonly ReportOutput<ReplayFormat>[], terminal: Terminal) {
    this.#outputs = outputs.flatMap(({ format, file }) =>
      isDecisionFormat(format) ? [{ format, lines: openLines(file, terminal) }] : [],
    );
    for (const { format, lines } of this.#outputs) if (format === 'decisions') lines.add(DECISION_HEAD);
  }

  get isEmpty(): boolean {
    return this.#outputs.length === 0;
  }

  add(exchange: Exchange, decided: Decided, namesOf: NamesOf): void {
    for (const { format, lines } of this.#outputs) {
      if (format === 'ndjson') lines.add(decisionLine(exchange, decided, namesOf));
      else lines.add(decisionRow(exchange, decided, namesOf(decided.kind === 'routed' ? decided.route : undefined)));
    }
  }

  async flush(): Promise<void> {
    for (const { lines } of this.#outputs) await lines.flush();
  }

  async abandon(): Promise<void> {
    for (const { lines } of this.#outputs) await lines.abandon();
  }

  /** Appends the figures where the format has them. Returns what could not be written. */
  async finish(answer: ReplayResult): Promise<readonly (ExternalError | undefined)[]> {
    const failures: (ExternalError | undefined)[] = [];
    for (const { format, lines } of this.#outputs) {
      if (format === 'ndjson') {
        const { replayDocument } = await import('@tollgate/reports/json');
        lines.add(`${jsonText({ kind: 'summary', ...replayDocument(answer) })}\n`);
      }
      failures.push(await lines.finish());
    }
    return failures;
  }
}

/** Writes lines, and waits while the reader is slow. */
interface LineStream {
  /** Buffers a line until the next flush. */
  readonly add: (line: string) => void;
  readonly flush: () => Promise<void>;
  /** Returns the first error. */
  readonly finish: () => Promise<ExternalError | undefined>;
  /** Leaves the file unchanged. */
  readonly abandon: () => Promise<void>;
}

/** Opens a stream of lines to a file; to standard output if it is undefined. */
function openLines(file: string | undefined, terminal: Terminal): LineStream {
  let lines: string[] = [];
  const take = () => {
    const text = lines.join('');
    lines = [];
    return text;
  };
  const add = (line: string) => void lines.push(line);
  if (file === undefined) {
    const flush = async () => {
      terminal.write(take());
      await terminal.drained?.();
    };
    return { add, flush, finish: () => flush().then(() => undefined), abandon: async () => undefined };
  }
  const replacement = new FileReplacement(file);
  const flush = () => replacement.write(take());
  return { add, flush, finish: () => flush().then(() => replacement.finish()), abandon: () => replacement.abandon() };
}
