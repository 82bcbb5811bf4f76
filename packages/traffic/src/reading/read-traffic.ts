import { refuseUnreadable, type TrafficBatch } from '../exchange/batch.ts';
import type { LocateAddress } from '../exchange/geo-facts.ts';
import type { FormatOptions } from '../format/traffic-format.ts';
import { located } from '../geo/located-exchange.ts';
import { openFile, peek } from '../input/byte-source.ts';
import { decompress } from '../input/compression/decompress.ts';
import { DEFAULT_TRAFFIC_LIMITS, type TrafficLimits } from '../input/limits.ts';
import type { FieldMapping } from '../json-lines/field-mapping.ts';
import { parseLogFormat } from '../log-format/parse-log-format.ts';
import { type DetectedFormat, detectFormat, unknownFormat } from '../registry/detect-format.ts';
import type { TrafficFormat } from '../registry/registry.ts';
import { unwrapped } from '../wrappers/unwrap.ts';

/** How to read a file of traffic. */
export interface ReadTrafficOptions {
  /** Detected from the file's content by default. */
  readonly format?: TrafficFormat;
  readonly limits?: Partial<TrafficLimits>;
  /** Called with the number of bytes read from disk, whenever some were. */
  readonly onBytes?: (bytes: number) => void;
  /** Locates clients for which the traffic does not say it. */
  readonly locate?: LocateAddress;
  /** The names of fields in JSON lines. */
  readonly mapping?: FieldMapping;
  /** The format of log lines: that of nginx or Apache, a directive of either, or a name such as `combined`. */
  readonly logFormat?: string;
  /** Read instead of the file, which then only provides the name. */
  readonly content?: AsyncIterable<Uint8Array>;
  /** Throw at the first unreadable record: an `ExternalError` with the code `UNREADABLE_RECORD`. */
  readonly strict?: boolean;
}

/** The number of bytes from which a format is detected. */
export const HEAD_BYTES = 64 * 1024;

/**
 * Reads recorded traffic from a file, or from standard input for `-`, in batches, with bounded memory. Skips and reports records that are not
 * exchanges. Throws an `ExternalError` if the file cannot be read (`file/…`, `traffic/unknown-format`, `traffic/malformed-har` and so on), and
 * a `LogFormatError` for an invalid log format.
 */
export async function* readTraffic(file: string, options: ReadTrafficOptions = {}): AsyncGenerator<TrafficBatch> {
  const bytes = options.content ?? openFile(file, options.onBytes);
  const how = howToRead(options);
  // The writer of a pipe may wait for results.
  const isPipe = file === '-' && options.content === undefined;
  const isDetected = (head: Buffer) =>
    isPipe &&
    head.includes('\n') &&
    isOfLines(detectFormat({ bytes: head, isWhole: false, options: how, format: options.format }));
  const source = await peek(decompress(bytes, file), HEAD_BYTES, isDetected);
  const found = detectFormat({ bytes: source.head, isWhole: source.isWhole, options: how, format: options.format });
  if (found === undefined) {
    await source.close();
    throw source.failure ?? unknownFormat(file, source.head);
  }
  const { format, wrapper } = found;
  // A character has at most four bytes, and a JSON escape six per character.
  const lines = wrapper && unwrapped(source.whole, wrapper, 6 * how.limits.maxLineLength);
  const { locate, strict, content } = options;
  const path = content === undefined && file !== '-' ? file : undefined;
  for await (const batch of format.read(lines ?? source.whole, file, { ...how, path })) {
    if (strict === true) refuseUnreadable(batch);
    yield locate ? located(batch, locate) : batch;
  }
}

/** Whether one complete line suffices for detection. */
function isOfLines(found: DetectedFormat | undefined): boolean {
  return found !== undefined && !found.format.spansLines;
}

/** Returns the options for readers of a format. */
export function howToRead({ limits, mapping, logFormat }: ReadTrafficOptions): FormatOptions {
  return {
    limits: { ...DEFAULT_TRAFFIC_LIMITS, ...limits },
    mapping,
    logFormat: logFormat === undefined ? undefined : parseLogFormat(logFormat),
  };
}
