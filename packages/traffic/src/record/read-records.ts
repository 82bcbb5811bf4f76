import type { SkipReason, TrafficBatch } from '../exchange/batch.ts';
import { type LogSource, readLog } from '../input/read-log.ts';
import { RecordExchange } from './record-exchange.ts';
import type { RecordFacts } from './record-facts.ts';

/** Reads a log with one record per line. */
export function readRecords(
  source: LogSource,
  factsOf: (text: string) => RecordFacts | SkipReason,
): AsyncGenerator<TrafficBatch> {
  return readLog(source, (text, place) => {
    const facts = factsOf(text);
    return typeof facts === 'string' ? facts : new RecordExchange(place, facts);
  });
}
