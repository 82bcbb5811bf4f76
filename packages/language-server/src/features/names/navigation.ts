import { type DocumentHighlight, DocumentHighlightKind, type Location, type Range } from 'vscode-languageserver-types';
import type { Occurrence } from '../../navigation/occurrence.ts';
import { isSameThing, occurrenceAt, occurrencesIn } from '../../navigation/occurrences.ts';
import { toRange } from '../../protocol/ranges.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';

/** A name and the documents that it may occur in. */
export interface Lookup {
  readonly symbol: Occurrence;
  readonly documents: readonly Snapshot[];
}

/** Returns what is named at an offset. */
export function symbolAt(snapshot: Snapshot, offset: number): Occurrence | undefined {
  return occurrenceAt(occurrencesIn(snapshot), offset);
}

/** Returns true if a name may occur in other documents, too. */
export function isShared({ kind }: Occurrence): boolean {
  return kind === 'rule' || kind === 'file' || kind === 'lint-rule';
}

/** Returns a name with everything that other documents may call the same thing, such as the number of a rule. */
export function completed({ symbol, documents }: Lookup): Lookup {
  const definition = documents.flatMap(one => same(symbol, one)).find(one => one.isDefinition);
  return { symbol: definition ? { ...symbol, keys: definition.keys } : symbol, documents };
}

/** Returns where a name is defined. */
export function definitions({ symbol, documents }: Lookup): readonly Location[] {
  return locations({ symbol, documents }, one => one.isDefinition);
}

/** Returns where a name occurs. */
export function references(
  lookup: Lookup,
  { includeDeclaration }: { readonly includeDeclaration: boolean },
): readonly Location[] {
  return locations(lookup, one => includeDeclaration || !one.isDefinition);
}

function locations({ symbol, documents }: Lookup, isWanted: (one: Occurrence) => boolean): readonly Location[] {
  return documents.flatMap(document =>
    same(symbol, document)
      .filter(isWanted)
      .map(({ range }) => ({ uri: document.uri, range: toRange(document.source, range) })),
  );
}

function same(symbol: Occurrence, document: Snapshot): readonly Occurrence[] {
  return occurrencesIn(document).filter(one => isSameThing(one, symbol));
}

/** Returns the occurrences in the document itself. */
export function highlights(snapshot: Snapshot, offset: number): readonly DocumentHighlight[] | undefined {
  const symbol = symbolAt(snapshot, offset);
  return (
    symbol &&
    same(symbol, snapshot).map(({ range, isDefinition }) => ({
      range: toRange(snapshot.source, range),
      kind: isDefinition ? DocumentHighlightKind.Write : DocumentHighlightKind.Read,
    }))
  );
}

/** Returns the ranges that change together with the variable of a macro. */
export function linkedRanges(
  snapshot: Snapshot,
  offset: number,
): { readonly ranges: Range[]; readonly wordPattern: string } | undefined {
  const symbol = symbolAt(snapshot, offset);
  if (symbol?.kind !== 'local') return undefined;
  const ranges = same(symbol, snapshot).map(({ range }) => toRange(snapshot.source, range));
  return { ranges, wordPattern: '[A-Za-z_][A-Za-z0-9_]*' };
}
