import type { Exchange, ReadTrafficOptions, SkippedRecord } from '@tollgate/traffic';
import { readTraffic } from '@tollgate/traffic-node';

/** The records of a recording. */
export interface ReadRecords {
  readonly exchanges: readonly Exchange[];
  readonly skipped: readonly SkippedRecord[];
}

/** Reads all records of a recording that arrives in one chunk. */
export async function readAll(content: string | Uint8Array, options: ReadTrafficOptions): Promise<ReadRecords> {
  async function* source() {
    yield typeof content === 'string' ? Buffer.from(content) : content;
  }
  const exchanges: Exchange[] = [];
  const skipped: SkippedRecord[] = [];
  for await (const batch of readTraffic('a.log', { ...options, content: source() })) {
    exchanges.push(...batch.exchanges);
    skipped.push(...batch.skipped);
  }
  return { exchanges, skipped };
}

/** Reads every field of an exchange, since readers parse fields only on demand. */
export function readFields(exchange: Exchange): readonly unknown[] {
  const { time, clientIp, geo, connection, tls, method, target, url, protocol, requestHeaders, response } = exchange;
  const facts = response && [response.status, response.bodySize, response.headers.fields];
  return [time, clientIp, geo, connection, tls, method, target, url, protocol, requestHeaders.fields, facts];
}
