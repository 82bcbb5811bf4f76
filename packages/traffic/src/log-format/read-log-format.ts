import type { TrafficBatch } from '../exchange/batch.ts';
import { type LogSource, readLog } from '../input/read-log.ts';
import type { FieldMapping } from '../json-lines/field-mapping.ts';
import { absenceOf } from '../record/logged-headers.ts';
import { RecordExchange } from '../record/record-exchange.ts';
import { LogFacts } from './log-facts.ts';
import type { PreparedLog } from './parse-log-format.ts';
import { LayoutScanner } from './scan-layout.ts';

/** Reads a log whose lines have one format. */
export function readLogFormat(
  source: LogSource,
  { layout, prepared }: PreparedLog,
  { absent }: FieldMapping = {},
): AsyncGenerator<TrafficBatch> {
  const scanner = new LayoutScanner(layout);
  const format = { ...prepared, absence: absenceOf([prepared.format.missing], absent) };
  return readLog({ ...source, explain: text => scanner.explain(text) }, (text, place) => {
    const offsets = scanner.scan(text);
    if (offsets === undefined) return 'traffic/malformed-line';
    const facts = new LogFacts(text, offsets, format);
    return facts.isNoRequest ? 'traffic/no-request' : new RecordExchange(place, facts);
  });
}
