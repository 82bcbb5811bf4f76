import type { TextEdit as OffsetEdit } from '@tollgate/diagnostics';
import { editsInFile, oneLineString } from '@tollgate/policy';
import type { Range, TextEdit, WorkspaceEdit } from 'vscode-languageserver-types';
import { type Occurrence, RENAMEABLE } from '../../navigation/occurrence.ts';
import { isSameThing, occurrencesIn } from '../../navigation/occurrences.ts';
import { toRange, toTextEdit } from '../../protocol/ranges.ts';
import type { EmbeddedSnapshot, Snapshot } from '../../snapshot/snapshot.ts';
import type { Lookup } from './navigation.ts';

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
