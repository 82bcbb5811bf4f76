import type { EndpointKind } from '@tollgate/catalog';
import {
  type Diagnostic,
  diffLines,
  type Fix,
  lineStart,
  type Range,
  type SourceText,
  type TextEdit,
} from '@tollgate/diagnostics';
import { applyEdits } from '../document/edits.ts';
import { documentRange, isPlainString, isUnprintable, type MappedText } from '../document/scalar-text.ts';
import type { PartPath } from '../document/select-part.ts';
import { hasStandIns, standInRanges, withPlaceholders } from './placeholders.ts';

/** The formats that embed policies. `document` is a file that is a policy itself, or YAML or JSON with policies among its values. */
export type EmbeddingFormat = 'document' | 'markdown' | 'terraform';

/** How a string is encoded in the text around it. */
export type TextStyle =
  /** Scalars of YAML and JSON. */
  | 'plain'
  | 'single'
  | 'double'
  | 'literal'
  | 'folded'
  /** Lines that are copied apart from their indentation or prefix. */
  | 'fence'
  /** Terraform: a heredoc, a quoted string, and an object that is passed to `jsonencode` or `yamlencode`. */
  | 'heredoc'
  | 'hcl-string'
  | 'hcl-object'
  /** A file with stand-ins for placeholders. */
  | 'template';

/** A text inside another: a string that contains a document, or the contents of a code fence. */
export interface TextLayer {
  readonly style: TextStyle;
  /** The inner text, and the location of each part of it in the outer text. */
  readonly text: MappedText;
  readonly outer: string;
  /** What the stand-ins in the text stand for, by their number. */
  readonly placeholders?: readonly string[];
}

/** A policy inside a file, or a file that is a policy. */
export interface EmbeddedPolicy {
  readonly format: EmbeddingFormat;
  /** The file. */
  readonly file: SourceText;
  /** Address in the file: what follows `#` on the command line. It continues into strings that contain a document. */
  readonly path: PartPath;
  /** The document to analyze: the file itself, or what a string or code fence in it decodes to. Ranges of its analysis refer to it. */
  readonly source: SourceText;
  /** The part of `source` that is the policy; undefined for all of it. */
  readonly part: PartPath | undefined;
  /** From the text around the document to the file; empty if `source` is the file. */
  readonly layers: readonly TextLayer[];
  /** The range of the policy in `source`. */
  readonly range: Range;
  /** The kind of endpoint that its surroundings state. */
  readonly endpoint: EndpointKind | undefined;
}

/** Returns the range in the file of a range in the policy's own document. */
export function rangeInFile({ layers }: Pick<EmbeddedPolicy, 'layers'>, range: Range): Range {
  return layers.reduce((inner, { text }) => documentRange(text, inner), range);
}

/** Returns the offset in the policy's own document of an offset in the file; undefined if it is outside of it. */
export function offsetInPolicy({ layers }: Pick<EmbeddedPolicy, 'layers'>, offset: number): number | undefined {
  let at: number | undefined = offset;
  for (const { text } of layers.toReversed()) at = at === undefined ? undefined : innerOffset(text, at);
  return at;
}

/** The pieces are in source order, so the first that ends after the offset contains it, or follows the indentation it is in. */
function innerOffset({ pieces, value, range }: MappedText, offset: number): number | undefined {
  if (offset < range.start || offset > range.end) return undefined;
  let low = 0;
  for (let high = pieces.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if (pieces[middle]!.range.end < offset) low = middle + 1;
    else high = middle;
  }
  const piece = pieces[low];
  if (!piece) return value.length;
  const isCopied = piece.to - piece.from === piece.range.end - piece.range.start;
  if (offset <= piece.range.start) return piece.from;
  return isCopied ? piece.from + offset - piece.range.start : offset === piece.range.end ? piece.to : piece.from;
}

/**
 * Returns a finding in the policy's own document as one in the file. Fixes whose result cannot be written in the file's notation, such
 * as a line break in a plain scalar, are left out.
 */
export function diagnosticInFile(policy: EmbeddedPolicy, diagnostic: Diagnostic): Diagnostic {
  if (policy.layers.length === 0) return diagnostic;
  const { related, fixes, ...rest } = diagnostic;
  const { uri } = policy.file;
  const shown = (text: string) => asInFile(policy, text);
  const addresses = related?.map(one => ({
    ...{ ...one, uri, message: shown(one.message) },
    range: rangeInFile(policy, one.range),
  }));
  const writable = fixes?.flatMap(fix => fixInFile(policy, { ...fix, title: shown(fix.title) }) ?? []);
  return {
    ...rest,
    uri,
    message: shown(diagnostic.message),
    args: Object.fromEntries(
      Object.entries(diagnostic.args ?? {}).map(([name, one]) => [name, typeof one === 'string' ? shown(one) : one]),
    ),
    range: rangeInFile(policy, diagnostic.range),
    ...(addresses && { related: addresses }),
    ...(writable && writable.length > 0 && { fixes: writable }),
  };
}

/** Returns what is said about a policy with the placeholders that the file has where the policy has stand-ins. */
function asInFile({ layers }: EmbeddedPolicy, text: string): string {
  if (!hasStandIns(text)) return text;
  return layers.reduce(
    (shown, { style, placeholders = [] }) => withPlaceholders(shown, style === 'template' ? 't' : 'h', placeholders),
    text,
  );
}

function fixInFile(policy: EmbeddedPolicy, fix: Fix): Fix | undefined {
  const edits = editsInFile(policy, fix.edits);
  return edits && { ...fix, edits };
}

/** Returns edits of the policy's own document as edits of the file; undefined if the result cannot be written there. */
export function editsInFile(policy: EmbeddedPolicy, edits: readonly TextEdit[]): readonly TextEdit[] | undefined {
  if (policy.layers.length === 0) return edits;
  const ordered = edits.toSorted((a, b) => a.range.start - b.range.start || a.range.end - b.range.end);
  const edit = replacementInFile(policy, applyEdits(policy.source.text, ordered));
  return edit && [edit];
}

/**
 * Returns the edit of the file that turns the policy's own document into `text`. It keeps the notation of the file (indentation,
 * escapes, line breaks) and everything that does not change. Undefined if the text cannot be written there.
 */
export function replacementInFile({ layers }: EmbeddedPolicy, text: string): TextEdit | undefined {
  let wanted = text;
  let edit: TextEdit | undefined;
  for (const layer of layers) {
    edit = replaceInLayer(layer, wanted);
    if (!edit) return undefined;
    wanted = applyEdits(layer.outer, [edit]);
  }
  return edit;
}

/** Returns a text without line breaks as it is written inside the policy's document in the file; undefined if it has no notation there. */
export function encodedInFile({ layers }: Pick<EmbeddedPolicy, 'layers'>, text: string): string | undefined {
  return layers.reduce<string | undefined>((inner, layer) => {
    if (inner === undefined || !LINE_STYLES.has(layer.style)) return inner && encode(layer, inner, '');
    return layer.style === 'heredoc' ? withOriginals(layer, escapeTemplate(inner)) : inner;
  }, text);
}

/** A range of a text, and what replaces it. */
interface Region {
  readonly start: number;
  readonly end: number;
  readonly added: string;
}

/**
 * Returns what turns one text into the other, in order. Changes on different lines are different regions, so that what is between them
 * stays as it is.
 */
export function changedRegions(before: string, after: string): readonly Region[] {
  const regions: Region[] = [];
  let [start, from] = [0, 0];
  let [removed, added]: [string[], string[]] = [[], []];
  const close = () => {
    if (removed.length + added.length > 0) regions.push(...regionsOf(removed, added, start));
    [start, removed, added] = [from, [], []];
  };
  for (const { kind, text } of diffLines(before.split(/(?<=\n)/), after.split(/(?<=\n)/))) {
    if (kind === 'kept') close();
    if (kind === 'added') added.push(text);
    else from += text.length;
    if (kind === 'removed') removed.push(text);
    if (kind === 'kept') start = from;
  }
  close();
  return regions;
}

function regionsOf(removed: readonly string[], added: readonly string[], start: number): readonly Region[] {
  if (removed.length !== added.length) return [trimmed(removed.join(''), added.join(''), start)];
  let at = start;
  return removed.map((line, index) => {
    at += line.length;
    return trimmed(line, added[index]!, at - line.length);
  });
}

/** Returns a region without the characters at its ends that stay. */
function trimmed(removed: string, added: string, start: number): Region {
  const most = Math.min(removed.length, added.length);
  let head = 0;
  while (head < most && removed[head] === added[head]) head += 1;
  let tail = 0;
  while (tail < most - head && removed.at(-1 - tail) === added.at(-1 - tail)) tail += 1;
  return { start: start + head, end: start + removed.length - tail, added: added.slice(head, added.length - tail) };
}

/** Returns the edit of the outer text that turns the inner text into `wanted`; undefined if its style cannot express that. */
function replaceInLayer(layer: TextLayer, wanted: string): TextEdit | undefined {
  const text = withSameEnd(layer, wanted);
  const { start } = layer.text.range;
  if (text === layer.text.value) return { range: { start, end: start }, newText: '' };
  return LINE_STYLES.has(layer.style) ? replaceLines(layer, text) : replaceCharacters(layer, text);
}

const LINE_STYLES: ReadonlySet<TextStyle> = new Set(['literal', 'fence', 'heredoc']);

/** The line breaks at the end are given by the notation around the text, such as the chomping indicator of a block scalar. */
function withSameEnd({ text: { value } }: TextLayer, wanted: string): string {
  const end = /\n*$/.exec(value)![0];
  return wanted.replace(/\n*$/, '') + end;
}

function replaceLines(layer: TextLayer, wanted: string): TextEdit | undefined {
  const { text, outer, style } = layer;
  const [old, lines] = [text.value.split('\n'), wanted.split('\n')];
  const { head, tail } = commonEnds(old, lines);
  // At least one line replaces another, so that line breaks and indentation are replaced with their lines.
  const isRemoved = head === lines.length - tail;
  const from = Math.max(Math.min(head, old.length - 1) - (isRemoved ? 1 : 0), 0);
  const to = Math.min(Math.max(old.length - tail, from + 1) + (isRemoved && head === 0 ? 1 : 0), old.length);
  const added = lines.slice(from, lines.length - (old.length - to));
  if (added.some(line => isUnprintable(line) || line.includes('\r'))) return undefined;
  const start = lengthOf(old.slice(0, from));
  const end = start + old.slice(from, to).join('\n').length;
  const prefix = prefixOf(layer);
  const lineBreak = /\r?\n/.exec(outer)?.[0] ?? '\n';
  const encoded = style === 'heredoc' ? added.map(line => withOriginals(layer, escapeTemplate(line))) : added;
  const [first = '', ...others] = encoded;
  // The first line keeps its own indentation; an empty one may have less.
  const range = lineRange(layer, start, end);
  const isIndented = outer.slice(lineStart(outer, range.start), range.start) === prefix;
  const opened = isIndented || first === '' ? first : prefix + first;
  const beginning = isIndented || first === '' ? range.start : lineStart(outer, range.start);
  const rest = others.map(line => lineBreak + (line === '' ? prefix.trimEnd() : prefix + line));
  return { range: { start: beginning, end: range.end }, newText: opened + rest.join('') };
}

function commonEnds(old: readonly string[], lines: readonly string[]) {
  const most = Math.min(old.length, lines.length);
  let head = 0;
  while (head < most && old[head] === lines[head]) head += 1;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === lines.at(-1 - tail)) tail += 1;
  return { head, tail };
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

/** The range of whole lines. That of empty lines is at the end of what little the outer text has there. */
function lineRange({ text, outer }: TextLayer, start: number, end: number) {
  if (start < end) {
    const range = documentRange(text, { start, end });
    // A range that ends with empty lines ends with their line breaks and the indentation of the next line.
    return text.value[end - 1] === '\n' ? { start: range.start, end: outer.lastIndexOf('\n', range.end) } : range;
  }
  const at = start < text.value.length ? documentRange(text, { start, end: start + 1 }).start : text.range.end;
  return { start: at, end: at };
}

/** Returns what precedes the first line that has content: its indentation, or the marks of a block quote. */
function prefixOf({ text, outer }: TextLayer): string {
  const first = text.value.search(/[^\n]/);
  if (first < 0) return '';
  const { start } = documentRange(text, { start: first, end: first + 1 });
  return outer.slice(lineStart(outer, start), start);
}

function replaceCharacters(layer: TextLayer, wanted: string): TextEdit | undefined {
  const edits: TextEdit[] = [];
  for (const region of changedRegions(layer.text.value, wanted)) {
    const edit = replaceRegion(layer, region);
    if (!edit) return undefined;
    edits.push(edit);
  }
  const [start, end] = [edits[0]!.range.start, edits.at(-1)!.range.end];
  const shifted = edits.map(({ range, newText }) => ({
    range: { start: range.start - start, end: range.end - start },
    newText,
  }));
  return { range: { start, end }, newText: applyEdits(layer.outer.slice(start, end), shifted) };
}

function replaceRegion(layer: TextLayer, { start, end, added: wanted }: Region): TextEdit | undefined {
  const { text, outer } = layer;
  const { value } = text;
  // A character with an escape, or a stand-in, is replaced as a whole.
  const from = outsidePiece(text, start).from;
  const to = outsidePiece(text, end).to;
  const removed = value.slice(from, to);
  const added = encode(layer, value.slice(from, start) + wanted + value.slice(end, to), removed);
  if (added === undefined) return undefined;
  if (removed === '') {
    const at = from < value.length ? documentRange(text, { start: from, end: from + 1 }).start : endOf(layer);
    return { range: { start: at, end: at }, newText: added };
  }
  const range = documentRange(text, { start: from, end: to });
  const mayChange = !layer.placeholders || isShown(layer, { removed, added }, outer.slice(range.start, range.end));
  return mayChange ? { range, newText: added } : undefined;
}

/** Returns false if the outer text has what the inner text does not show, such as a control structure of a template. It must not get lost. */
function isShown(
  layer: TextLayer,
  { removed, added }: { readonly removed: string; readonly added: string },
  outer: string,
): boolean {
  if (layer.style === 'hcl-object') return added === '' || !outer.includes('/*');
  return encode(layer, removed, removed) === outer;
}

/** Returns the bounds of the piece that an offset is inside of, or the offset itself. */
function outsidePiece({ pieces }: MappedText, offset: number): { readonly from: number; readonly to: number } {
  const inside = pieces.find(
    ({ from, to, range }) => from < offset && offset < to && to - from !== range.end - range.start,
  );
  return inside ?? { from: offset, to: offset };
}

function endOf({ text }: TextLayer): number {
  return text.pieces.at(-1)?.range.end ?? text.range.end;
}

/** Encodes characters that replace others; undefined if the style has no notation for them. */
function encode(layer: TextLayer, added: string, removed: string): string | undefined {
  switch (layer.style) {
    case 'double':
      return JSON.stringify(added).slice(1, -1);
    case 'hcl-string':
      return withOriginals(layer, escapeTemplate(JSON.stringify(added).slice(1, -1)));
    case 'hcl-object':
      return withOriginals(layer, escapeTemplate(added));
    case 'template':
      return withPlaceholders(added, 't', layer.placeholders ?? []);
    case 'single':
      return isOneLine(added) && isOneLine(removed) ? added.replaceAll("'", "''") : undefined;
    case 'plain':
    case 'folded':
      return isOneLine(added) && isOneLine(removed) && (added === '' || isPlainString(`a${added}a`))
        ? added
        : undefined;
    case 'literal':
    case 'fence':
    case 'heredoc':
      return undefined;
  }
}

function isOneLine(text: string): boolean {
  return !text.includes('\n') && !isUnprintable(text);
}

function withOriginals({ placeholders = [] }: TextLayer, text: string): string {
  return withPlaceholders(text, 'h', placeholders);
}

/** Terraform reads `${` and `%{` in strings as templates. */
function escapeTemplate(text: string): string {
  return text.replace(/[$%](?=\{)/g, '$&$&');
}

/** What may be found outside of a policy, in the YAML or JSON around it. */
const AROUND = /^(?:yaml|json)\//;

/**
 * Returns the findings in a policy as findings in its file. Remarks about the YAML or JSON around a policy are left out, since they do
 * not concern it; errors are kept, since they may change where the policy is. What depends on a placeholder is left out, too.
 */
export function findingsInFile(policy: EmbeddedPolicy, found: readonly Diagnostic[]): readonly Diagnostic[] {
  const {
    part,
    range: { start, end },
  } = policy;
  const concerns = ({ code, severity, range }: Diagnostic) =>
    part === undefined || severity === 'error' || !AROUND.test(code) || (range.end >= start && range.start <= end);
  return withoutPlaceholders(policy, found)
    .filter(concerns)
    .map(one => diagnosticInFile(policy, one));
}

/** Returns the findings that do not concern a placeholder, whose value is unknown. */
export function withoutPlaceholders(
  { source }: Pick<EmbeddedPolicy, 'source'>,
  found: readonly Diagnostic[],
): readonly Diagnostic[] {
  if (!hasStandIns(source.text)) return found;
  const unknown = standInRanges(source.text);
  const touches = ({ start, end }: Range) =>
    unknown.some(one => one.start < Math.max(end, start + 1) && start < one.end);
  return found.filter(({ range }) => !touches(range));
}
