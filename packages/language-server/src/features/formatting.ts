import { formatDocument } from '@tollgate/core/documents';
import { targetOfEmbedded } from '@tollgate/core/targeting';
import { type Diagnostic, diffLines, type TextEdit as OffsetEdit, type Range, SourceText } from '@tollgate/diagnostics';
import { type ExpressionCache, policyAt, rewriteInFile, type TextStyle } from '@tollgate/policy';
import type { Position, TextEdit } from 'vscode-languageserver-types';
import { lineAt, lineBefore } from '../cursor/block-levels.ts';
import { toRange } from '../protocol.ts';
import { embeddedAt, type Snapshot } from '../snapshot.ts';

/** Returns the edits that bring the policies of a document into the layout of `tollgate fmt`, in offsets; undefined if one cannot be read. */
export function layoutEdits(snapshot: Snapshot, expressions: ExpressionCache): readonly OffsetEdit[] | undefined {
  const { source, target, kind, policies } = snapshot;
  if (kind === 'embedding') {
    const formatted = formatEmbedded(snapshot);
    return formatted && lineEdits(source.text, formatted.text);
  }
  if (!target || (kind !== 'policy' && kind !== 'edge')) return undefined;
  let text = source.text;
  // An edge contains several policies, each a part of the document.
  const parts = kind === 'edge' ? policies.map(one => one.part) : [undefined];
  const diagnostics = finishedDiagnostics(snapshot);
  for (const part of parts) {
    const { text: formatted } = formatDocument({
      source: new SourceText(source.uri, text),
      target,
      part,
      expressions,
      diagnostics,
    });
    if (formatted === undefined) return undefined;
    text = formatted;
  }
  return lineEdits(source.text, text);
}

/** Returns what the analysis of the whole text reports; undefined if only parts of it were analysed. */
function finishedDiagnostics({ base, diagnostics }: Snapshot): readonly Diagnostic[] | undefined {
  const isFinished = base?.parts.size !== undefined && base.parts.bridged === undefined;
  return isFinished ? diagnostics : undefined;
}

/** Terraform has a formatter of its own; templates depend on their indentation. */
const LEFT_ALONE: readonly TextStyle[] = ['hcl-object', 'template'];

/** As `tollgate fmt` does: one policy after the other, whose places the ones before it may have moved. */
function formatEmbedded({ source, embedded, embeddedSettings, project }: Snapshot): SourceText | undefined {
  let file = source;
  for (const { path, layers } of embedded.map(one => one.embedded)) {
    if (layers.some(({ style }) => LEFT_ALONE.includes(style))) continue;
    const policy = policyAt(file, path, embeddedSettings);
    const target = targetOfEmbedded(policy, project.targetOf);
    if (target instanceof Error) return undefined;
    const { text } = formatDocument({ source: policy.source, target, part: policy.part });
    const rewritten = text === undefined ? undefined : rewriteInFile(policy, text, embeddedSettings).file;
    if (!rewritten) return undefined;
    file = rewritten;
  }
  return file;
}

/** Returns those edits that touch the lines of a range. Each of them alone changes layout only. */
export function rangeFormatting(snapshot: Snapshot, range: Range, edits: readonly OffsetEdit[]): readonly OffsetEdit[] {
  const { source } = snapshot;
  const lineOf = (offset: number) => source.positionAt(offset).line;
  const [start, end] = [lineOf(range.start), lineOf(range.end)];
  const inside = edits.filter(edit => lineOf(edit.range.start) <= end && lineOf(edit.range.end) >= start);
  return inside.length === edits.length || keepsMeaning(snapshot, inside) ? inside : [];
}

/** A part of the layout may only be applied if the document stays formattable to the same result. */
function keepsMeaning(snapshot: Snapshot, edits: readonly OffsetEdit[]): boolean {
  const { source, target } = snapshot;
  // Policies in other documents are formatted as a whole.
  if (!target) return false;
  let applied = source;
  for (const edit of edits.toReversed()) applied = applied.edited(edit);
  const diagnostics = finishedDiagnostics(snapshot);
  return formatDocument({ source, target, diagnostics }).text === formatDocument({ source: applied, target }).text;
}

/** Returns one edit for each group of changed lines, so that the cursor and folds of an editor stay where they are. */
function lineEdits(before: string, after: string): readonly OffsetEdit[] {
  if (before === after) return [];
  const edits: OffsetEdit[] = [];
  let at = 0;
  let open: { start: number; end: number; newText: string } | undefined;
  const close = () => {
    if (open) edits.push({ range: { start: open.start, end: open.end }, newText: open.newText });
    open = undefined;
  };
  for (const { kind, text } of diffLines(linesOf(before), linesOf(after))) {
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

function isProse({ embedded }: Snapshot): boolean {
  return embedded.some(one => one.embedded.format !== 'document');
}

/** Indents a new line: by two more than a key without a value, otherwise like the entry above. */
export function onTypeFormatting(
  snapshot: Snapshot,
  { line, character }: Position,
  typed: string,
): readonly TextEdit[] | undefined {
  const { source, path } = snapshot;
  if (typed !== '\n' || line === 0 || /\.json$/i.test(path)) return undefined;
  // The line above is part of the policy if there is one; the text around it may be prose.
  if (isProse(snapshot) && !embeddedAt(snapshot, source.lineRange(line).start - 1)) return undefined;
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
