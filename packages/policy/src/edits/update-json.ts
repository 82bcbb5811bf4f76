import { EDGE_V2 } from '@tollgate/catalog';
import { lineStart, SourceText } from '@tollgate/diagnostics';
import { documentLimits } from '../document/model/document-limits.ts';
import type { DocumentNode, MapNode, PlainValue } from '../document/model/document-node.ts';
import { Reporter } from '../document/model/reporter.ts';
import { furthestOn, type PartPath } from '../document/model/select-part.ts';
import { readDocuments } from '../document/read-document.ts';

/**
 * Returns a JSON text in which the value at a path is another one. Everything else stays as it is. Missing keys on the way are added, also to an
 * empty text. Undefined if the text has errors, or if a value on the way is neither a map nor null.
 */
export function updateJson(
  given: SourceText,
  { document = 1, steps }: PartPath,
  value: PlainValue,
): string | undefined {
  const source = given.text.trim() === '' ? new SourceText(given.uri, '{}\n') : given;
  const reporter = new Reporter(source.uri, 1);
  const { documents } = readDocuments(source, { limits: documentLimits(EDGE_V2), reporter });
  const root = documents[document - 1];
  if (!root || !reporter.isEmpty) return undefined;
  const { node, taken } = furthestOn(root, steps);
  const { text } = source;
  const unit = indentUnit(text, root);
  if (taken === steps.length) return replaced(text, node.range, indented(text, { at: node.range.start, unit }, value));
  const [key, ...rest] = steps.slice(taken);
  const isNothing = node.kind === 'scalar' && node.value === null;
  if (key === undefined || (node.kind !== 'map' && !isNothing)) return undefined;
  const member = rest.reduceRight<PlainValue>((inner, step) => ({ [step]: inner }), value);
  const entries = node.kind === 'map' ? node.entries : [];
  return withMember(text, { range: node.range, entries }, { key, member, unit });
}

interface Member {
  readonly key: string;
  readonly member: PlainValue;
  readonly unit: string;
}

function withMember(
  text: string,
  { entries, range }: Pick<MapNode, 'entries' | 'range'>,
  { key, member, unit }: Member,
): string {
  const last = entries.at(-1);
  if (!last) return replaced(text, range, indented(text, { at: range.start, unit }, { [key]: member }));
  const place = { at: last.keyRange.start, unit };
  const isOnItsOwnLine = text.slice(range.start, entries[0]!.keyRange.start).includes('\n');
  const separator = isOnItsOwnLine ? `${lineBreakOf(text)}${indentationAt(text, place.at)}` : ' ';
  const entry = `,${separator}${JSON.stringify(key)}: ${indented(text, place, member)}`;
  const at = last.value.range.end;
  return replaced(text, { start: at, end: at }, entry);
}

function replaced(text: string, { start, end }: { readonly start: number; readonly end: number }, by: string): string {
  return text.slice(0, start) + by + text.slice(end);
}

interface InsertionPoint {
  readonly at: number;
  readonly unit: string;
}

/** Returns JSON whose lines are indented like the one where it begins. */
function indented(text: string, { at, unit }: InsertionPoint, value: PlainValue): string {
  return JSON.stringify(value, undefined, unit).replaceAll('\n', `${lineBreakOf(text)}${indentationAt(text, at)}`);
}

function indentationAt(text: string, at: number): string {
  const line = text.slice(lineStart(text, at), at);
  return line.slice(0, line.length - line.trimStart().length);
}

/** Returns the indentation of the first member. */
function indentUnit(text: string, root: DocumentNode): string {
  const first = root.kind === 'map' ? root.entries[0] : undefined;
  return (first && indentationAt(text, first.keyRange.start - 1)) || '  ';
}

function lineBreakOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}
