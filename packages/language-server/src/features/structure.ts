import type { Range } from '@tollgate/diagnostics';
import { type DocumentNode, parseDocuments, rangeInFile } from '@tollgate/policy';
import { type FoldingRange, FoldingRangeKind, type SelectionRange } from 'vscode-languageserver-types';
import { expressionAt, inDocument, nodesAt, typedOf } from '../cursor/expression-place.ts';
import { toRange } from '../protocol.ts';
import { embeddedAt, inStrings, type Snapshot } from '../snapshot.ts';

/** Returns the parts of a document that can be folded: entries and items over several lines, and blocks of comments, also in its strings. */
export function foldingRanges(snapshot: Snapshot): readonly FoldingRange[] {
  const inside = inStrings(snapshot).flatMap(({ embedded, snapshot: inner }) =>
    foldsOf(inner).map(fold => ({ ...fold, ...rangeInFile(embedded, fold) })),
  );
  const found = new Map<number, FoldingRange>();
  for (const { start, end, isComment } of [...foldsOf(snapshot), ...inside]) {
    const [startLine, endLine] = [snapshot.source.positionAt(start).line, snapshot.source.positionAt(end).line];
    if (endLine > startLine && (found.get(startLine)?.endLine ?? 0) < endLine)
      found.set(startLine, { startLine, endLine, ...(isComment && { kind: FoldingRangeKind.Comment }) });
  }
  return [...found.values()];
}

/** A part that can be folded, in offsets of its document. */
interface Fold extends Range {
  readonly isComment?: true;
}

function foldsOf(snapshot: Snapshot): readonly Fold[] {
  const found: Fold[] = [];
  for (const root of rootsOf(snapshot)) addFolds(root, snapshot, found);
  return [...found, ...commentFolds(snapshot)];
}

/** Of a document around policies, all of it: no other tool may know it. */
function rootsOf({ policies, root, kind, embedded, source }: Snapshot): readonly DocumentNode[] {
  const isDocument = embedded.some(one => one.embedded.carrier === 'document' && one.embedded.file === source);
  if (kind === 'carrier' && isDocument) return parseDocuments(source);
  return root ? [root] : policies.map(({ policy }) => policy.node);
}

function addFolds(node: DocumentNode, snapshot: Snapshot, found: Fold[]): void {
  // The end of a block is often the start of the next line.
  const add = (start: number, end: number) =>
    found.push({ start, end: snapshot.source.text.slice(start, end).trimEnd().length + start });
  if (node.kind === 'list')
    for (const item of node.items) {
      add(item.range.start, item.range.end);
      addFolds(item, snapshot, found);
    }
  if (node.kind === 'map')
    for (const { keyRange, value } of node.entries) {
      add(keyRange.start, value.range.end);
      addFolds(value, snapshot, found);
    }
}

function commentFolds({ comments, source }: Snapshot): readonly Fold[] {
  const folds: Fold[] = [];
  let block: Range | undefined;
  let lastLine = -2;
  const end = () => {
    if (block) folds.push({ ...block, isComment: true });
    block = undefined;
  };
  for (const comment of comments) {
    const { line } = source.positionAt(comment.start);
    const isAlone = source.text.slice(source.lineRange(line).start, comment.start).trim() === '';
    if (!isAlone || line !== lastLine + 1) end();
    if (isAlone) block = { start: block?.start ?? comment.start, end: comment.end };
    lastLine = isAlone ? line : -2;
  }
  end();
  return folds;
}

/** Returns what to select next around an offset: from the parts of an expression out to the document. */
export function selectionRange(snapshot: Snapshot, offset: number): SelectionRange {
  const { source } = snapshot;
  const ranges = [{ start: 0, end: source.text.length }, ...rangesAround(snapshot, offset)];
  const inner = embeddedAt(snapshot, offset);
  if (inner) {
    const { embedded, snapshot: policy } = inner.inner;
    ranges.push(...rangesAround(policy, inner.offset).map(range => rangeInFile(embedded, range)));
  }
  const sorted = ranges.toSorted((a, b) => b.end - b.start - (a.end - a.start));
  let parent: SelectionRange | undefined;
  let last: Range | undefined;
  for (const one of sorted) {
    if (last && (one.start < last.start || one.end > last.end || (one.start === last.start && one.end === last.end)))
      continue;
    parent = { range: toRange(source, one), ...(parent && { parent }) };
    last = one;
  }
  return parent!;
}

function rangesAround(snapshot: Snapshot, offset: number): readonly Range[] {
  const ranges: Range[] = [];
  for (const root of rootsOf(snapshot)) addAround(root, offset, ranges);
  const expression = expressionAt(snapshot, offset);
  if (expression) {
    ranges.push(inDocument(expression, { start: 0, end: expression.source.length }));
    for (const { range } of nodesAt(typedOf(expression).ast, expression.at)) ranges.push(inDocument(expression, range));
  }
  return ranges;
}

function addAround(node: DocumentNode, offset: number, ranges: Range[]): void {
  if (offset < node.range.start || offset > node.range.end) return;
  ranges.push(node.range);
  if (node.kind === 'list') for (const item of node.items) addAround(item, offset, ranges);
  if (node.kind !== 'map') return;
  for (const { keyRange, value } of node.entries) {
    if (keyRange.start <= offset && offset <= Math.max(value.range.end, keyRange.end))
      ranges.push({ start: keyRange.start, end: Math.max(value.range.end, keyRange.end) });
    if (keyRange.start <= offset && offset <= keyRange.end) ranges.push(keyRange);
    addAround(value, offset, ranges);
  }
}
