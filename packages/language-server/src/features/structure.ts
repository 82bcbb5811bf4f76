import type { Range } from '@tollgate/diagnostics';
import type { DocumentNode } from '@tollgate/policy';
import { type FoldingRange, FoldingRangeKind, type SelectionRange } from 'vscode-languageserver-types';
import { expressionAt } from '../cel/expression-place.ts';
import { inDocument, nodesAt, typedOf } from '../cel/nodes.ts';
import { toRange } from '../protocol/ranges.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** Returns the parts of a document that can be folded: entries and items over several lines, and blocks of comments. */
export function foldingRanges(snapshot: Snapshot): readonly FoldingRange[] {
  const found = new Map<number, FoldingRange>();
  for (const root of rootsOf(snapshot)) addFolds(root, snapshot, found);
  return [...found.values(), ...commentFolds(snapshot)];
}

function rootsOf({ policies, root }: Snapshot): readonly DocumentNode[] {
  return root ? [root] : policies.map(({ policy }) => policy.node);
}

function addFolds(node: DocumentNode, snapshot: Snapshot, found: Map<number, FoldingRange>): void {
  const add = (start: number, end: number) => {
    const { source } = snapshot;
    // The end of a block is often the start of the next line.
    const last = source.text.slice(start, end).trimEnd().length + start;
    const [startLine, endLine] = [source.positionAt(start).line, source.positionAt(last).line];
    if (endLine > startLine && (found.get(startLine)?.endLine ?? 0) < endLine)
      found.set(startLine, { startLine, endLine });
  };
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

function commentFolds({ comments, source }: Snapshot): readonly FoldingRange[] {
  const folds: FoldingRange[] = [];
  let startLine = -2;
  let endLine = -2;
  const end = () => {
    if (endLine > startLine) folds.push({ startLine, endLine, kind: FoldingRangeKind.Comment });
  };
  for (const { start } of comments) {
    const { line, character } = source.positionAt(start);
    const isAlone = source.text.slice(start - character, start).trim() === '';
    if (isAlone && line === endLine + 1) endLine = line;
    else {
      end();
      startLine = isAlone ? line : -2;
      endLine = startLine;
    }
  }
  end();
  return folds;
}

/** Returns what to select next around an offset: from the parts of an expression out to the document. */
export function selectionRange(snapshot: Snapshot, offset: number): SelectionRange {
  const { source } = snapshot;
  const ranges: Range[] = [{ start: 0, end: source.text.length }];
  for (const root of rootsOf(snapshot)) addAround(root, offset, ranges);
  const expression = expressionAt(snapshot, offset);
  if (expression) {
    ranges.push(inDocument(expression, { start: 0, end: expression.source.length }));
    for (const { range } of nodesAt(typedOf(expression).ast, expression.at)) ranges.push(inDocument(expression, range));
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
