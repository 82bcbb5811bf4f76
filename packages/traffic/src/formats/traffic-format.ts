/** What a format of recorded traffic is: its name, how it is detected from the beginning of a file, and its reader. */
import { bytesToUtf8 } from '@tollgate/diagnostics/portable';
import type { TrafficBatch } from '../exchange/exchange.ts';
import type { TrafficLimits } from '../input/lines.ts';
import type { PreparedLog } from '../log-formats/read-log-format.ts';
import type { FieldMapping } from '../records/field-mapping.ts';
import { parseObject } from '../records/json-lines.ts';
import type { LineStep } from '../records/line-grammar.ts';

/** A format of recorded traffic: how it is detected and read. */
export interface FormatDescription {
  readonly name: string;
  /** A noun phrase with its article, for messages. */
  readonly title: string;
  /**
   * Returns the confidence that a file is of this format: 0 for impossible, 1 for certain. The highest wins, and the first in the registry
   * among equals.
   */
  readonly detect: (head: FormatHead, options: FormatOptions) => number;
  /** The fields of a line, for formats with a fixed order of fields; used to report where a line breaks the format. */
  readonly steps?: readonly LineStep[];
  /** A record may take several lines, or the file is not text. In other formats each line is a record. */
  readonly spansLines?: true;
  /**
   * Reads a recording.
   * @param file as the user named it; `-` for standard input
   */
  readonly read: (
    source: AsyncIterable<Uint8Array>,
    file: string,
    options: FormatOptions,
  ) => AsyncIterable<TrafficBatch>;
}

/** The formats of tables, which need more than a stream to read. */
export type TableFormat = 'csv' | 'parquet';

/** A table to read. */
export interface TableSource {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** As the user named it. */
  readonly file: string;
  /** Longest row in bytes. */
  readonly maxLineLength: number;
  readonly mapping: FieldMapping | undefined;
}

/** Reads the rows of a table as exchanges. */
export type ReadTable = (format: TableFormat, source: TableSource) => AsyncIterable<TrafficBatch>;

/** How to read a file of any format. */
export interface FormatOptions {
  readonly limits: TrafficLimits;
  /** Reads tables; without it, they are refused. */
  readonly tables?: ReadTable | undefined;
  /** For formats whose records have named fields. */
  readonly mapping?: FieldMapping | undefined;
  /** The log format given by the user. */
  readonly logFormat?: PreparedLog | undefined;
}

/** The beginning of a file, after decompression, from which its format is detected. */
export interface FormatHead {
  readonly bytes: Uint8Array;
  /** Without a byte order mark. */
  readonly text: string;
  /** Non-empty lines; the last may be cut off. */
  readonly lines: readonly string[];
  /** The JSON objects among the first few lines, parsed. */
  readonly objects: readonly Readonly<Record<string, unknown>>[];
  /** The number of lines that were tried for `objects`. */
  readonly tried: number;
}

/** The number of lines to try as JSON. */
const TRIED = 20;

/**
 * Returns the beginning of a file for detection.
 * @param whole nothing of the file follows `bytes`
 */
export function formatHead(bytes: Uint8Array, whole: boolean): FormatHead {
  const text = bytesToUtf8(bytes).replace(/^\ufeff/, '');
  const all = text.split(/\r?\n/);
  const lines = all.filter(line => line.trim() !== '');
  // Whether a line that is cut off is JSON is unknown.
  const complete = whole || all.at(-1)!.trim() === '' ? lines : lines.slice(0, -1);
  const tried = complete.slice(0, TRIED);
  const objects = tried.flatMap(line => {
    const record = /^\s*\{/.test(line) ? parseObject(line) : undefined;
    return record === undefined ? [] : [record];
  });
  return { bytes, text, lines, objects, tried: tried.length };
}

/** Returns the fraction of lines, 0 to 1, that are JSON objects of a kind. */
export function shareOfObjects(
  { objects, tried }: FormatHead,
  isMeant: (record: Readonly<Record<string, unknown>>) => boolean,
): number {
  return tried === 0 ? 0 : objects.filter(isMeant).length / tried;
}

/**
 * Returns the confidence, up to 0.8, that a log with JSON objects of a kind has their format: higher than that of plain JSON lines. Server
 * logs contain other messages, too.
 */
export function sureOfDialect(
  head: FormatHead,
  isMeant: (record: Readonly<Record<string, unknown>>) => boolean,
): number {
  const share = shareOfObjects(head, isMeant);
  return share === 0 ? 0 : 0.5 + 0.3 * share;
}
