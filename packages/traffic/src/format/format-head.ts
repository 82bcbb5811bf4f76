import { parseObject } from '../json-lines/read-json-lines.ts';

/** The beginning of a file, after decompression, that a format is told by. */
export interface FormatHead {
  readonly bytes: Buffer;
  /** Without byte order mark. */
  readonly text: string;
  /** Those that are not empty; the last may be cut off. */
  readonly lines: readonly string[];
  /** The lines that are JSON objects, parsed: of the first few only. */
  readonly objects: readonly Readonly<Record<string, unknown>>[];
  /** Lines that were tried for `objects`. */
  readonly tried: number;
}

/** Lines that are tried for JSON. */
const TRIED = 20;

/** @param whole nothing of the file comes after `bytes` */
export function formatHead(bytes: Buffer, whole: boolean): FormatHead {
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  const all = text.split(/\r?\n/);
  const lines = all.filter(line => line.trim() !== '');
  // A last line that is cut off says nothing of whether it is JSON.
  const complete = whole || all.at(-1)!.trim() === '' ? lines : lines.slice(0, -1);
  const tried = complete.slice(0, TRIED);
  const objects = tried.flatMap(line => {
    const record = /^\s*\{/.test(line) ? parseObject(line) : undefined;
    return record === undefined ? [] : [record];
  });
  return { bytes, text, lines, objects, tried: tried.length };
}

/** The share of the lines that are JSON objects of a kind, between 0 and 1. */
export function shareOfObjects(
  { objects, tried }: FormatHead,
  isMeant: (record: Readonly<Record<string, unknown>>) => boolean,
): number {
  return tried === 0 ? 0 : objects.filter(isMeant).length / tried;
}

/** How sure objects of a kind make of the format that has them: surer than JSON lines are of any, up to 0.8. Logs of servers hold other messages, too. */
export function sureOfDialect(
  head: FormatHead,
  isMeant: (record: Readonly<Record<string, unknown>>) => boolean,
): number {
  const share = shareOfObjects(head, isMeant);
  return share === 0 ? 0 : 0.5 + 0.3 * share;
}
