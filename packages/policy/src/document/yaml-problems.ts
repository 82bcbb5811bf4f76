import { type Fix, lineStart, type Range, singleQuoted } from '@tollgate/diagnostics';
import type { YAMLError } from 'yaml';
import type { Finding, Reporter } from './document-node.ts';
import { tagMessage, type YamlTrap } from './yaml-traps.ts';

/** Messages for the YAML parser's codes; all others use the parser's own message, adapted. */
const MESSAGES: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'tab used for indentation; use spaces',
  BLOCK_AS_IMPLICIT_KEY: 'map in the middle of a line; put quotes around a string that contains `: `',
  MULTILINE_IMPLICIT_KEY: 'key on several lines; write it on one line',
};

/**
 * Converts the YAML parser's errors into findings. Drops errors that follow from a tag or tab on the same line, and
 * all structural errors but the first, since the others usually follow from it.
 */
export function yamlFindings(document: string, all: readonly YAMLError[]): readonly Finding[] {
  const tab = all.find(({ code }) => code === 'TAB_AS_INDENT');
  const first = tab ?? all.filter(isStructural).reduce<YAMLError | undefined>(earlier, undefined);
  const problems = all.filter(problem => problem === first || !isStructural(problem));
  const causes = new Set(problems.filter(isCause).map(problem => lineEnd(document, problem.pos[0])));
  return problems
    .filter(problem => isCause(problem) || !causes.has(lineEnd(document, problem.pos[0])))
    .map(problem => (isTag(problem) ? tagFinding(document, problem) : finding(document, problem)));
}

function earlier(a: YAMLError | undefined, b: YAMLError): YAMLError {
  return a && a.pos[0] <= b.pos[0] ? a : b;
}

function isCause(problem: YAMLError): boolean {
  return isTag(problem) || problem.code === 'TAB_AS_INDENT';
}

function isTag(problem: YAMLError): boolean {
  return problem.code === 'TAG_RESOLVE_FAILED';
}

function finding(document: string, problem: YAMLError): Finding {
  const { code } = problem;
  if (code === 'BAD_DQ_ESCAPE') return escapeFinding(document, problem);
  const explained = isStructural(problem) ? structureProblem(document, problem) : undefined;
  if (explained) return explained;
  return {
    code: `yaml/${code.toLowerCase().replaceAll('_', '-')}`,
    message: MESSAGES[code] ?? adapted(problem.message),
    range: clampRange(document, problem.pos),
    args: {},
  };
}

/** Usually a regular expression or a Windows path. */
function escapeFinding(document: string, problem: YAMLError): Finding {
  const range = clampRange(document, [problem.pos[0], problem.pos[0] + 2]);
  const written = document.slice(range.start, range.end);
  const edits = [{ range: { start: range.start, end: range.start }, newText: '\\' }];
  return {
    code: 'yaml/bad-dq-escape',
    message: `\`${written}\` is not a YAML escape; write \`\\${written}\`, or use single quotes`,
    range,
    args: { found: written },
    fixes: [{ title: 'double the backslash', applicability: 'suggestion', edits }],
  };
}

/** Usually an expression that begins with `!`. */
function tagFinding(document: string, problem: YAMLError): Finding {
  const range = firstTag(document, problem.pos[0]);
  const line = { start: range.start, end: lineEnd(document, range.start) };
  const text = document.slice(line.start, line.end).trimEnd();
  const quoted = singleQuoted(text);
  return {
    code: 'yaml/unknown-tag',
    message: tagMessage(document.slice(range.start, range.end)),
    range,
    args: { tag: document.slice(range.start, range.end) },
    fixes: [
      {
        title: 'put quotes around it',
        applicability: 'suggestion',
        edits: [{ range: { start: line.start, end: line.start + text.length }, newText: quoted }],
      },
    ],
  };
}

/** Of several tags on a line, the parser reports the last. */
function firstTag(document: string, offset: number): Range {
  const lineOffset = lineStart(document, offset);
  const before = /(?<=^|\s)!/.exec(document.slice(lineOffset, offset + 1));
  const start = before ? lineOffset + before.index : offset;
  const length = /^\S+/.exec(document.slice(start, lineEnd(document, start)))?.[0].length ?? 0;
  return { start, end: start + length };
}

function lineEnd(document: string, offset: number): number {
  const end = document.indexOf('\n', offset);
  return end < 0 ? document.length : end;
}

function clampRange(document: string, [start, end]: readonly [number, number]): Range {
  const from = Math.min(Math.max(start, 0), document.length);
  return { start: from, end: Math.min(Math.max(end, from), document.length) };
}

function adapted(message: string): string {
  const text = message
    .replace(/\.$/, '')
    .replace(/^Missing closing (["'])quote$/, 'unterminated string; add `$1`')
    .replace(/"([^"]*)"/g, '`$1`')
    .replace(/flow sequence in block collection/i, 'a list in brackets')
    .replace(/flow map in block collection/i, 'a map in braces')
    .replace(/mapping/g, 'map')
    .replace(/(?<!escape )sequence/g, 'list');
  return text.charAt(0).toLowerCase() + text.slice(1);
}

const STRUCTURAL: ReadonlySet<string> = new Set([
  ...[
    'MULTILINE_IMPLICIT_KEY',
    'BLOCK_AS_IMPLICIT_KEY',
    'BAD_INDENT',
    'MISSING_CHAR',
    'TAB_AS_INDENT',
    'BLOCK_IN_FLOW',
  ],
  ...['UNEXPECTED_TOKEN', 'IMPOSSIBLE'],
]);

/** Returns true if the error can change which node the following lines belong to. */
export function isStructural({ code }: YAMLError): boolean {
  return STRUCTURAL.has(code);
}

/** Explains a structural error from the surrounding lines; undefined if only the parser's message is known. */
function structureProblem(document: string, { code, message, pos }: YAMLError): Finding | undefined {
  if (/^Flow |closing|BLOCK_IN_FLOW/.test(`${message} ${code}`) || code === 'TAB_AS_INDENT') return undefined;
  const line = lineAt(document, pos[0]);
  const tab = /^ *\t/.exec(line.text);
  if (tab) return tabIndent(line.start + tab[0].length - 1);
  if (isItemOutOfLine(document, line)) return wrongIndent(document, line);
  const isIndent = code === 'BAD_INDENT' || /without - indicator/.test(message);
  if (isIndent) return wrongIndent(document, line);
  if (code !== 'MULTILINE_IMPLICIT_KEY' && code !== 'BLOCK_AS_IMPLICIT_KEY') return undefined;
  const colon = missingColon(line);
  if (colon) return colon;
  if (/^ *- /.test(document.slice(pos[0], line.end)) && pos[0] === line.start) return wrongIndent(document, line);
  const next = nextLine(document, line.end);
  return next && ENTRY.test(next.text) ? wrongIndent(document, next) : undefined;
}

function tabIndent(start: number): Finding {
  return {
    code: 'yaml/tab-as-indent',
    message: 'tab used for indentation; use spaces',
    range: { start, end: start + 1 },
    args: {},
  };
}

/** Returns true if a list item starts between the columns of the items before it. */
function isItemOutOfLine(document: string, { start, text }: SourceLine): boolean {
  const indent = /^ *(?=- )/.exec(text)?.[0].length;
  if (indent === undefined) return false;
  const columns = columnsBefore(document.slice(0, start), true);
  return columns.some(column => column > indent) && !columns.includes(indent);
}

interface SourceLine extends Range {
  readonly text: string;
}

const ENTRY = /^ *(?:- |[\w.-]+:(?: |$))/;

function lineAt(document: string, offset: number): SourceLine {
  const start = lineStart(document, offset);
  const found = document.indexOf('\n', offset);
  const end = found < 0 ? document.length : found;
  return { start, end, text: document.slice(start, end).trimEnd() };
}

function nextLine(document: string, from: number): SourceLine | undefined {
  for (let at = from + 1; at < document.length; ) {
    const line = lineAt(document, at);
    if (line.text.trim() !== '' && !line.text.trim().startsWith('#')) return line;
    at = line.end + 1;
  }
  return undefined;
}

/** Finds a key without a colon (`actions`), or without a space after it (`name:x`). */
function missingColon({ start, text }: SourceLine): Finding | undefined {
  const [, before = '', word = '', rest = ''] = /^((?: |- )*)([A-Za-z_][\w-]*)(.*)$/.exec(text) ?? [];
  if (word === '') return undefined;
  const from = start + before.length;
  const end = from + word.length;
  const finding = (what: string, at: number, newText: string): Finding => ({
    code: 'yaml/multiline-implicit-key',
    message: `missing ${what} after \`${text.slice(before.length, at - start)}\`; add it`,
    range: { start: from, end: at },
    args: {},
    fixes: [
      { title: `add the ${what}`, applicability: 'suggestion', edits: [{ range: { start: at, end: at }, newText }] },
    ],
  });
  if (/^:[^\s:]/.test(rest)) return finding('space', end + 1, ' ');
  return rest === '' || /^ +(?!:)(?!.*: )/.test(rest) ? finding('`:`', end, ':') : undefined;
}

function remedyFor(column: number | undefined): string {
  if (column === undefined) return 'align it with its neighbors';
  return column === 0 ? 'remove the indentation' : `indent it by ${spaces(column)}`;
}

function wrongIndent(document: string, { start, text }: SourceLine): Finding | undefined {
  const indent = /^ */.exec(text)![0].length;
  const content = text.slice(indent);
  const isItem = /^-(?: |$)/.test(content);
  const shown = isItem ? '-' : (/^[\w.-]+/.exec(content)?.[0] ?? content.slice(0, 20));
  const column = nearestColumn(columnsBefore(document.slice(0, start), isItem), indent);
  const remedy = remedyFor(column);
  const range = { start: start + indent, end: start + indent + shown.length };
  const edits = [{ range: { start, end: start + indent }, newText: ' '.repeat(column ?? 0) }];
  return {
    code: 'yaml/bad-indent',
    message: `\`${shown}\` is indented by ${spaces(indent)}, unlike the lines around it; ${remedy}`,
    range,
    args: { found: indent },
    ...(column !== undefined && { fixes: [{ title: remedy, applicability: 'suggestion', edits }] }),
  };
}

function spaces(count: number): string {
  return count === 1 ? '1 space' : `${count} spaces`;
}

/** Returns the columns of keys, or of dashes, line by line, the last line first. */
function columnsBefore(before: string, isItem: boolean): readonly number[] {
  return before
    .split('\n')
    .toReversed()
    .flatMap(line => {
      const [all = '', dashes = ''] = /^((?: |- )*)(?:[\w.-]+|"[^"]*"|'[^']*'):(?: |$)|^((?: |- )*)/.exec(line) ?? [];
      if (isItem) return line.includes('- ') && /^ *- /.test(line) ? [line.indexOf('-')] : [];
      return all.endsWith(':') || all.endsWith(': ') ? [dashes.length] : [];
    });
}

function nearestColumn(columns: readonly number[], indent: number): number | undefined {
  let best: number | undefined;
  for (const column of columns)
    if (column !== indent && (best === undefined || Math.abs(column - indent) < Math.abs(best - indent))) best = column;
  return best;
}

/** A line of a list or map: everything before its value, and the value. */
const LINE = /^((?: |- )*(?:(?:[\w.-]+|"[^"\\]*"|'[^']*'): +|- +))(\S.*)$/;
const BEGINS_ENTRY = /^ *(?:- |-$|[\w.-]+:(?: |$))/;
const PAIRS: Readonly<Record<string, string>> = { '[': ']', '{': '}' };

/**
 * Returns a trap for the first line, up to the one with a YAML error, that has an unmatched quote or bracket although
 * the next line continues with a key or item. The parser notices only at the next quote or at the end.
 */
export function unclosedBefore(document: string, offset: number): YamlTrap | undefined {
  const lines = linesUpTo(document, offset);
  for (const [index, line] of lines.entries()) {
    const next = lines.slice(index + 1).find(one => one.text.trim() !== '');
    const [, before = '', value = ''] = LINE.exec(line.text.trimEnd()) ?? [];
    const missing = value === '' || (next && !BEGINS_ENTRY.test(next.text)) ? undefined : missingIn(value);
    if (!missing || line.start > offset) continue;
    const start = line.start + before.length;
    const end = start + value.length;
    const { character, at } = missing;
    const place = { start: start + at, end: start + at };
    const edits = [{ range: place, newText: character }];
    const fix: Fix = { title: `add \`${character}\``, applicability: 'suggestion', edits };
    const message = `missing \`${character}\` on this line; add it`;
    const finding = {
      code: 'yaml/missing-char',
      message,
      range: { start, end },
      args: { expected: character },
      fixes: [fix],
    };
    return { range: { start, end }, finding };
  }
  return undefined;
}

/** Returns the missing quote or brackets of a value, and where they belong. */
function missingIn(value: string): { readonly character: string; readonly at: number } | undefined {
  const first = value[0]!;
  if (first === '"') return /^"(?:[^"\\]|\\.)*$/.test(value) ? { character: first, at: value.length } : undefined;
  if (first === "'") return /^'(?:[^']|'')*$/.test(value) ? { character: first, at: value.length } : undefined;
  // A bracket alone on its line is closed on a later one.
  const close = PAIRS[first];
  if (close === undefined || value.length < 3 || /[,[{(|]$/.test(value)) return undefined;
  const open: string[] = [];
  for (const { 0: part, index } of value.matchAll(/"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[[\]{}]/g)) {
    if (PAIRS[part] !== undefined) open.push(PAIRS[part]);
    else if (open.at(-1) === part) open.pop();
    else if (open.includes(part)) return { character: open.pop()!, at: index };
  }
  return open.length > 0 ? { character: open.toReversed().join(''), at: value.length } : undefined;
}

interface Line {
  readonly start: number;
  readonly text: string;
}

/** Returns the lines up to an offset, and the next one that is not blank. */
function linesUpTo(document: string, offset: number): readonly Line[] {
  const lines: Line[] = [];
  for (let start = 0; start <= document.length; ) {
    const end = document.indexOf('\n', start);
    const lineEnd = end < 0 ? document.length : end;
    const textEnd = document[lineEnd - 1] === '\r' ? lineEnd - 1 : lineEnd;
    lines.push({ start, text: document.slice(start, textEnd) });
    if (start > offset && document.slice(start, lineEnd).trim() !== '') break;
    start = lineEnd + 1;
  }
  return lines;
}

const COLON_IN_VALUE = /^((?: |- )*(?:[\w.-]+|"[^"\\]*"|'[^']*'): +)([^\s"'[{|>&*!%@`#].*: .*)$/;

/** Returns a trap for an unquoted string that contains `: ` after its key. */
export function colonInString(document: string, offset: number): YamlTrap | undefined {
  const line = linesUpTo(document, offset).findLast(one => one.start <= offset)!;
  const [, before = '', value = ''] = COLON_IN_VALUE.exec(line.text.trimEnd()) ?? [];
  if (value === '') return undefined;
  const start = line.start + before.length;
  const range = { start, end: start + value.length };
  const edits = [{ range, newText: singleQuoted(value) }];
  return {
    range,
    finding: {
      code: 'yaml/block-as-implicit-key',
      message: '`: ` in a string without quotes; put quotes around the string',
      range,
      args: {},
      fixes: [{ title: 'put quotes around it', applicability: 'suggestion', edits }],
    },
  };
}

/** YAML 1.2.2, section 5.1, except line breaks and unpaired surrogates. */
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/g;
/** Line breaks of YAML 1.1 that are ordinary characters in YAML 1.2. */
const OLD_LINE_BREAKS = /[\u0085\u2028\u2029]/g;
const ESCAPES: Readonly<Record<string, string>> = { '\u0085': '\\N', '\u2028': '\\L', '\u2029': '\\P' };
const LONE_CARRIAGE_RETURN = /\r(?!\n)/g;
const BYTE_ORDER_MARK = /(?<!^)\ufeff/g;

/**
 * Returns the text as the YAML library can read it, with all offsets unchanged. Reports the characters that YAML
 * forbids, and those that parsers disagree about: two of them could read two different policies from one file.
 */
export function replaceUnreadable(text: string, reporter: Reporter): string {
  // The parser uses some of these characters as tokens, so it must not see them.
  const readable = text.replace(FORBIDDEN, (character: string, offset: number) => {
    reporter.report(forbidden(character, offset));
    return '\ufffd';
  });
  for (const { index } of text.matchAll(BYTE_ORDER_MARK)) reporter.report(byteOrderMark(index));
  for (const { 0: character, index } of text.matchAll(OLD_LINE_BREAKS)) reporter.report(oldLineBreak(character, index));
  const carriageReturns = [...text.matchAll(LONE_CARRIAGE_RETURN)].map(({ index }) => index);
  if (carriageReturns.length === 0) return readable;
  reporter.report(carriageReturn(carriageReturns));
  // The library treats it as an ordinary character, contrary to YAML 1.2 (section 5.4).
  return readable.replace(LONE_CARRIAGE_RETURN, '\n');
}

/** Only the first is shown: all have the same cause. */
function carriageReturn(offsets: readonly number[]): Finding {
  const range = { start: offsets[0]!, end: offsets[0]! + 1 };
  const others = offsets.length > 1 ? `, the first of ${offsets.length}` : '';
  const edits = offsets.map(start => ({ range: { start, end: start + 1 }, newText: '\n' }));
  return {
    code: 'yaml/lone-carriage-return',
    message: `carriage return without a line feed${others}; end lines with a line feed, or write \`\\r\` in double quotes`,
    range,
    args: { count: offsets.length },
    fixes: [{ title: 'end these lines with a line feed', applicability: 'suggestion', edits }],
  };
}

function oldLineBreak(character: string, offset: number): Finding {
  const codePoint = codePointOf(character);
  return {
    code: 'yaml/ambiguous-line-break',
    message: `${codePoint} is a line break in YAML 1.1 only; remove it, or write \`${ESCAPES[character]}\` in double quotes`,
    ...removed(offset),
    args: { character: codePoint },
  };
}

/** Usually left by concatenating files; it becomes an invisible part of a string or key. */
function byteOrderMark(offset: number): Finding {
  return {
    code: 'yaml/byte-order-mark',
    message: 'invisible byte order mark inside the document; remove it',
    ...removed(offset),
    args: {},
  };
}

function removed(offset: number): Pick<Finding, 'range' | 'fixes'> {
  const range = { start: offset, end: offset + 1 };
  return { range, fixes: [{ title: 'remove it', applicability: 'suggestion', edits: [{ range, newText: '' }] }] };
}

function forbidden(character: string, offset: number): Finding {
  const codePoint = codePointOf(character);
  return {
    code: 'yaml/control-character',
    message: `control character ${codePoint} in the document; write it as an escape in double quotes`,
    range: { start: offset, end: offset + 1 },
    args: { character: codePoint },
  };
}

function codePointOf(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}
