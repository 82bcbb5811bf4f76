import type { TrafficBatch } from '../exchange/batch.ts';
import type { TrafficLimits } from '../input/limits.ts';
import type { FieldMapping } from '../json-lines/field-mapping.ts';
import type { PreparedLog } from '../log-format/parse-log-format.ts';
import type { LineStep } from '../record/line-grammar.ts';
import type { FormatHead } from './format-head.ts';

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

/** How to read a file of any format. */
export interface FormatOptions {
  readonly limits: TrafficLimits;
  /** The file, possibly compressed, that the source is read from; undefined if the source is not a file. */
  readonly path?: string | undefined;
  /** For formats whose records have named fields. */
  readonly mapping?: FieldMapping | undefined;
  /** The log format given by the user. */
  readonly logFormat?: PreparedLog | undefined;
}
