import { ExternalError } from '@tollgate/diagnostics';
import type { TrafficBatch } from '../exchange/batch.ts';
import type { TrafficLimits } from '../input/limits.ts';
import { HarEntries } from './har-entries.ts';
import { HarScanner } from './har-scanner.ts';

/**
 * Reads a HAR file entry by entry, without bodies. For a truncated or damaged file, yields the entries before the fault and then throws an
 * {@link ExternalError}, `traffic/malformed-har`, as for a file that is not JSON or has no `log.entries`.
 */
export async function* readHar(
  source: AsyncIterable<Uint8Array>,
  file: string,
  limits: TrafficLimits,
): AsyncGenerator<TrafficBatch> {
  const scanner = new HarScanner(limits.maxHarEntryBytes);
  const entries = new HarEntries(file);
  try {
    for await (const chunk of source) {
      scanner.push(chunk);
      const records = scanner.take();
      if (records.length > 0) yield entries.add(records);
      if (scanner.problem !== undefined) break;
    }
  } catch (error) {
    yield entries.finish(false);
    throw error;
  }
  const problem = scanner.end();
  yield entries.finish(problem === undefined);
  if (problem !== undefined || !scanner.hasEntries) throw malformed(file, problem, entries.count);
}

function malformed(file: string, problem = 'it has no `log.entries` list', count = 0): ExternalError {
  const what = count > 0 ? `cannot be read beyond entry ${count}` : 'is not a HAR file';
  return new ExternalError('traffic/malformed-har', `\`${file}\` ${what}: ${problem}`);
}
