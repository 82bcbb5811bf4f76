import type { TextEdit } from '@tollgate/diagnostics';
import { contentRange, documentRange, type MappedText } from '../document/model/mapped-text.ts';
import { applyEdits } from './apply-edits.ts';

type Style = 'plain' | 'single' | 'double' | 'block';

/** A stretch that means itself wherever it stands in a plain scalar. */
const PLAIN = /^[\w.'"()=!<>+*/%&|$^~-]*(?: [\w.'"()=!<>+*/%&|$^~-]+)*$/;
/** A plain scalar may not begin like this. */
const INDICATOR = /^[\s!&*[\]{},#|>@`"'%?:-]/;

/**
 * Edits of the document that make edits of a text that a scalar of it holds. Each part that changes is written in the style of the
 * scalar; where that cannot be, the whole scalar is written in quotes.
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

/** A scalar of the document, with another text in it. */
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

/** Undefined when a text cannot stand in a scalar of this style. */
function encode(text: string, style: Style): string | undefined {
  if (style === 'double') return JSON.stringify(text).slice(1, -1);
  if (/[\n\r\t]/.test(text)) return undefined;
  if (style === 'single') return text.replaceAll("'", "''");
  return style === 'block' || PLAIN.test(text) ? text : undefined;
}

/** A block scalar ends with the line break that the next line needs. */
function rangeOf(document: string, { range }: MappedText, style: Style): TextEdit['range'] {
  const trailing = style === 'block' ? /\s*$/.exec(document.slice(range.start, range.end))![0].length : 0;
  return { start: range.start, end: range.end - trailing };
}

/** JSON has double quotes only; in YAML single ones leave the text as it is. */
function quoted(document: string, text: MappedText, value: string): string {
  const isJson = document[text.range.start] === '"';
  return isJson || /[\n\r\t]/.test(value) ? JSON.stringify(value) : `'${value.replaceAll("'", "''")}'`;
}
