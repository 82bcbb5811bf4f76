import type { TextEdit as OffsetEdit } from '@tollgate/diagnostics';
import { editsInFile, oneLineString } from '@tollgate/policy';
import {
  type DocumentHighlight,
  DocumentHighlightKind,
  type Location,
  type Range,
  type TextEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver-types';
import { directoryOf, nameFrom } from '../paths.ts';
import { toRange, toTextEdit } from '../protocol.ts';
import type { EmbeddedSnapshot, Snapshot } from '../snapshot.ts';
import { isSameThing, type Occurrence, occurrenceAt, occurrencesIn, RENAMEABLE } from './occurrences.ts';

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

/** Returns the name that is looked up if it can be renamed. That of a rule must be written somewhere: a number is not a name. */
export function renameable(
  lookup: Lookup,
  snapshot: Snapshot,
): { readonly range: Range; readonly placeholder: string } | undefined {
  const { symbol, documents } = lookup;
  if (!RENAMEABLE.has(symbol.kind)) return undefined;
  const isNamed = documents.some(one => toRename(symbol, one).some(({ isDefinition }) => isDefinition));
  return isNamed ? { range: toRange(snapshot.source, symbol.range), placeholder: symbol.name } : undefined;
}

/** Returns why a name is not possible; undefined if it is. */
export function nameFault({ kind }: Occurrence, name: string): string | undefined {
  if (kind === 'local' || kind === 'variable')
    return /^[A-Za-z_]\w*$/.test(name) ? undefined : 'expected an identifier: letters, digits and `_`';
  return name.trim() === '' || /[\r\n]/.test(name) ? 'expected a name on one line' : undefined;
}

/** Returns the edits that rename something in all documents, or why a file cannot contain the name. */
export function rename(
  { symbol, documents }: Lookup,
  name: string,
  { versioned }: { readonly versioned: boolean },
): WorkspaceEdit | { readonly fault: string } {
  const edited: { readonly document: Snapshot; readonly edits: TextEdit[] }[] = [];
  for (const document of documents) {
    const edits = editsOf(document, toRename(symbol, document), name);
    if (!edits) return { fault: `cannot be written in the notation of ${document.path}; choose another name` };
    if (edits.length > 0) edited.push({ document, edits: edits.map(edit => toTextEdit(document.source, edit)) });
  }
  if (!versioned) return { changes: Object.fromEntries(edited.map(({ document, edits }) => [document.uri, edits])) };
  return {
    documentChanges: edited.map(({ document: { uri, version }, edits }) => ({
      textDocument: { uri, version: version > 0 ? version : null },
      edits,
    })),
  };
}

/** Where tests call a rule by its number, they still do. */
function toRename(symbol: Occurrence, document: Snapshot): readonly Occurrence[] {
  return occurrencesIn(document).filter(
    one => one.name === symbol.name && one.range.end > one.range.start && isSameThing(one, symbol),
  );
}

/** Undefined if the notation around a policy in a string has no way to write the name. */
function editsOf({ source }: Snapshot, found: readonly Occurrence[], name: string): readonly OffsetEdit[] | undefined {
  const edits = found.filter(one => !one.inside).map(one => editOf(one, source.text, name));
  const inStrings = new Map<EmbeddedSnapshot, OffsetEdit[]>();
  for (const { inside, kind } of found) {
    if (!inside) continue;
    const { policy, range } = inside;
    const edit = editOf({ kind, range }, policy.snapshot.source.text, name);
    inStrings.set(policy, [...(inStrings.get(policy) ?? []), edit]);
  }
  for (const [{ embedded }, inner] of inStrings) {
    const written = editsInFile(embedded, inner);
    if (!written) return undefined;
    edits.push(...written);
  }
  return edits;
}

/** Writes the name in the style of the scalar that it replaces. */
function editOf({ range, kind }: Pick<Occurrence, 'range' | 'kind'>, text: string, name: string): OffsetEdit {
  const quote = text[range.start - 1];
  const isQuoted = (quote === '"' || quote === "'") && text[range.end] === quote;
  const written =
    kind === 'local' || kind === 'variable'
      ? name
      : quote === '"' && isQuoted
        ? JSON.stringify(name).slice(1, -1)
        : isQuoted
          ? name.replaceAll("'", "''")
          : oneLineString(name, { isInBrackets: true });
  return { range, newText: written };
}

/** A file or directory that gets a new path. */
interface FileRename {
  readonly from: string;
  readonly to: string;
}

/** Returns the edits that keep the paths in tests and settings correct when files are renamed. */
export function fileRenames(documents: readonly Snapshot[], renames: readonly FileRename[]): WorkspaceEdit {
  const changes = documents.flatMap(({ uri, source, path, ...rest }) => {
    const edits = occurrencesIn({ uri, source, path, ...rest }).flatMap(({ kind, file, range }) => {
      if (kind !== 'file' || !file) return [];
      const moved = newPath(file.path, renames);
      if (moved === undefined) return [];
      const name = nameFrom(directoryOf(newPath(path, renames) ?? path), moved);
      const isMarked = source.text.slice(range.start, range.end).startsWith('./');
      const suffix = /#.*$/.exec(source.text.slice(range.start, range.end))?.[0] ?? '';
      return [
        { range: toRange(source, range), newText: `${isMarked && !name.startsWith('.') ? './' : ''}${name}${suffix}` },
      ];
    });
    return edits.length === 0 ? [] : [[uri, edits] as const];
  });
  return { changes: Object.fromEntries(changes) };
}

function newPath(path: string, renames: readonly FileRename[]): string | undefined {
  const renamed = renames.find(({ from }) => path === from || path.startsWith(`${from}/`));
  return renamed && renamed.to + path.slice(renamed.from.length);
}
