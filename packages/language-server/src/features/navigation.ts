import { oneLineString } from '@tollgate/policy';
import {
  type DocumentHighlight,
  DocumentHighlightKind,
  type Location,
  type Range,
  type WorkspaceEdit,
} from 'vscode-languageserver-types';
import { type Occurrence, RENAMEABLE } from '../navigation/occurrence.ts';
import { occurrenceAt, occurrencesIn } from '../navigation/occurrences.ts';
import { toRange } from '../protocol/ranges.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

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

function same({ key }: Occurrence, document: Snapshot): readonly Occurrence[] {
  return occurrencesIn(document).filter(one => one.key === key);
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

/** Returns the name at an offset if it can be renamed. */
export function renameable(
  snapshot: Snapshot,
  offset: number,
): { readonly range: Range; readonly placeholder: string } | undefined {
  const symbol = symbolAt(snapshot, offset);
  if (!symbol || !RENAMEABLE.has(symbol.kind)) return undefined;
  return { range: toRange(snapshot.source, symbol.range), placeholder: symbol.name };
}

/** Returns why a name is not possible; undefined if it is. */
export function nameFault({ kind }: Occurrence, name: string): string | undefined {
  if (kind === 'local' || kind === 'variable')
    return /^[A-Za-z_]\w*$/.test(name) ? undefined : 'expected an identifier: letters, digits and `_`';
  return name.trim() === '' || /[\r\n]/.test(name) ? 'expected a name on one line' : undefined;
}

/** Returns the edits that rename something in all documents. */
export function rename(
  { symbol, documents }: Lookup,
  name: string,
  { versioned }: { readonly versioned: boolean },
): WorkspaceEdit {
  const edited = documents.flatMap(document => {
    const edits = same(symbol, document).map(one => editOf(one, document, name));
    return edits.length === 0 ? [] : [{ document, edits }];
  });
  if (!versioned) return { changes: Object.fromEntries(edited.map(({ document, edits }) => [document.uri, edits])) };
  return {
    documentChanges: edited.map(({ document: { uri, version }, edits }) => ({
      textDocument: { uri, version: version > 0 ? version : null },
      edits,
    })),
  };
}

/** Writes the name in the style of the scalar that it replaces. */
function editOf({ range, kind }: Occurrence, { source }: Snapshot, name: string) {
  const quote = source.text[range.start - 1];
  const isQuoted = (quote === '"' || quote === "'") && source.text[range.end] === quote;
  const written =
    kind === 'local' || kind === 'variable'
      ? name
      : quote === '"' && isQuoted
        ? JSON.stringify(name).slice(1, -1)
        : isQuoted
          ? name.replaceAll("'", "''")
          : oneLineString(name, { isInBrackets: true });
  return { range: toRange(source, range), newText: written };
}
