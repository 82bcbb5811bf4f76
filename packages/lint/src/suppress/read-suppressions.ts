import type { Range, SourceText } from '@tollgate/diagnostics';
import { firstFrom } from '../primitives/sorted-ranges.ts';
import type { MalformedSuppression, Suppression } from '../rule-api/suppression.ts';

/** The suppressions in the comments of a file. */
interface Suppressions {
  readonly all: readonly Suppression[];
  readonly malformed: readonly MalformedSuppression[];
}

const NONE: Suppressions = { all: [], malformed: [] };
const MARK = 'tollgate-ignore';
const COMMENT = /^#+[ \t]*tollgate-ignore(?:-(\w+))?(?=[ \t]|$)/;
const UNTIL = /\buntil:[ \t]*(\S+)/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Reads comments such as `# tollgate-ignore rule-a, rule-b -- reason until:2027-01-01`. On a line of its own, it applies to the next line
 * with content, otherwise to its own line; `-start` and `-end` enclose a block, and `-file` applies to the file. A line on which a
 * multi-line scalar starts includes the whole scalar.
 *
 * @param scalars returns the ranges of multi-line scalars
 */
export function readSuppressions(
  source: SourceText,
  comments: readonly Range[],
  scalars: () => readonly Range[],
): Suppressions {
  if (!source.text.includes(MARK)) return NONE;
  const sorted = scalars().toSorted((a, b) => a.start - b.start);
  const reader: SuppressionReader = {
    source,
    scalars: sorted,
    all: [],
    malformed: [],
    open: [],
    content: { from: 0, to: 0 },
  };
  for (const comment of comments) readComment(comment, reader);
  for (const { range } of reader.open)
    reader.malformed.push({
      range,
      message: '`tollgate-ignore-start` without `tollgate-ignore-end`; add one, or use `tollgate-ignore-file`',
    });
  return { all: reader.all, malformed: reader.malformed };
}

interface SuppressionReader {
  readonly source: SourceText;
  /** Sorted. */
  readonly scalars: readonly Range[];
  readonly all: Suppression[];
  readonly malformed: MalformedSuppression[];
  /** Open blocks, innermost last. */
  open: Suppression[];
  /** For the last comment: the lines up to the next one with content, or to the end. */
  content: { readonly from: number; readonly to: number };
}

function readComment(range: Range, reader: SuppressionReader): void {
  const text = reader.source.text.slice(range.start, range.end).trimEnd();
  const head = COMMENT.exec(text);
  if (!head) return;
  const comment = { text, length: head[0].length, range: { start: range.start, end: range.start + text.length } };
  const refusal = head[1] === 'end' ? closeBlock(comment.range, reader) : addSuppression(comment, head[1], reader);
  if (refusal !== undefined) reader.malformed.push({ range: comment.range, message: refusal });
}

interface Comment {
  readonly text: string;
  /** Length of the part before the names. */
  readonly length: number;
  readonly range: Range;
}

/** Returns what is wrong with the comment, if anything. */
function addSuppression(comment: Comment, kind: string | undefined, reader: SuppressionReader): string | undefined {
  if (kind !== undefined && kind !== 'start' && kind !== 'file')
    return `unknown suppression \`tollgate-ignore-${kind}\`; use \`-start\`, \`-end\` or \`-file\``;
  const { text, length, range } = comment;
  const dashes = text.indexOf('--', length);
  const names = namesIn(text, { start: length, end: dashes < 0 ? text.length : dashes }, range.start);
  if (names.length === 0) return 'expected ids of lint rules after `tollgate-ignore`';
  const { reason, until } = reasonIn(comment, dashes);
  if (until && !isDate(until.date))
    return `expected a date such as \`2027-01-01\` after \`until:\`, found \`${until.date}\``;
  const suppression = { range, names, reason, until };
  const end = reader.source.text.length;
  if (kind === 'start') reader.open.push({ ...suppression, kind: 'block', scope: { start: range.end, end } });
  else if (kind === 'file') reader.all.push({ ...suppression, kind, scope: { start: 0, end } });
  else reader.all.push({ ...suppression, kind: 'line', scope: lineScope(range, reader) });
  return undefined;
}

function reasonIn({ text, range }: Comment, dashes: number): Pick<Suppression, 'reason' | 'until'> {
  if (dashes < 0) return { reason: undefined, until: undefined };
  const why = text.slice(dashes + 2);
  const reason = why.replace(UNTIL, '').trim();
  const found = UNTIL.exec(why);
  const start = range.start + dashes + 2 + (found?.index ?? 0);
  return {
    reason: reason === '' ? undefined : reason,
    until: found ? { date: found[1]!, range: { start, end: start + found[0].length } } : undefined,
  };
}

/** Splits ids at commas and spaces. */
function namesIn(text: string, { start, end }: Range, offset: number): Suppression['names'] {
  const found = text.slice(start, end).matchAll(/[^\s,]+/g);
  return Array.from(found, ({ 0: name, index }) => {
    const at = offset + start + index;
    return { name, range: { start: at, end: at + name.length } };
  });
}

function isDate(text: string): boolean {
  return DATE.test(text) && !Number.isNaN(Date.parse(text));
}

/** Closes the innermost block. */
function closeBlock(range: Range, reader: SuppressionReader): string | undefined {
  const block = reader.open.pop();
  if (!block) return '`tollgate-ignore-end` without `tollgate-ignore-start`; remove it';
  reader.all.push({ ...block, scope: { start: block.scope.start, end: range.start } });
  return undefined;
}

function lineScope(comment: Range, reader: SuppressionReader): Range {
  const { source } = reader;
  const line = source.positionAt(comment.start).line;
  const before = source.text.slice(source.lineRange(line).start, comment.start);
  const target = before.trim() === '' ? nextLine(line, reader) : line;
  const { start, end } = source.lineRange(target);
  let last = end;
  for (let at = firstFrom(reader.scalars, start); at < reader.scalars.length; at += 1) {
    const text = reader.scalars[at]!;
    if (text.start > end) break;
    last = Math.max(last, text.end);
  }
  return { start, end: last };
}

/** Returns the next line with content; the line itself if there is none. Comments are read in order, so each line is examined once. */
function nextLine(line: number, reader: SuppressionReader): number {
  const { source, content } = reader;
  if (line < content.from || line >= content.to) {
    let next = line + 1;
    while (next < source.lineCount && isBlank(source, next)) next += 1;
    reader.content = { from: line, to: next };
  }
  const { to } = reader.content;
  return to < source.lineCount ? to : line;
}

function isBlank(source: SourceText, line: number): boolean {
  const { start, end } = source.lineRange(line);
  return /^\s*(?:#.*)?$/.test(source.text.slice(start, end));
}
