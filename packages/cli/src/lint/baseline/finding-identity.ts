import { hash } from 'node:crypto';
import type { Diagnostic, Range, SourceText } from '@tollgate/diagnostics';
import { type DocumentNode, parseDocuments, plainValue } from '@tollgate/policy';

/**
 * Returns what identifies findings regardless of the layout and name of the file: the code, the keys and names on the path to the value,
 * and the marked source. Indistinguishable findings have equal identities.
 */
export class FindingIdentities {
  readonly #documents = new Map<SourceText, readonly DocumentNode[]>();

  of({ code, range }: Diagnostic, source: SourceText | undefined): string {
    const place = source === undefined ? [] : this.#placeOf(range, source);
    return hash('sha256', JSON.stringify([code, ...place])).slice(0, 32);
  }

  #placeOf(range: Range, source: SourceText): readonly string[] {
    const documents = this.#documents.get(source) ?? readDocumentsOrNone(source);
    this.#documents.set(source, documents);
    const root = documents.find(document => contains(document.range, range));
    return root === undefined ? [lineOf(range, source)] : keyPathIn(root, range, source);
  }
}

function readDocumentsOrNone(source: SourceText): readonly DocumentNode[] {
  return /\.(?:ya?ml|json)$/i.test(source.uri) ? parseDocuments(source) : [];
}

function keyPathIn(root: DocumentNode, range: Range, source: SourceText): readonly string[] {
  const steps: string[] = [];
  let isInList = false;
  for (let node = root; ; ) {
    const next = stepInto(node, range);
    if (next === undefined) return [...steps, contentOf(node, range, { source, isInList })];
    steps.push(next.step);
    // The value of a key may change without making it a new finding.
    if (next.node === undefined) return steps;
    isInList ||= node.kind === 'list';
    node = next.node;
  }
}

interface Step {
  readonly step: string;
  /** Undefined for a position in a key. */
  readonly node: DocumentNode | undefined;
}

/** Undefined if no part of the node contains the whole range. */
function stepInto(node: DocumentNode, range: Range): Step | undefined {
  if (node.kind === 'list') {
    const item = node.items.find(item => contains(item.range, range));
    return item && { step: nameOf(item), node: item };
  }
  if (node.kind !== 'map') return undefined;
  for (const { key, keyRange, value } of node.entries) {
    const withQuotes = { start: keyRange.start - 1, end: keyRange.end + 1 };
    if (contains(withQuotes, range) && keyRange.end > range.start) return { step: key, node: undefined };
    if (contains(value.range, range)) return { step: key, node: value };
  }
  return undefined;
}

function contains(outer: Range, { start, end }: Range): boolean {
  return outer.start <= start && end <= outer.end && start < outer.end;
}

function nameOf(node: DocumentNode): string {
  const name = node.kind === 'map' ? node.entries.find(({ key }) => key === 'name')?.value : undefined;
  return name?.kind === 'scalar' ? String(name.value) : '';
}

/** A longer string contains more than one value, such as a policy in a manifest. */
const MAX_LENGTH = 2000;

/** Leaves out the rules of a phase as a whole, because each may change independently. */
function contentOf(
  node: DocumentNode,
  range: Range,
  { source, isInList }: { readonly source: SourceText; readonly isInList: boolean },
): string {
  if (node.kind !== 'scalar') return isInList ? plain(JSON.stringify(plainValue(node), sortKeys)) : '';
  const value = String(node.value);
  if (value.length > MAX_LENGTH) return lineOf(range, source);
  return `${plain(value)} ${plain(source.text.slice(range.start, range.end))}`;
}

/** The marked source and its line. */
function lineOf({ start, end }: Range, source: SourceText): string {
  const line = source.lineRange(source.positionAt(start).line);
  const from = Math.max(line.start, start - MAX_LENGTH);
  const whole = source.text.slice(from, Math.max(from, Math.min(line.end, start + MAX_LENGTH)));
  return `${plain(whole)} ${plain(source.text.slice(start, Math.min(end, start + MAX_LENGTH)))}`;
}

/** Removes what a formatter changes: white space, quotes, brackets, commas and list dashes. */
function plain(text: string): string {
  return text.replace(/[\s\\'"(){}[\],-]+/g, '');
}

function sortKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
