import { ExternalError } from '@tollgate/diagnostics';
import { refuseUnreadable, type TrafficBatch } from './batch.ts';
import { openFile, peek } from './byte-source.ts';
import { decompress } from './compression/decompress.ts';
import { type FormatHead, formatHead } from './formats/format-head.ts';
import { FORMATS, type TrafficFormat } from './formats/registry.ts';
import type { FormatDescription, FormatOptions } from './formats/traffic-format.ts';
import type { LocateAddress } from './geo/geo-facts.ts';
import { located } from './geo/located-exchange.ts';
import type { FieldMapping } from './json-lines/field-mapping.ts';
import { DEFAULT_TRAFFIC_LIMITS, type TrafficLimits } from './limits.ts';
import { parseLogFormat } from './log-format/parse-log-format.ts';

/** How a file of traffic is to be read. */
export interface ReadTrafficOptions {
  /** Told by the file's content when absent. */
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

type KnownFormat = FormatDescription & { readonly name: TrafficFormat };

const KNOWN: readonly KnownFormat[] = FORMATS;

/** Bytes that a format is told by. */
export const HEAD_BYTES = 64 * 1024;

/**
 * Reads a file of recorded traffic, or standard input for `-`, in batches. All formats are streamed in bounded memory.
 * Records that are no exchange are skipped and told; what keeps the file from being read at all is thrown as
 * a `ExternalError`: `file/…`, `traffic/unknown-format` or `traffic/malformed-har`. Throws a `LogFormatError` for a log format
 * that is none.
 */
export async function* readTraffic(file: string, options: ReadTrafficOptions = {}): AsyncGenerator<TrafficBatch> {
  const bytes = options.content ?? openFile(file, options.onBytes);
  const source = await peek(decompress(bytes, file), HEAD_BYTES);
  const format = formatNamed(options.format) ?? likeliest(formatHead(source.head, source.isWhole), howToRead(options));
  if (format === undefined) {
    await source.close();
    throw source.failure ?? unknownFormat(file, source.head);
  }
  yield* readAs(format.name, source.whole, { file, options });
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

/** A format by its name. */
export function formatNamed(name: TrafficFormat | undefined): KnownFormat | undefined {
  return KNOWN.find(format => format.name === name);
}

/** The format that the beginning of a file is of; throws a `ExternalError` when it is of none. */
export function detectFormat(head: FormatHead, file: string, options: FormatOptions): KnownFormat {
  const found = likeliest(head, options);
  if (found === undefined) throw unknownFormat(file, head.bytes);
  return found;
}

function likeliest(head: FormatHead, options: FormatOptions): KnownFormat | undefined {
  let best: { readonly format: KnownFormat; readonly sure: number } | undefined;
  for (const format of KNOWN) {
    const sure = format.detect(head, options);
    if (sure > (best?.sure ?? 0)) best = { format, sure };
  }
  return best?.format;
}

function unknownFormat(file: string, head: Buffer): ExternalError {
  const names = FORMATS.filter(({ name }) => name !== 'log-format').map(({ name }) => `\`${name}\``);
  const known = foundInstead(head) ?? `expected ${names.join(', ')}, or a log whose format \`--log-format\` tells`;
  return new ExternalError('traffic/unknown-format', `\`${file}\` is not recorded traffic: ${known}`);
}

/** What some files are that nearly are traffic. */
function foundInstead(head: Buffer): string | undefined {
  if (/^(?:fffe|feff)/.test(head.toString('hex', 0, 2))) return 'it is in UTF-16; expected UTF-8';
  const isList = /^\s*\[\s*[{\]]/.test(head.toString('latin1', 0, 256));
  return isList ? 'it is a list in JSON; expected one object a line, as `jq -c ".[]"` writes' : undefined;
}
