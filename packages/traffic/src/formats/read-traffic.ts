/**
 * Reads one file of recorded traffic as batches of exchanges: decompresses it, detects its format, unwraps its lines, locates its
 * clients.
 */
import { ExternalError } from '@tollgate/diagnostics';
import {
  type ConnectionFacts,
  type Exchange,
  formatLocation,
  type GeoFacts,
  type HeaderFacts,
  type LocateAddress,
  type RecordLocation,
  type ResponseFacts,
  refuseUnreadable,
  SKIP_REASONS,
  type SkippedRecord,
  type TlsFacts,
  type TrafficBatch,
} from '../exchange/exchange.ts';
import { peek } from '../input/byte-source.ts';
import { decompress, type Inflaters } from '../input/decompress.ts';
import { DEFAULT_TRAFFIC_LIMITS, type TrafficLimits } from '../input/lines.ts';
import { parseLogFormat } from '../log-formats/read-log-format.ts';
import type { FieldMapping } from '../records/field-mapping.ts';
import { type DetectedFormat, detectFormat, unknownFormat } from './detect-format.ts';
import type { TrafficFormat } from './registry.ts';
import type { FormatOptions, ReadTable } from './traffic-format.ts';
import { unwrapped } from './wrapped-lines.ts';

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

/** What reading needs of the platform; `@tollgate/traffic-node` provides it for files. */
export interface TrafficPorts {
  readonly content: AsyncIterable<Uint8Array>;
  /** The content arrives while it is read, and its writer may wait for results. */
  readonly isLive?: boolean;
  /** Without inflaters, compressed content is refused. */
  readonly inflaters?: Inflaters;
  /** Without a reader of tables, CSV and Parquet are refused. */
  readonly tables?: ReadTable;
}

/** Reads the recordings of a platform, such as files. */
export interface TrafficReader {
  /** Reads a recording by its name, like {@link readTraffic}. */
  readonly read: (file: string, options?: ReadTrafficOptions) => AsyncGenerator<TrafficBatch>;
  /** Opens databases that locate clients. Throws an `ExternalError`. */
  readonly locate: (files: readonly string[]) => Promise<LocateAddress>;
  /** Recordings grow while they are read, so that they can be read once only, and all at the same time. */
  readonly isGrowing?: boolean;
}

/** The number of bytes from which a format is detected. */
const HEAD_BYTES = 64 * 1024;

/** The same if they are not even one line. */
const LONG_HEAD_BYTES = 8 * HEAD_BYTES;

/** Reads the beginning of a file from which its format is detected: see {@link peek}. */
export async function peekHead(
  source: AsyncIterable<Uint8Array>,
  isEnough?: (head: Uint8Array) => boolean,
): ReturnType<typeof peek> {
  const found = await peek(source, HEAD_BYTES, isEnough);
  const isLine = found.isWhole || found.failure !== undefined || found.head.includes(LINE_FEED);
  return isLine ? found : peek(found.whole, LONG_HEAD_BYTES, isEnough);
}

/**
 * Reads recorded traffic in batches, with bounded memory. Skips and reports records that are not exchanges. Throws an `ExternalError` if the
 * content cannot be read (`file/…`, `traffic/unknown-format`, `traffic/malformed-har` and so on), and a `LogFormatError` for an invalid log
 * format.
 * @param file the name of the recording in locations and messages
 */
export async function* readTraffic(
  file: string,
  { content, isLive, inflaters, tables, ...options }: ReadTrafficOptions & TrafficPorts,
): AsyncGenerator<TrafficBatch> {
  const how = howToRead(options);
  const isDetected = (head: Uint8Array) =>
    isLive === true &&
    head.includes(LINE_FEED) &&
    isOfLines(detectFormat({ bytes: head, isWhole: false, options: how, format: options.format }));
  const source = await peekHead(decompress(content, file, inflaters), isDetected);
  const found = detectFormat({ bytes: source.head, isWhole: source.isWhole, options: how, format: options.format });
  if (found === undefined) {
    await source.close();
    throw source.failure ?? unknownFormat(file, source.head);
  }
  const { format, wrapper } = found;
  // A character has at most four bytes, and a JSON escape six per character.
  const lines = wrapper && unwrapped(source.whole, wrapper, 6 * how.limits.maxLineLength);
  const { locate, strict } = options;
  for await (const batch of format.read(lines ?? source.whole, file, { ...how, tables })) {
    if (strict === true) refuseUnreadable(batch);
    yield locate ? located(batch, locate) : batch;
  }
}

const LINE_FEED = 10;

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

/** Input without a single exchange. */
interface NothingRead {
  /** One or more. */
  readonly files: readonly string[];
  /** The number of skipped records. */
  readonly skipped: number;
  /** One of them. */
  readonly example: SkippedRecord | undefined;
  /** The option that would let its fields be read, as it seems: `--fields 'time=ts'`. */
  readonly cure?: string | undefined;
}

/** Returns the error `traffic/nothing-read`, which says whether the input is empty or all of its records were skipped. */
export function nothingRead({ files, skipped, example, cure }: NothingRead): ExternalError {
  const input = files.length === 1 ? `\`${files[0]}\`` : `${files.length} files`;
  const [why, remedy] =
    skipped === 0
      ? [`${files.length === 1 ? 'it has' : 'they have'} no records`, '']
      : whySkipped(skipped, example, cure);
  return new ExternalError(
    'traffic/nothing-read',
    `no exchange in ${input}: ${why}; ${remedy}use \`--allow-empty\` if that is expected`,
  );
}

function whySkipped(
  skipped: number,
  example: SkippedRecord | undefined,
  cure: string | undefined,
): readonly [why: string, remedy: string] {
  const all =
    skipped === 1 ? 'its only record was skipped' : `all ${skipped.toLocaleString('en-US')} records were skipped`;
  if (example === undefined) return [all, ''];
  const { place, reason, detail } = example;
  const because = `${SKIP_REASONS[reason]}${detail === undefined ? '' : `, ${detail}`}`;
  if (cure !== undefined) return [`${all} (\`${formatLocation(place)}\`: ${because})`, `try \`${cure}\`, or `];
  const remedy = reason === 'traffic/malformed-line' ? 'check `--traffic-format` and `--log-format`, or ' : '';
  return [`${all} (\`${formatLocation(place)}\`: ${because})`, remedy];
}

/** Returns a batch whose exchanges have locations. */
function located(batch: TrafficBatch, locate: LocateAddress): TrafficBatch {
  return { ...batch, exchanges: batch.exchanges.map(exchange => new LocatedExchange(exchange, locate)) };
}

/** An exchange that looks up its client's location on demand. Recorded values take precedence. */
class LocatedExchange implements Exchange {
  readonly #recorded: Exchange;
  readonly #locate: LocateAddress;

  constructor(recorded: Exchange, locate: LocateAddress) {
    this.#recorded = recorded;
    this.#locate = locate;
  }

  get geo(): GeoFacts | undefined {
    const { geo, clientIp } = this.#recorded;
    if (clientIp === undefined) return geo;
    const found = this.#locate(clientIp);
    if (geo === undefined) return found;
    const recorded = Object.entries(geo).filter(([, value]) => value !== undefined);
    return { ...found, ...Object.fromEntries(recorded) };
  }

  get place(): RecordLocation {
    return this.#recorded.place;
  }

  get time(): number | undefined {
    return this.#recorded.time;
  }

  get clientIp(): string | undefined {
    return this.#recorded.clientIp;
  }

  get connection(): ConnectionFacts | undefined {
    return this.#recorded.connection;
  }

  get tls(): TlsFacts {
    return this.#recorded.tls;
  }

  get method(): string | undefined {
    return this.#recorded.method;
  }

  get target(): string | undefined {
    return this.#recorded.target;
  }

  get url(): string | undefined {
    return this.#recorded.url;
  }

  get scheme(): string | undefined {
    return this.#recorded.scheme;
  }

  get hostName(): string | undefined {
    return this.#recorded.hostName;
  }

  get protocol(): string | undefined {
    return this.#recorded.protocol;
  }

  get requestHeaders(): HeaderFacts {
    return this.#recorded.requestHeaders;
  }

  get response(): ResponseFacts | undefined {
    return this.#recorded.response;
  }
}
