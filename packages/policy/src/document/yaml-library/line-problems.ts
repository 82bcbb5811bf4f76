import type { Fix } from '@tollgate/diagnostics';
import type { YamlTrap } from './yaml-traps.ts';

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
  const edits = [{ range, newText: `'${value.replaceAll("'", "''")}'` }];
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
