import { parseObject } from '../json-lines/read-json-lines.ts';

/** The beginning of a file, after decompression, from which its format is detected. */
export interface FormatHead {
  readonly bytes: Buffer;
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
export function formatHead(bytes: Buffer, whole: boolean): FormatHead {
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
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
