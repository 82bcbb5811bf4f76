import { excerptOf, type SkippedRecord, type SkipReason, type TrafficBatch } from '../batch.ts';
import type { Exchange } from '../exchange.ts';
import type { TrafficLimits } from '../limits.ts';
import { type Line, readLines } from '../lines.ts';
import type { Place } from '../place.ts';
import { LineExchange } from './line-exchange.ts';
import { scanLine } from './scan-line.ts';

/**
 * Reads an access log in the common or combined format, one batch for each chunk of the stream. Lines that are no exchange are
 * skipped; empty lines are not counted.
 */
export async function* readAccessLog(
  source: AsyncIterable<Uint8Array>,
  file: string,
  limits: TrafficLimits,
): AsyncGenerator<TrafficBatch> {
  let number = 0;
  for await (const lines of readLines(source, limits.maxLineLength)) {
    yield readBatch(lines, file, number);
    number += lines.length;
  }
}

function readBatch(lines: readonly Line[], file: string, before: number): TrafficBatch {
  const exchanges: Exchange[] = [];
  const skipped: SkippedRecord[] = [];
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!;
    if (line.text === '') continue;
    const place: Place = { file, number: before + index + 1, unit: 'line' };
    const exchange = readLine(line, place);
    if (typeof exchange !== 'string') exchanges.push(exchange);
    else skipped.push({ place, reason: exchange, excerpt: excerptOf(line.text) });
  }
  return { exchanges, skipped };
}

function readLine(line: Line, place: Place): Exchange | SkipReason {
  if (line.tooLong) return 'traffic/line-too-long';
  const fields = scanLine(line.text);
  if (fields === undefined) return 'traffic/malformed-line';
  return LineExchange.from(place, line.text, fields) ?? 'traffic/no-request';
}
