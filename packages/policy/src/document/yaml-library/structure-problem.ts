import { lineStart, type Range } from '@tollgate/diagnostics';
import type { YAMLError } from 'yaml';
import type { Finding } from '../model/reporter.ts';

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
export function structureProblem(document: string, { code, message, pos }: YAMLError): Finding | undefined {
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
function isItemOutOfLine(document: string, { start, text }: Line): boolean {
  const indent = /^ *(?=- )/.exec(text)?.[0].length;
  if (indent === undefined) return false;
  const columns = columnsBefore(document.slice(0, start), true);
  return columns.some(column => column > indent) && !columns.includes(indent);
}

interface Line extends Range {
  readonly text: string;
}

const ENTRY = /^ *(?:- |[\w.-]+:(?: |$))/;

function lineAt(document: string, offset: number): Line {
  const start = lineStart(document, offset);
  const found = document.indexOf('\n', offset);
  const end = found < 0 ? document.length : found;
  return { start, end, text: document.slice(start, end).trimEnd() };
}

function nextLine(document: string, from: number): Line | undefined {
  for (let at = from + 1; at < document.length; ) {
    const line = lineAt(document, at);
    if (line.text.trim() !== '' && !line.text.trim().startsWith('#')) return line;
    at = line.end + 1;
  }
  return undefined;
}

/** Finds a key without a colon (`actions`), or without a space after it (`name:x`). */
function missingColon({ start, text }: Line): Finding | undefined {
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

function wrongIndent(document: string, { start, text }: Line): Finding | undefined {
  const indent = /^ */.exec(text)![0].length;
  const content = text.slice(indent);
  const isItem = /^-(?: |$)/.test(content);
  const shown = isItem ? '-' : (/^[\w.-]+/.exec(content)?.[0] ?? content.slice(0, 20));
  const column = nearestColumn(columnsBefore(document.slice(0, start), isItem), indent);
  const remedy = column === undefined ? 'align it with its neighbors' : `indent it by ${spaces(column)}`;
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
