import { excerptOf, type SkippedRecord, type SkipReason, type TrafficBatch } from '../exchange/batch.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Place } from '../exchange/place.ts';
import { type Line, readLines } from './lines.ts';

/** Reads one line of a log; undefined for a line that is no record, such as a comment. */
export type ReadLine = (text: string, place: Place) => Exchange | SkipReason | undefined;

/** A log that is being read. */
export interface LogSource {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** As the user named it. */
  readonly file: string;
  /** UTF-16 units. */
  readonly maxLineLength: number;
  /** Tells where a line breaks the format of the log. */
  readonly explain?: ((text: string) => string | undefined) | undefined;
}

/**
 * Reads a log of one record a line, one batch for each chunk of the stream. Lines that are no exchange are skipped; empty lines are
 * not counted.
 */
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

/** More are not shown. */
const MOST_EXPLAINED = 3;

/** Where a batch begins: `before` lines of the file come before it. */
interface BatchPlace {
  readonly file: string;
  readonly before: number;
  readonly explain: (text: string) => string | undefined;
}

function readBatch(lines: readonly Line[], { file, before, explain }: BatchPlace, readLine: ReadLine): TrafficBatch {
  const exchanges: Exchange[] = [];
  const skipped: SkippedRecord[] = [];
  for (let index = 0; index < lines.length; index++) {
    const { text, fault } = lines[index]!;
    if (text === '') continue;
    const place: Place = { file, number: before + index + 1, unit: 'line' };
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
