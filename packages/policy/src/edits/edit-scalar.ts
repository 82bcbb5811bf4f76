import type { TextEdit } from '@tollgate/diagnostics';
import { contentRange, documentRange, type MappedText } from '../document/model/mapped-text.ts';
import { applyEdits } from './apply-edits.ts';

type Style = 'plain' | 'single' | 'double' | 'block';

/** Characters that are literal anywhere in a plain scalar. */
const PLAIN = /^[\w.'"()=!<>+*/%&|$^~-]*(?: [\w.'"()=!<>+*/%&|$^~-]+)*$/;
/** A plain scalar must not begin like this. */
const INDICATOR = /^[\s!&*[\]{},#|>@`"'%?:-]/;

/**
 * Converts edits of a string into edits of the document that contains it. Each changed part is written in the style of the
 * scalar; if that is impossible, the whole scalar is rewritten in quotes.
 */
export function editScalar(document: string, text: MappedText, edits: readonly TextEdit[]): readonly TextEdit[] {
  if (edits.length === 0) return [];
  const style = styleOf(document, text);
  const value = applyEdits(text.value, edits);
  const written = edits.map(edit => {
    const newText = encode(edit.newText, style);
    return newText === undefined ? undefined : { range: documentRange(text, edit.range), newText };
  });
  const isWhole = written.includes(undefined) || (style === 'plain' && (INDICATOR.test(value) || value.endsWith(':')));
  if (!isWhole) return written.filter(edit => edit !== undefined);
  return [{ range: rangeOf(document, text, style), newText: quoted(document, text, value) }];
}

/** Returns the edits that replace the string in a scalar of the document. */
export function replaceScalar(document: string, text: MappedText, value: string): readonly TextEdit[] {
  if (value === text.value) return [];
  const style = styleOf(document, text);
  const newText = style === 'block' || (style === 'plain' && INDICATOR.test(value)) ? undefined : encode(value, style);
  if (newText === undefined) return [{ range: text.range, newText: quoted(document, text, value) }];
  return [{ range: contentRange(text), newText }];
}

function styleOf(document: string, { range }: MappedText): Style {
  const first = document[range.start];
  if (first === '"') return 'double';
  if (first === "'") return 'single';
  return first === '|' || first === '>' ? 'block' : 'plain';
}

/** Undefined if the string cannot be written in this style. */
function encode(text: string, style: Style): string | undefined {
  if (style === 'double') return JSON.stringify(text).slice(1, -1);
  if (/[\n\r\t]/.test(text)) return undefined;
  if (style === 'single') return text.replaceAll("'", "''");
  return style === 'block' || PLAIN.test(text) ? text : undefined;
}

/** A block scalar includes its final line break, which the next line needs. */
function rangeOf(document: string, { range }: MappedText, style: Style): TextEdit['range'] {
  const trailing = style === 'block' ? /\s*$/.exec(document.slice(range.start, range.end))![0].length : 0;
  return { start: range.start, end: range.end - trailing };
}

/** JSON has only double quotes; in YAML, single quotes need no escapes. */
function quoted(document: string, text: MappedText, value: string): string {
  const isJson = document[text.range.start] === '"';
  return isJson || /[\n\r\t]/.test(value) ? JSON.stringify(value) : `'${value.replaceAll("'", "''")}'`;
}
