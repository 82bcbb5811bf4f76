// Reads one file of recorded traffic as batches of exchanges: decompresses it, detects its format, unwraps its lines, locates its clients.

import { ExternalError } from '@tollgate/diagnostics';
import { bytesToHex, bytesToLatin1, bytesToUtf8, concatBytes, latin1ToBytes } from '@tollgate/diagnostics/portable';
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
import { matchLine, mismatchText } from '../records/line-grammar.ts';
import { FORMATS, type TrafficFormat } from './registry.ts';
import {
  type FormatDescription,
  type FormatHead,
  type FormatOptions,
  formatHead,
  type ReadTable,
} from './traffic-format.ts';
import { Unwrapper, unwrapped, WRAPPERS, type Wrapper } from './wrapped-lines.ts';

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

// Detects the format of a file from its beginning, or says which format is the closest and where the file breaks it.

/** A format with its name. */
type KnownFormat = FormatDescription & { readonly name: TrafficFormat };

const KNOWN: readonly KnownFormat[] = FORMATS;

/** The detected format of a file. */
export interface DetectedFormat {
  readonly format: KnownFormat;
  /** What wraps each line of that format. */
  readonly wrapper: Wrapper | undefined;
}

/** The beginning of a file, and what the user said about the file. */
interface FileHead {
  readonly bytes: Uint8Array;
  /** Nothing of the file follows. */
  readonly isWhole: boolean;
  readonly options: FormatOptions;
  /** Undefined to detect it. */
  readonly format: TrafficFormat | undefined;
}

/** Returns a format by name. */
function formatNamed(name: TrafficFormat | undefined): KnownFormat | undefined {
  return KNOWN.find(format => format.name === name);
}

/** Detects the format of a file from its beginning; returns undefined if it has none. */
export function detectFormat(file: FileHead): DetectedFormat | undefined {
  const named = formatNamed(file.format);
  const formats = named === undefined ? KNOWN : [named];
  const plain = likeliest(formatHead(file.bytes, file.isWhole), file.options, formats);
  if (plain === undefined || plain.sure < LEAST_SURE || CLAIMS_WRAPPED.has(plain.format.name)) {
    const wrapped = detectWrapped(file, formats);
    if (wrapped !== undefined) return wrapped;
  }
  const format = named ?? plain?.format;
  return format && { format, wrapper: undefined };
}

/** Formats that would detect wrapped lines as their own: a line by Docker begins like a HAR file, `{"log":`. */
const CLAIMS_WRAPPED: ReadonlySet<TrafficFormat> = new Set<TrafficFormat>(['har', 'json-lines', 'access-log', 'csv']);
const LEAST_SURE = 0.2;

/** The number of lines to try. */
const TRIED = 20;

/** Lines that are not wrapped pass unchanged, so one wrapped line is enough: the others may be damaged. */
function detectWrapped({ bytes, options }: FileHead, formats: readonly KnownFormat[]): DetectedFormat | undefined {
  const lines = bytesToLatin1(bytes)
    .replace(/^\xef\xbb\xbf/, '')
    .split('\n')
    .filter(line => line.trim() !== '')
    .slice(0, TRIED);
  const ofLines = formats.filter(({ spansLines }) => !spansLines);
  const isMapped = Object.keys(options.mapping?.fields ?? {}).length > 0;
  for (const wrapper of WRAPPERS) {
    const wrapped = lines.filter(line => wrapper.unwrap(line) !== undefined);
    // A mapping of members does not refer to the line in one of them.
    if (wrapped.length === 0 || (isMapped && wrapped[0]!.startsWith('{'))) continue;
    const unwrapper = new Unwrapper(wrapper, bytes.length);
    const content = latin1ToBytes(wrapped.join('\n'));
    const inner = formatHead(concatBytes([unwrapper.push(content), unwrapper.end()]), true);
    const found = likeliest(inner, options, ofLines);
    if (found !== undefined && found.sure >= LEAST_SURE) return { format: found.format, wrapper };
  }
  return undefined;
}

function likeliest(
  head: FormatHead,
  options: FormatOptions,
  formats: readonly KnownFormat[],
): { readonly format: KnownFormat; readonly sure: number } | undefined {
  let best: { readonly format: KnownFormat; readonly sure: number } | undefined;
  for (const format of formats) {
    const sure = format.detect(head, options);
    if (sure > (best?.sure ?? 0)) best = { format, sure };
  }
  return best;
}

/** Returns the error for a file without a known format. */
function unknownFormat(file: string, head: Uint8Array): ExternalError {
  const names = FORMATS.filter(({ name }) => name !== 'log-format').map(({ name }) => `\`${name}\``);
  const known =
    foundInstead(head) ??
    closestFormat(bytesToUtf8(head), KNOWN) ??
    `expected ${names.join(', ')}; describe any other log with \`--log-format\``;
  return new ExternalError('traffic/unknown-format', `\`${file}\` is not recorded traffic: ${known}`);
}

/** Describes files that resemble traffic. */
function foundInstead(head: Uint8Array): string | undefined {
  if (/^(?:fffe|feff)/.test(bytesToHex(head.subarray(0, 2)))) return 'found UTF-16; convert it to UTF-8';
  const isList = /^\s*\[\s*[{\]]/.test(bytesToLatin1(head.subarray(0, 256)));
  if (isList) return 'found a JSON list; write one object per line with `jq -c ".[]"`';
  return LOGS_WITHOUT_FORMAT.find(([pattern]) => pattern.test(bytesToLatin1(head)))?.[1];
}

/** Logs of known servers that lack what their formats need, and what to do. */
const LOGS_WITHOUT_FORMAT: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [
    /^\d{10}[.]\d{3}\t[\da-f.:]+\t/i,
    'found a real-time log of CloudFront without the names of its fields; put them in a first line: `#Fields: timestamp(ms) c-ip` and so on',
  ],
];

/** The number of lines to try. */
const TRIED_LINES = 5;
/** In most formats, the first word is an address or a name. */
const LEAST_MATCHED = 2;

interface Closest {
  readonly name: string;
  readonly line: number;
  readonly offset: number;
  readonly matched: number;
  readonly expected: string;
}

/**
 * Returns the format that the lines of a file match furthest, with the first line that breaks it and what was expected where. Undefined if no
 * format is close.
 * @param text the beginning of the file
 */
function closestFormat(text: string, formats: readonly FormatDescription[]): string | undefined {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  if (/^\s*\{/.test(lines[0]!)) return brokenJson(lines[0]!);
  let best: Closest | undefined;
  for (const [index, line] of lines.slice(0, TRIED_LINES).entries()) {
    for (const { name, steps } of formats) {
      const found = steps === undefined ? undefined : matchLine(steps, line);
      if (found?.kind !== 'mismatch' || found.matched < LEAST_MATCHED || found.offset <= (best?.offset ?? 0)) continue;
      best = { name, line: index + 1, offset: found.offset, matched: found.matched, expected: found.expected };
    }
  }
  if (best === undefined) return undefined;
  return describe(best, lines[best.line - 1]!);
}

function describe({ name, line, ...mismatch }: Closest, text: string): string {
  return `the closest format is \`${name}\`, which line ${line} breaks: ${mismatchText(mismatch, text)}; describe the format with \`--log-format\``;
}

function brokenJson(line: string): string | undefined {
  try {
    JSON.parse(line);
    return undefined;
  } catch (error) {
    const position = /at position (\d+)/.exec((error as Error).message)?.[1];
    const column = position === undefined ? line.length + 1 : Number(position) + 1;
    return `the closest format is \`json-lines\`, but line 1 is not valid JSON at column ${column}; write one object per line`;
  }
}
