import type { TrafficBatch } from '../exchange/batch.ts';
import type { TrafficLimits } from '../input/limits.ts';
import type { FieldMapping } from '../json-lines/field-mapping.ts';
import type { PreparedLog } from '../log-format/parse-log-format.ts';
import type { LineStep } from '../record/line-grammar.ts';
import type { FormatHead } from './format-head.ts';

/** A format of recorded traffic: how it is told, and how it is read. */
export interface FormatDescription {
  readonly name: string;
  /** What it is, for people; with its article. */
  readonly title: string;
  /**
   * How sure the beginning of a file makes that the file is of this format: 0 for not at all, 1 for beyond doubt. The surest format is taken,
   * the first in the registry among equals.
   */
  readonly detect: (head: FormatHead, options: FormatOptions) => number;
  /** Of formats whose lines are fields in a fixed order: what stands in them, for telling where a line breaks the format. */
  readonly steps?: readonly LineStep[];
  /** Each record is a line that can be read without the lines before it. */
  readonly isLineByLine?: true;
  /** @param file as the user named it; `-` for standard input */
  readonly read: (
    source: AsyncIterable<Uint8Array>,
    file: string,
    options: FormatOptions,
  ) => AsyncIterable<TrafficBatch>;
}

/** How a file of any format is to be read. */
export interface FormatOptions {
  readonly limits: TrafficLimits;
  /** Of the file that the source is read of, which may be compressed; undefined where the source is no file. */
  readonly path?: string | undefined;
  /** For formats whose records have names for their fields. */
  readonly mapping?: FieldMapping | undefined;
  /** What lines of text are said to be of. */
  readonly logFormat?: PreparedLog | undefined;
}
