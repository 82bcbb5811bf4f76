import { lineStart, type Range, singleQuoted } from '@tollgate/diagnostics';
import type { Finding } from './document-node.ts';

/** A string that YAML reads as something else, and the finding about it. */
export interface YamlTrap {
  /** The string, up to the end of its line. */
  readonly range: Range;
  readonly finding: Finding;
}

/** A line of a block list or map whose value begins with an indicator. */
const LINE = /^((?: |- )*(?:(?:[\w.-]+|"[^"\\]*"|'[^']*'): +)?)([!%@`*"'[{|>].*)$/;
/** Tags of the core schema. */
const KNOWN_TAG = /^!!(?:str|int|float|bool|null|map|seq)(?: |$)/;
const NOTHING_MORE = /^ *(?:: .*|:|#.*)?$/;

/**
 * Returns the trap on a line with a YAML error: an unquoted string that begins with `!`, a quote or another
 * indicator. Undefined if the line has none.
 */
export function trapIn(document: string, offset: number): YamlTrap | undefined {
  const start = lineStart(document, offset);
  const lineEnd = document.indexOf('\n', start);
  const line = document.slice(start, lineEnd < 0 ? document.length : lineEnd);
  const [, before = '', value = ''] = LINE.exec(line.trimEnd()) ?? [];
  const named = value === '' ? undefined : nameOf(value);
  if (!named) return undefined;
  const range = { start: start + before.length, end: start + before.length + value.length };
  const marked = { start: range.start, end: range.start + named.length };
  const edits = [{ range, newText: singleQuoted(value) }];
  const { code, message } = named;
  // What follows may be a comment or part of the string.
  const applicability = value.includes(' #') ? 'suggestion' : 'safe';
  const fixes = [{ title: 'put quotes around it', applicability, edits } as const];
  return { range, finding: { code, message, range: marked, args: named.args ?? {}, fixes } };
}

interface Named {
  readonly code: string;
  readonly message: string;
  /** Length of the part of the value to mark. */
  readonly length: number;
  readonly args?: Finding['args'];
}

function nameOf(value: string): Named | undefined {
  const first = value[0]!;
  switch (first) {
    case '!':
      return KNOWN_TAG.test(value) ? undefined : tag(value);
    case '%':
    case '@':
    case '`':
      return {
        code: 'yaml/bad-scalar-start',
        message: `${shown(first)} cannot begin an unquoted string; put quotes around it`,
        length: 1,
      };
    case '"':
    case "'":
      return goesOn(value, closingQuote(value)) ? quoted(value) : undefined;
    case '[':
    case '{':
      return goesOn(value, closingBracket(value)) ? begins(first, first === '[' ? 'a list' : 'a map') : undefined;
    case '*':
      return /^\*[^\s,[\]{}]+ +[^#\s]/.test(value) ? begins('*', 'an alias') : undefined;
    default:
      return /^[|>][-+\d]{0,2}(?: +#.*| *)$/.test(value) ? undefined : begins(first, 'a block scalar');
  }
}

function tag(value: string): Named {
  const written = /^\S+/.exec(value)![0];
  return { code: 'yaml/unknown-tag', message: tagMessage(written), length: written.length, args: { tag: written } };
}

/** Says why a string that begins with `!` is not read as one. */
export function tagMessage(tag: string): string {
  return `YAML reads \`${tag.length > 20 ? '!…' : tag}\` as a tag; quote the expression`;
}

function quoted(value: string): Named {
  const quote = value[0]!;
  const other = quote === '"' ? 'single' : 'double';
  const message = `the string contains ${shown(quote)}; enclose it in ${other} quotes`;
  return { code: 'yaml/unquoted-text', message, length: closingQuote(value) };
}

function begins(first: string, what: string): Named {
  const message = `${shown(first)} begins ${what} in YAML; put quotes around a string that begins with it`;
  return { code: 'yaml/unquoted-text', message, length: 1 };
}

function shown(character: string): string {
  return character === '`' ? 'a backtick' : `\`${character}\``;
}

/** Returns true if more than a colon or comment follows the quote or bracket closed at `end`. */
function goesOn(value: string, end: number): boolean {
  return end > 0 && !NOTHING_MORE.test(value.slice(end));
}

function closingQuote(value: string): number {
  const pattern = value[0] === '"' ? /^"(?:[^"\\]|\\.)*"/ : /^'(?:[^']|'')*'/;
  return pattern.exec(value)?.[0].length ?? 0;
}

/** Offset after the bracket that closes the first one, ignoring brackets in quotes; 0 if there is none on the line. */
function closingBracket(value: string): number {
  let depth = 0;
  for (const { 0: part, index } of value.matchAll(/"(?:[^"\\]|\\.)*"|'[^']*'|[[\]{}]/g)) {
    if ('[{'.includes(part)) depth += 1;
    else if (']}'.includes(part)) depth -= 1;
    if (depth === 0) return index + part.length;
  }
  return 0;
}
