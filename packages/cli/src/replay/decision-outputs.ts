// Writes decisions while a replay runs.

import { type ExternalError, jsonText } from '@tollgate/diagnostics';
import { DECISION_HEAD, decisionLine, decisionRow, type ReplayResult, type RuleNames } from '@tollgate/reports';
import type { Decided, Route } from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import type { ReportOutput } from '../output/deliver-report.ts';
import type { Terminal } from '../process/terminal.ts';
import { FileReplacement } from '../trust/replace-file.ts';
import type { ReplayFormat } from './replay-options.ts';

/** The formats that are written while a replay runs. */
export type DecisionFormat = 'ndjson' | 'decisions';

/** Returns true for a format that is written while a replay runs. */
export function isDecisionFormat(format: ReplayFormat): format is DecisionFormat {
  return format === 'ndjson' || format === 'decisions';
}

/** Returns the rules of a route, or of the only policy if it is undefined. */
export type NamesOf = (route: Route | undefined) => RuleNames;

interface DecisionOutput {
  readonly format: DecisionFormat;
  readonly lines: LineStream;
}

/** Writes decisions in all requested formats. */
export class DecisionOutputs {
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
