import { WorldError } from '@tollgate/diagnostics';
import { readAccessLog } from './access-log/read-access-log.ts';
import { scanLine } from './access-log/scan-line.ts';
import type { TrafficBatch } from './batch.ts';
import { decompress, openFile, type PeekedSource, peek } from './byte-source.ts';
import { readHar } from './har/read-har.ts';
import { DEFAULT_TRAFFIC_LIMITS, type TrafficLimits } from './limits.ts';

/** The formats of recorded traffic that can be read; each is also read when compressed by gzip. */
export const TRAFFIC_FORMATS = ['har', 'access-log'] as const;

/** One of {@link TRAFFIC_FORMATS}. */
export type TrafficFormat = (typeof TRAFFIC_FORMATS)[number];

/** How a file of traffic is to be read. */
export interface ReadTrafficOptions {
  /** Told by the file's content when absent. */
  readonly format?: TrafficFormat;
  readonly limits?: Partial<TrafficLimits>;
  /** Is told how many bytes were read, as they lie on the disk, whenever some were. */
  readonly onBytes?: (bytes: number) => void;
}

/** Bytes that a format is told by. */
const HEAD_BYTES = 64 * 1024;

/**
 * Reads a file of recorded traffic, or standard input for `-`, in batches. Access logs are streamed in bounded memory, HAR files
 * are read whole. Records that are no exchange are skipped and told; what keeps the file from being read at all is thrown as
 * a `WorldError`: `file/…`, `traffic/unknown-format`, `traffic/malformed-har` or `traffic/har-too-large`.
 */
export async function* readTraffic(file: string, options: ReadTrafficOptions = {}): AsyncGenerator<TrafficBatch> {
  const limits = { ...DEFAULT_TRAFFIC_LIMITS, ...options.limits };
  const source = await peek(decompress(openFile(file, options.onBytes), file), HEAD_BYTES);
  const read = (options.format ?? formatOf(source, file)) === 'har' ? readHar : readAccessLog;
  yield* read(source.whole, file, limits);
}

function formatOf(source: PeekedSource, file: string): TrafficFormat {
  const text = source.head.toString('utf8').replace(/^\ufeff/, '');
  if (/^\s*\{/.test(text)) return 'har';
  if (text.trim() === '' || text.split(/\r?\n/).some(line => scanLine(line) !== undefined)) return 'access-log';
  const known = 'a HAR file or an access log in the common or combined format';
  throw new WorldError('traffic/unknown-format', `\`${file}\` is not recorded traffic: expected ${known}`);
}
