import type { SkipReason, TrafficBatch } from '../exchange/batch.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { RecordLocation } from '../exchange/record-location.ts';
import { type LogSource, readLog } from '../input/read-log.ts';
import { LineExchange } from './line-exchange.ts';
import { scanLine } from './scan-line.ts';

/** Reads an access log in the common or combined format. */
export function readAccessLog(source: LogSource): AsyncGenerator<TrafficBatch> {
  return readLog(source, readLine);
}

/** Reads one line. */
export function readLine(text: string, place: RecordLocation): Exchange | SkipReason {
  const fields = scanLine(text);
  if (fields === undefined) return 'traffic/malformed-line';
  return LineExchange.from(place, text, fields) ?? 'traffic/no-request';
}
