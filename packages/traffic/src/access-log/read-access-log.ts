import type { TrafficBatch } from '../exchange/batch.ts';
import { type LogSource, type ReadLine, readLog } from '../input/read-log.ts';
import type { FieldMapping } from '../json-lines/field-mapping.ts';
import { absenceOf, USUAL_SIGNS } from '../record/logged-headers.ts';
import { LineExchange } from './line-exchange.ts';
import { scanLine } from './scan-line.ts';

/** Reads an access log in the common or combined format. */
export function readAccessLog(source: LogSource, mapping: FieldMapping = {}): AsyncGenerator<TrafficBatch> {
  return readLog(source, accessLogLines(mapping));
}

/** Returns a reader of one line. */
export function accessLogLines({ absent }: FieldMapping): ReadLine {
  const absence = absenceOf(USUAL_SIGNS, absent);
  return (text, place) => {
    const fields = scanLine(text);
    if (fields === undefined) return 'traffic/malformed-line';
    return LineExchange.from(place, { text, fields, absence }) ?? 'traffic/no-request';
  };
}
