import { excerptOf, type SkippedRecord, type SkipReason, type TrafficBatch } from '../exchange/batch.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { RecordLocation } from '../exchange/record-location.ts';
import { type Line, readLines } from './lines.ts';

/** Reads one line of a log; returns undefined for a line that is not a record, such as a comment. */
export type ReadLine = (text: string, place: RecordLocation) => Exchange | SkipReason | undefined;

/** A log to read. */
export interface LogSource {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** As the user named it. */
  readonly file: string;
  /** In UTF-16 units. */
  readonly maxLineLength: number;
  /** Returns where a line breaks the format of the log. */
  readonly explain?: ((text: string) => string | undefined) | undefined;
}

/** Reads a log with one record per line, one batch per chunk of the stream. Skips lines that are not exchanges; empty lines are not reported. */
export async function* readLog(
  { bytes, file, maxLineLength, explain }: LogSource,
  readLine: ReadLine,
): AsyncGenerator<TrafficBatch> {
  let number = 0;
  let explained = 0;
  const explainSome = (text: string) => (explained++ < MOST_EXPLAINED ? explain?.(text) : undefined);
  for await (const lines of readLines(bytes, maxLineLength)) {
    yield readBatch(lines, { file, before: number, explain: explainSome }, readLine);
    number += lines.length;
  }
}

/** The number of skipped lines that are explained. */
const MOST_EXPLAINED = 3;

/** The start of a batch: `before` lines of the file precede it. */
interface BatchStart {
  readonly file: string;
  readonly before: number;
  readonly explain: (text: string) => string | undefined;
}

function readBatch(lines: readonly Line[], { file, before, explain }: BatchStart, readLine: ReadLine): TrafficBatch {
  const exchanges: Exchange[] = [];
  const skipped: SkippedRecord[] = [];
  for (let index = 0; index < lines.length; index++) {
    const { text, fault } = lines[index]!;
    if (text === '') continue;
    const place: RecordLocation = { file, number: before + index + 1, unit: 'line' };
    const exchange = fault ?? readLine(text, place);
    if (exchange === undefined) continue;
    if (typeof exchange !== 'string') exchanges.push(exchange);
    else {
      const detail = exchange === 'traffic/malformed-line' ? explain(text) : undefined;
      skipped.push({ place, reason: exchange, excerpt: excerptOf(text), ...(detail !== undefined && { detail }) });
    }
  }
  return { exchanges, skipped };
}
