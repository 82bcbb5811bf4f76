// What a document consists of: its outline and the symbols of a workspace, folding, and selections that grow.

import type { Range, SourceText } from '@tollgate/diagnostics';
import { type DocumentNode, entryOf, parseDocuments, type Rule, rangeInFile } from '@tollgate/policy';
import {
  type DocumentLink,
  type DocumentSymbol,
  type FoldingRange,
  FoldingRangeKind,
  type SelectionRange,
  type SymbolInformation,
  SymbolKind,
} from 'vscode-languageserver-types';
import { expressionAt, inDocument, nodesAt, typedOf } from '../cursor/expression-place.ts';
import type { DocumentKind } from '../host.ts';
import { uriOfPath } from '../paths.ts';
import { pageOf, toRange } from '../protocol.ts';
import { embeddedAt, inStrings, type Snapshot } from '../snapshot.ts';
import { occurrencesIn } from './occurrences.ts';

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
  const isDocument = embedded.some(one => one.embedded.format === 'document' && one.embedded.file === source);
  if (kind === 'embedding' && isDocument) return parseDocuments(source);
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

/** Maximum number of symbols of a document: outlines of editors stall with more. */
const MAX_SYMBOLS = 5000;

/** Returns the outline of a document: phases with their rules and actions, tests, or keys. */
export function documentSymbols(snapshot: Snapshot): readonly DocumentSymbol[] {
  const { kind, policies, root, source } = snapshot;
  if (kind === 'policy' || kind === 'edge' || kind === 'embedding')
    return policies.flatMap(({ policy, target }) =>
      target.profile.phases.flatMap(phase =>
        phaseSymbol(phase, policy.rules[phase], snapshot, entryOf(policy.node, phase)?.keyRange),
      ),
    );
  return root?.kind === 'map'
    ? root.entries.map(({ key, keyRange, value }) => keySymbol(key, keyRange, value, source))
    : [];
}

function phaseSymbol(
  name: string,
  rules: readonly Rule[],
  { source }: Snapshot,
  key: Range | undefined,
): readonly DocumentSymbol[] {
  const [first] = rules;
  const last = rules.at(-1);
  if (!first || !last || !key) return [];
  const shown = rules.slice(0, MAX_SYMBOLS);
  const children = shown.map(rule => ruleSymbol(rule, source));
  const detail =
    rules.length > MAX_SYMBOLS ? `${rules.length} rules, of which ${MAX_SYMBOLS} are shown` : `${rules.length} rules`;
  return [
    {
      ...symbol(name, SymbolKind.Namespace, source, [
        { start: key.start, end: Math.max(last.range.end, key.end) },
        key,
      ]),
      detail,
      children,
    },
  ];
}

function ruleSymbol({ name, index, range, actions }: Rule, source: SourceText): DocumentSymbol {
  const label = name?.value.trim() ? name.value : `rule ${index + 1}`;
  const at = name?.range ?? { start: range.start, end: range.start };
  const children = actions.map(({ type, range: whole }) =>
    symbol(type.value || '?', SymbolKind.Function, source, [spanning(whole, type.range), type.range]),
  );
  return { ...symbol(label, SymbolKind.Class, source, [spanning(range, at), at]), children };
}

function keySymbol(name: string, key: Range, value: DocumentNode, source: SourceText): DocumentSymbol {
  const whole = { start: key.start, end: Math.max(value.range.end, key.end) };
  const items = (name === 'tests' || name === 'invariants') && value.kind === 'list' ? value.items : [];
  const children = items.slice(0, MAX_SYMBOLS).map((item, index) => {
    const named = item.kind === 'map' ? entryOf(item, 'name')?.value : undefined;
    const label =
      named?.kind === 'scalar' && typeof named.value === 'string' && named.value
        ? named.value
        : `${name.slice(0, -1)} ${index + 1}`;
    return symbol(label, SymbolKind.Method, source, [
      item.range,
      named ? named.range : { start: item.range.start, end: item.range.start },
    ]);
  });
  return { ...symbol(name || '?', SymbolKind.Key, source, [whole, key]), children };
}

function symbol(
  name: string,
  kind: SymbolKind,
  source: SourceText,
  [range, selection]: readonly [Range, Range],
): DocumentSymbol {
  return { name, kind, range: toRange(source, range), selectionRange: toRange(source, selection) };
}

function spanning(a: Range, b: Range): Range {
  return { start: Math.min(a.start, b.start), end: Math.max(a.end, b.end) };
}

/** Returns the outline as a list, for clients that cannot show a tree. */
export function flatSymbols(
  { uri }: Pick<Snapshot, 'uri'>,
  symbols: readonly DocumentSymbol[],
  containerName?: string,
): readonly SymbolInformation[] {
  return symbols.flatMap(({ name, kind, range, children = [] }) => [
    { name, kind, location: { uri, range }, ...(containerName !== undefined && { containerName }) },
    ...flatSymbols({ uri }, children, name),
  ]);
}

/** Returns the rules, tests and phases among symbols whose name contains the characters of a query in order. */
export function matchingSymbols(symbols: readonly SymbolInformation[], query: string): readonly SymbolInformation[] {
  const wanted = query.toLowerCase();
  return symbols
    .filter(({ name, kind }) => kind !== SymbolKind.Function && containsInOrder(name.toLowerCase(), wanted))
    .slice(0, MAX_SYMBOLS);
}

function containsInOrder(name: string, wanted: string): boolean {
  let at = 0;
  for (const character of wanted) {
    const found = name.indexOf(character, at);
    if (found < 0) return false;
    at = found + character.length;
  }
  return true;
}

/** What a client can show about a document as a whole. */
interface DocumentSummary {
  readonly kind: DocumentKind;
  /** What its policies are checked against, without duplicates. */
  readonly targets: readonly { readonly profile: string; readonly endpoint: string }[];
  /** The project file; null if there is none. */
  readonly project: string | null;
  /** Why settings could not be loaded, and which modules were not loaded because nobody trusts them. */
  readonly failures: readonly string[];
}

/** Returns what a document is, and what is in force for it. */
export function summarize({ kind, project, target, embedded, policies }: Snapshot): DocumentSummary {
  const found = [target, ...policies.map(one => one.target), ...embedded.map(one => one.snapshot.target)];
  const targets = found.flatMap(one => (one ? [{ profile: one.profile.name, endpoint: one.endpoint }] : []));
  const distinct = new Map(targets.map(one => [`${one.profile} ${one.endpoint}`, one]));
  return { kind, targets: [...distinct.values()], project: project.file ?? null, failures: project.failures };
}

/** Returns links to the files that a document names, and to the pages of lint rules. */
export function documentLinks(snapshot: Snapshot): readonly DocumentLink[] {
  return occurrencesIn(snapshot).flatMap(({ kind, file, name, range }): readonly DocumentLink[] => {
    if (kind === 'file' && file) return [{ range: toRange(snapshot.source, range), target: uriOfPath(file.path) }];
    return kind === 'lint-rule'
      ? [{ range: toRange(snapshot.source, range), target: pageOf(name), tooltip: name }]
      : [];
  });
}
