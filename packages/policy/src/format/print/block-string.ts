import { isUnprintable } from '../../document/scalars/scalar-style.ts';

/** A text in a block scalar. */
export interface BlockText {
  /** Such as `>-`. */
  readonly header: string;
  /** Without indentation. */
  readonly lines: readonly string[];
}

/** Spaces by which content is indented beyond what holds it. */
const INDENTATION = 2;

/** A text in a literal block, line by line; undefined where such a block cannot hold it. */
export function literalBlock(value: string): BlockText | undefined {
  // Blanks at the end of the text would be taken for empty lines, tabs at its beginning for indentation.
  if (isUnprintable(value) || value.trim() === '' || /\n[ \t]+$/.test(value) || /^\n*\t/.test(value)) return undefined;
  const indicator = /^\n* /.test(value) ? String(INDENTATION) : '';
  return { header: `|${indicator}${chomping(value)}`, lines: linesOf(value) };
}

/** A text in a folded block with lines of at most `width`, where it has spaces there; undefined where such a block cannot hold it. */
export function foldedBlock(value: string, width: number): BlockText | undefined {
  const isFoldable = /^\S/.test(value) && !/\n[ \t]|[ \t](?:\n|$)/.test(value) && !isUnprintable(value);
  if (!isFoldable) return undefined;
  const ends = lineBreaksAtEnd(value);
  const [first = '', ...others] = value.slice(0, value.length - ends).split('\n');
  // A line break in the text is an empty line; an empty line adds no more to that.
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
