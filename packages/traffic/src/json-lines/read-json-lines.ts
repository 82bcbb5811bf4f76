import type { SkipReason, TrafficBatch } from '../exchange/batch.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { RecordLocation } from '../exchange/record-location.ts';
import { isRecord } from '../input/json.ts';
import { type LogSource, type ReadLine, readLog } from '../input/read-log.ts';
import { RecordExchange } from '../record/record-exchange.ts';
import type { FieldMapping } from './field-mapping.ts';
import { MappedFacts, PARSED, type ParsedRecord, type PreparedMapping, prepareMapping } from './mapped-facts.ts';

/** Reads one JSON object per line, with fields as mapped. */
export function readJsonLines(source: LogSource, mapping: FieldMapping = {}): AsyncGenerator<TrafficBatch> {
  return readLog(source, readObjectLine(prepareMapping(mapping, PARSED)));
}

/** Returns a reader of one line. */
function readObjectLine(mapping: PreparedMapping<ParsedRecord>): ReadLine {
  return eachObject((record, place) => {
    const facts = new MappedFacts(record, mapping);
    return facts.isEmpty ? 'traffic/no-fields' : new RecordExchange(place, facts);
  });
}

/** Reads the object of one line. */
type ReadObject = (
  record: Readonly<Record<string, unknown>>,
  place: RecordLocation,
) => Exchange | SkipReason | undefined;

/** Returns a reader of lines with one JSON object each. */
export function eachObject(readObject: ReadObject): ReadLine {
  return (text, place) => {
    const record = parseObject(text);
    return record === undefined ? 'traffic/malformed-json' : readObject(record, place);
  };
}

/** Parses a JSON object; returns undefined for anything else. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
