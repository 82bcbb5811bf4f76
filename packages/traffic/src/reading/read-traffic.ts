import { refuseUnreadable, type TrafficBatch } from '../exchange/batch.ts';
import type { LocateAddress } from '../exchange/geo-facts.ts';
import type { FormatOptions } from '../format/traffic-format.ts';
import { located } from '../geo/located-exchange.ts';
import { openFile, peek } from '../input/byte-source.ts';
import { decompress } from '../input/compression/decompress.ts';
import { DEFAULT_TRAFFIC_LIMITS, type TrafficLimits } from '../input/limits.ts';
import type { FieldMapping } from '../json-lines/field-mapping.ts';
import { parseLogFormat } from '../log-format/parse-log-format.ts';
import { type DetectedFormat, detectFormat, formatNamed, unknownFormat } from '../registry/detect-format.ts';
import type { TrafficFormat } from '../registry/registry.ts';
import { unwrapped } from '../wrappers/unwrap.ts';

/** How a file of traffic is to be read. */
export interface ReadTrafficOptions {
  /** Detected from the file's content when absent. */
  readonly format?: TrafficFormat;
  readonly limits?: Partial<TrafficLimits>;
  /** Is told how many bytes were read, as they lie on the disk, whenever some were. */
  readonly onBytes?: (bytes: number) => void;
  /** Tells where clients are, as far as the traffic does not say so itself. */
  readonly locate?: LocateAddress;
  /** Where the fields of exchanges stand in JSON lines. */
  readonly mapping?: FieldMapping;
  /** The format of lines of text: that of nginx or Apache, the directive of either, or a name such as `combined`. */
  readonly logFormat?: string;
  /** What is read in place of the file, which then only names it. */
  readonly content?: AsyncIterable<Uint8Array>;
  /** The first record that cannot be read ends the reading: a `ExternalError` with the code `UNREADABLE_RECORD`. */
  readonly strict?: boolean;
}

/** Bytes from which a format is detected. */
export const HEAD_BYTES = 64 * 1024;

/**
 * Reads a file of recorded traffic, or standard input for `-`, in batches. All formats are streamed in bounded memory.
 * Records that are no exchange are skipped and told; what keeps the file from being read at all is thrown as
 * a `ExternalError`: `file/…`, `traffic/unknown-format` or `traffic/malformed-har`. Throws a `LogFormatError` for a log format
 * that is none.
 */
export async function* readTraffic(file: string, options: ReadTrafficOptions = {}): AsyncGenerator<TrafficBatch> {
  const bytes = options.content ?? openFile(file, options.onBytes);
  const how = howToRead(options);
  // Whoever writes to a pipe may wait for what comes of it.
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
  // A character has at most four bytes, and an escape of JSON six for one.
  const lines = wrapper && unwrapped(source.whole, wrapper, 6 * how.limits.maxLineLength);
  yield* readAs(format.name, lines ?? source.whole, { file, options });
}

/** A format of records that are read one by one, which one complete line is enough to detect. */
function isOfLines(found: DetectedFormat | undefined): boolean {
  return found?.format.isLineByLine === true;
}

/** Reads what is not compressed and of a known format; as {@link readTraffic}. */
export async function* readAs(
  name: TrafficFormat,
  bytes: AsyncIterable<Uint8Array>,
  { file, options }: { readonly file: string; readonly options: ReadTrafficOptions },
): AsyncGenerator<TrafficBatch> {
  const { locate, strict, content } = options;
  const path = content === undefined && file !== '-' ? file : undefined;
  for await (const batch of formatNamed(name)!.read(bytes, file, { ...howToRead(options), path })) {
    if (strict === true) refuseUnreadable(batch);
    yield locate ? located(batch, locate) : batch;
  }
}

/** What readers of a format are told. */
export function howToRead({ limits, mapping, logFormat }: ReadTrafficOptions): FormatOptions {
  return {
    limits: { ...DEFAULT_TRAFFIC_LIMITS, ...limits },
    mapping,
    logFormat: logFormat === undefined ? undefined : parseLogFormat(logFormat),
  };
}
