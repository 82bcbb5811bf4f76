import { isUnprintable } from '../../document/scalars/scalar-style.ts';

/** A string as a block scalar. */
export interface BlockString {
  /** For example `>-`. */
  readonly header: string;
  /** Without indentation. */
  readonly lines: readonly string[];
}

/** Spaces of content beyond its parent's indentation. */
const INDENTATION = 2;

/** Writes a string as a literal block; undefined if that is impossible. */
export function literalBlock(value: string): BlockString | undefined {
  // Trailing spaces would be read as empty lines, leading tabs as indentation.
  if (isUnprintable(value) || value.trim() === '' || /\n[ \t]+$/.test(value) || /^\n*\t/.test(value)) return undefined;
  const indicator = /^\n* /.test(value) ? String(INDENTATION) : '';
  return { header: `|${indicator}${chomping(value)}`, lines: linesOf(value) };
}

/** Writes a string as a folded block, broken at spaces to fit `width`; undefined if that is impossible. */
export function foldedBlock(value: string, width: number): BlockString | undefined {
  const isFoldable = /^\S/.test(value) && !/\n[ \t]|[ \t](?:\n|$)/.test(value) && !isUnprintable(value);
  if (!isFoldable) return undefined;
  const ends = lineBreaksAtEnd(value);
  const [first = '', ...others] = value.slice(0, value.length - ends).split('\n');
  // A line break in the string becomes an empty line; each further one adds another.
  const lines = [...wrap(first, width), ...others.flatMap(line => ['', ...(line === '' ? [] : wrap(line, width))])];
  return { header: `>${chomping(value)}`, lines: [...lines, ...Array<string>(Math.max(0, ends - 1)).fill('')] };
}

function lineBreaksAtEnd(value: string): number {
  let start = value.length;
  while (value[start - 1] === '\n') start--;
  return value.length - start;
}

function chomping(value: string): string {
  if (!value.endsWith('\n')) return '-';
  return value.endsWith('\n\n') ? '+' : '';
}

function linesOf(value: string): readonly string[] {
  return (value.endsWith('\n') ? value.slice(0, -1) : value).split('\n');
}

/** Only single spaces between visible characters can become line breaks. */
function wrap(line: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of line.split(/(?<=\S) (?=\S)/)) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
