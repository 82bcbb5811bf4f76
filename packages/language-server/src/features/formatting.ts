import { formatDocument } from '@tollgate/core/documents';
import { diffLines, type Range, SourceText } from '@tollgate/diagnostics';
import type { Position, TextEdit } from 'vscode-languageserver-types';
import { lineAt, lineBefore } from '../cursor/lines.ts';
import { toRange } from '../protocol/ranges.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** Returns the edits that bring a policy into the layout of `tollgate fmt`; none if it cannot be read. */
export function formatting(snapshot: Snapshot): readonly TextEdit[] | undefined {
  const { source, target, kind, policies } = snapshot;
  if (!target || (kind !== 'policy' && kind !== 'edge')) return undefined;
  let text = source.text;
  // An edge contains several policies, each a part of the document.
  const parts = kind === 'edge' ? policies.map(one => one.part) : [undefined];
  for (const part of parts) {
    const formatted = formatDocument({ source: new SourceText(source.uri, text), target, part }).text;
    if (formatted === undefined) return undefined;
    text = formatted;
  }
  return lineEdits(source, text);
}

/** Returns those edits that touch a range. Each of them alone changes layout only. */
export function rangeFormatting(snapshot: Snapshot, range: Range): readonly TextEdit[] | undefined {
  const { source } = snapshot;
  const [start, end] = [source.positionAt(range.start).line, source.positionAt(range.end).line];
  const edits = formatting(snapshot);
  const inside = edits?.filter(edit => edit.range.start.line <= end && edit.range.end.line >= start);
  if (!inside || inside.length === (edits?.length ?? 0)) return inside;
  return keepsMeaning(snapshot, inside) ? inside : [];
}

/** A part of the layout may only be applied if the document stays formattable to the same result. */
function keepsMeaning(snapshot: Snapshot, edits: readonly TextEdit[]): boolean {
  const { source, target } = snapshot;
  if (!target) return false;
  const applied = new SourceText(source.uri, applyTextEdits(source, edits));
  const [before, after] = [source, applied].map(one => formatDocument({ source: one, target }).text);
  return before === after;
}

function applyTextEdits(source: SourceText, edits: readonly TextEdit[]): string {
  let { text } = source;
  for (const { range, newText } of edits.toReversed())
    text = text.slice(0, source.offsetAt(range.start)) + newText + text.slice(source.offsetAt(range.end));
  return text;
}

/** Returns one edit for each group of changed lines, so that the cursor and folds of an editor stay where they are. */
function lineEdits(source: SourceText, after: string): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  let at = 0;
  let open: { start: number; end: number; newText: string } | undefined;
  const close = () => {
    if (open) edits.push({ range: toRange(source, open), newText: open.newText });
    open = undefined;
  };
  for (const { kind, text } of diffLines(linesOf(source.text), linesOf(after))) {
    if (kind === 'kept') {
      close();
      at += text.length;
      continue;
    }
    open ??= { start: at, end: at, newText: '' };
    if (kind === 'added') open.newText += text;
    else {
      at += text.length;
      open.end = at;
    }
  }
  close();
  return edits;
}

/** Splits a text into lines that include their line breaks. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Indents a new line: by two more than a key without a value, otherwise like the entry above. */
export function onTypeFormatting(
  { source, path }: Snapshot,
  { line, character }: Position,
  typed: string,
): readonly TextEdit[] | undefined {
  if (typed !== '\n' || line === 0 || /\.json$/i.test(path)) return undefined;
  const { text } = source;
  const { start, end } = source.lineRange(line);
  if (text.slice(start, end).trim() !== '') return undefined;
  const above = lineBefore(text, lineAt(text, start));
  if (!above || above.isBlank || !above.key) return undefined;
  const isOpen = /^(?:#.*)?$/.test(text.slice(above.rest, above.end));
  const column = above.column + (isOpen ? 2 : 0);
  if (column === character && end - start === column) return undefined;
  return [{ range: toRange(source, { start, end }), newText: ' '.repeat(column) }];
}
