/** A log format as a sequence of fixed text and variables, and the scanner that splits lines by it. */
import { mismatchText } from '../records/line-grammar.ts';
import { LogFormatError, type LogVariable, type ParsedFormat, type Shape } from './log-variable.ts';

/** A log format as the sequence of segments that a line is split into. */
export interface Layout {
  /** The prefix of each line. */
  readonly prefix: string;
  readonly stretches: readonly Stretch[];
}

/** A segment of a line between two literal parts of the format: one variable, or two that can be separated. */
export interface Stretch {
  readonly variable: LogVariable;
  /** A second variable in the same segment. It starts at the first `mark`, or is missing. */
  readonly second?: { readonly variable: LogVariable; readonly mark: string } | undefined;
  /** The literal that follows it; empty at the end of the line. */
  readonly after: string;
}

/** Returns the layout of a format. Throws a {@link LogFormatError} if its lines cannot be split. */
export function layoutOf({ parts }: ParsedFormat): Layout {
  const [first] = parts;
  const stretches: Stretch[] = [];
  for (const part of parts) {
    if (part.kind === 'text') {
      const last = stretches.pop();
      if (last !== undefined) stretches.push({ ...last, after: last.after + part.text });
    } else addVariable(part, stretches);
  }
  if (stretches.length === 0) throw new LogFormatError('expected a log format with at least one variable');
  return { prefix: first?.kind === 'text' ? first.text : '', stretches };
}

function addVariable(variable: LogVariable, stretches: Stretch[]): void {
  const last = stretches.at(-1);
  if (last === undefined || last.after !== '' || isFixed(last.variable)) {
    stretches.push({ variable, after: '' });
    return;
  }
  const mark = last.second === undefined ? markBetween(last.variable, variable) : undefined;
  if (mark === undefined) {
    const [one, two] = [last.second?.variable.written ?? last.variable.written, variable.written];
    throw new LogFormatError(`\`${one}\` and \`${two}\` have no separator between them, so lines cannot be split`);
  }
  stretches[stretches.length - 1] = { ...last, second: { variable, mark } };
}

function isFixed({ shape }: LogVariable): boolean {
  return shape === 'log-time' || shape === 'bracketed-time';
}

/** A host ends where the path begins, and a path where the query does. */
function markBetween(one: LogVariable, two: LogVariable): string | undefined {
  const isHost =
    one.slot === 'host-name' || one.header?.name.toLowerCase() === 'host' || /server_name|%v/.test(one.written);
  const isTarget =
    two.slot === 'target' || two.slot === 'decoded-path' || /^\$\{?(?:uri|document_uri)\}?$/.test(two.written);
  if (isHost && isTarget) return '/';
  const isPath = one.slot === 'decoded-path' || /^\$\{?(?:uri|document_uri)\}?$/.test(one.written);
  return isPath && (two.slot === 'query' || /^\$\{?is_args\}?$/.test(two.written)) ? '?' : undefined;
}

/** Start and end of each segment of a line in order; half-open UTF-16 offsets. */
export type StretchOffsets = readonly number[];

/** The number of segment ends to try for one line. Only adversarial lines need more. */
const MAX_TRIES = 1000;

const LENGTHS: Readonly<Partial<Record<Shape, number>>> = { 'log-time': 26, 'bracketed-time': 28 };
const SPACE = 32;
const QUOTE = 34;
const BACKSLASH = 92;

/**
 * Finds the segments of lines of one format. Each ends at the first occurrence of its separator after which the rest of the line matches,
 * because values may contain separators.
 */
export class LayoutScanner {
  readonly #layout: Layout;
  #text = '';
  #offsets: number[] = [];
  #tries = 0;
  /** How far a line matched: the segment that was not found, and its start. */
  #furthest = { index: 0, at: 0 };

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  /** Returns undefined for a line in another format. */
  scan(text: string): StretchOffsets | undefined {
    const { prefix, stretches } = this.#layout;
    if (!text.startsWith(prefix)) return undefined;
    this.#text = text;
    this.#tries = 0;
    this.#furthest = { index: 0, at: prefix.length };
    this.#offsets = new Array<number>(stretches.length * 2).fill(0);
    return this.#scanFrom(0, prefix.length) ? this.#offsets : undefined;
  }

  /** Returns where a line breaks the format; undefined if it matches. */
  explain(text: string): string | undefined {
    const { prefix, stretches } = this.#layout;
    if (!text.startsWith(prefix)) return mismatchText({ offset: 0, expected: `\`${prefix}\`` }, text);
    if (this.scan(text) !== undefined) return undefined;
    const { index, at } = this.#furthest;
    const stretch = stretches[index];
    if (stretch === undefined) return mismatchText({ offset: at, expected: 'the end of the line' }, text);
    const { variable, second, after } = stretch;
    const end = after === '' ? '' : ` and then \`${after}\``;
    const expected = `\`${variable.written}${second?.variable.written ?? ''}\`${end}`;
    return mismatchText({ offset: at, expected }, text);
  }

  #scanFrom(index: number, start: number): boolean {
    if (start > this.#furthest.at) this.#furthest = { index, at: start };
    const stretch = this.#layout.stretches[index];
    if (stretch === undefined) return start === this.#text.length;
    this.#offsets[index * 2] = start;
    const length = LENGTHS[stretch.variable.shape];
    if (length !== undefined) return this.#endsAt(index, start + length);
    const isLast = index === this.#layout.stretches.length - 1;
    if (isLast && stretch.after === '') {
      return this.#holds(stretch, start, this.#text.length) && this.#endsAt(index, this.#text.length);
    }
    return this.#scanToText(index, start);
  }

  #scanToText(index: number, start: number): boolean {
    const stretch = this.#layout.stretches[index]!;
    const { after } = stretch;
    let checked = start;
    for (let end = this.#text.indexOf(after, start); end >= 0; end = this.#text.indexOf(after, end + 1)) {
      // A later end would include characters that the shape excludes.
      if (!this.#holds(stretch, checked, end)) return false;
      checked = end;
      if (after.charCodeAt(0) === QUOTE && this.#isEscaped(start, end)) continue;
      if (this.#endsAt(index, end)) return true;
      if (++this.#tries > MAX_TRIES) return false;
    }
    return false;
  }

  #endsAt(index: number, end: number): boolean {
    const { after } = this.#layout.stretches[index]!;
    this.#offsets[index * 2 + 1] = end;
    return this.#text.startsWith(after, end) && this.#scanFrom(index + 1, end + after.length);
  }

  #holds({ variable, second }: Stretch, start: number, end: number): boolean {
    const shape = second === undefined ? variable.shape : 'text';
    if (shape === 'text') return true;
    for (let at = start; at < end; at++) {
      const code = this.#text.charCodeAt(at);
      if (shape === 'word' ? code === SPACE || code === QUOTE : !isOfNumber(code)) return false;
    }
    return true;
  }

  /** An odd number of backslashes before a quote escapes it. */
  #isEscaped(start: number, quote: number): boolean {
    let at = quote;
    while (at > start && this.#text.charCodeAt(at - 1) === BACKSLASH) at--;
    return (quote - at) % 2 === 1;
  }
}

/** A digit, `-` or `.`. */
function isOfNumber(code: number): boolean {
  return (code >= 48 && code <= 57) || code === 45 || code === 46;
}
