import type { ProfileSwitches } from '@tollgate/catalog';
import { type Diagnostic, InternalError, type Range, type SourceText, type TextEdit } from '@tollgate/diagnostics';
import { type AnalysisOptions, analyzePolicies } from '../analysis/analyze-policy.ts';
import { applyEdits } from '../document/edits.ts';
import type { Quotes } from '../document/scalar-text.ts';
import { formatOnOneLine, KnownLayouts } from './print-scalar.ts';
import { attachComments, orderKeys, printPart, printYaml, type YamlPrinting } from './print-yaml.ts';
import { hasSameContent } from './reading-difference.ts';
import { findRoles, type PolicyRoles } from './roles.ts';
import {
  findParts,
  isCollection,
  readSyntax,
  type Slot,
  SourceLines,
  type SyntaxCollection,
  type SyntaxDocument,
  type SyntaxNode,
  type SyntaxPart,
  type SyntaxScalar,
} from './syntax-tree.ts';

/** Options of {@link formatPolicy}. */
export interface FormatOptions extends AnalysisOptions {
  /** Maximum line width in UTF-16 units, for lines that can be broken. */
  readonly width: number;
  /** The quotes of strings that have neither in them; by default `double`. */
  readonly quotes?: Quotes | undefined;
  /** What {@link analyzePolicies} reports for the same text with the same options, if that is known already. */
  readonly diagnostics?: readonly Diagnostic[];
}

/** The formatted text, or the errors that prevented it. */
export interface FormattedPolicy {
  /** Undefined if the document was rejected. */
  readonly text: string | undefined;
  /** Why it was rejected. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Errors that prevent formatting. */
const BLOCKING = /^(?:yaml|json|limit|syntax)\//;

/**
 * Formats the policies in a YAML or JSON file: indentation, key order, quotes, block scalars, and the
 * layout of expressions. If a part is given, everything else stays exactly as it is. The result has the same analysis, all
 * comments are kept, JSON stays JSON, and formatting again changes nothing. Rejects files with syntax errors in the
 * document or in an expression, and files without a policy.
 */
export function formatPolicy(source: SourceText, options: FormatOptions): FormattedPolicy {
  const diagnostics = options.diagnostics ?? analyzePolicies(source, options).diagnostics;
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const hindering = errors.filter(({ code }) => BLOCKING.test(code));
  if (hindering.length > 0) return { text: undefined, diagnostics: hindering };
  const text = withPlainLines(source.text);
  const lines = new SourceLines(text);
  const plans = planDocuments(lines, options);
  if (!plans.some(({ roles }) => roles.isPolicy) && errors.length > 0) return { text: undefined, diagnostics: errors };
  const documents = plans.map(({ document }) => document);
  const isSame = (formatted: string) => {
    const now = withPlainLines(formatted);
    // Most files have been formatted before.
    return now === text || hasSameContent(documents, readSyntax(new SourceLines(now)), options);
  };
  const task = { lines, plans, options };
  const formatted = options.part ? formatParts(source, task, isSame) : formatAll(source, task);
  if (typeof formatted !== 'string') return { text: undefined, diagnostics: [formatted] };
  if (!isSame(formatted)) throw new InternalError(`formatting would change the meaning of \`${source.uri}\``);
  return { text: formatted, diagnostics: [] };
}

function withPlainLines(text: string): string {
  return text.replace(/^\ufeff/, '').replaceAll(/\r\n?/g, '\n');
}

interface Plan {
  readonly document: SyntaxDocument;
  /** The part to format. */
  readonly part: SyntaxPart | undefined;
  readonly roles: PolicyRoles;
}

function planDocuments(lines: SourceLines, { profile, part: path }: FormatOptions): readonly Plan[] {
  const documents = readSyntax(lines);
  const parts = findParts(documents, path);
  return documents.map((document, index) => {
    const part = parts[index];
    return { document, part, roles: findRoles(document.root, part?.node, profile) };
  });
}

interface Task {
  readonly lines: SourceLines;
  readonly plans: readonly Plan[];
  readonly options: FormatOptions;
}

function formatAll({ text: original }: SourceText, { lines, plans, options }: Task): string {
  const formatted = isJson(lines.text) ? formatJson(plans, options) : formatYaml(lines, plans, options);
  return formatted.replaceAll('\n', lineBreakOf(original));
}

function lineBreakOf(text: string): string {
  return /\r\n|\n/.exec(text)?.[0] ?? '\n';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function formatJson(plans: readonly Plan[], { profile, width }: FormatOptions): string {
  const [first] = plans;
  if (!first?.document.root) throw new InternalError('JSON without a value');
  const { interpolationEscape } = profile.switches;
  return `${printJson(first.document.root, { roles: first.roles, width, interpolationEscape })}\n`;
}

function formatYaml(source: SourceLines, plans: readonly Plan[], { profile, width, quotes }: FormatOptions): string {
  const { interpolationEscape } = profile.switches;
  const layouts = new KnownLayouts();
  const lines = plans.flatMap(({ document, roles }, index) => {
    const comments = attachComments(source, document);
    const printed = printYaml(document, { comments, roles, width, interpolationEscape, layouts, quotes });
    // Directives need an explicit end of the previous document.
    return index > 0 && document.directives.length > 0 ? ['...', ...printed] : printed;
  });
  return `${lines.join('\n')}\n`;
}

/** Returns the text with its parts formatted, or the errors that prevent it. */
function formatParts(source: SourceText, task: Task, isSame: (text: string) => boolean): string | Diagnostic {
  const formatted = replaceParts(source, task, false);
  if (typeof formatted !== 'string' || isSame(formatted)) return formatted;
  return replaceParts(source, task, true);
}

function replaceParts(
  { uri, text }: SourceText,
  { lines, plans, options: { profile, width, quotes } }: Task,
  dropsBlanks: boolean,
): string | Diagnostic {
  const { interpolationEscape } = profile.switches;
  const format = isJson(lines.text) ? formatJsonPart : formatYamlPart;
  const originalRange = originalOffsets(text);
  const layouts = new KnownLayouts();
  const edits: TextEdit[] = [];
  for (const { document, part, roles } of plans) {
    if (!part) continue;
    const edit = format({ lines, document, part, roles, width, interpolationEscape, layouts, quotes, dropsBlanks });
    if (!edit) return inBrackets(uri, originalRange(part.node));
    const newText = edit.newText.replaceAll('\n', lineBreakOf(text));
    edits.push({ range: originalRange(edit.range), newText });
  }
  return applyEdits(text, edits);
}

function inBrackets(uri: string, { start }: Range): Diagnostic {
  return {
    code: 'format/in-brackets',
    severity: 'error',
    message:
      'cannot format a policy inside brackets on its own; format the whole file, or write the surroundings without brackets',
    uri,
    range: { start, end: start + 1 },
    args: {},
  };
}

/** A part of a document to format in place. */
interface PartFormatting extends Omit<YamlPrinting, 'comments'> {
  readonly lines: SourceLines;
  readonly document: SyntaxDocument;
  readonly part: SyntaxPart;
  /** Whether to remove the empty lines after the part: a block string at its end would include them. */
  readonly dropsBlanks: boolean;
}

/** Returns the edit that formats a part of a JSON document. */
function formatJsonPart({ lines, part, ...printing }: PartFormatting): TextEdit {
  const { start, end } = part.node;
  const column = lines.columnOf(start);
  const pad = /^[ \t]*/.exec(lines.text.slice(start - column))![0];
  return { range: { start, end }, newText: printJson(part.node, printing, { pad, column }) };
}

/**
 * Returns the edit that formats a part of a YAML document, keeping its column and everything around it. Undefined if
 * that is impossible: the part is inside brackets, or something follows its brackets on the line.
 */
function formatYamlPart(formatting: PartFormatting): TextEdit | undefined {
  const { lines, document, part, ...shared } = formatting;
  const { node, owners } = part;
  const printing = { ...shared, comments: attachComments(lines, document) };
  if (!isCollection(node) || node.slots.length === 0)
    return { range: { start: node.start, end: node.start }, newText: '' };
  if (owners.some(owner => owner.isFlow)) return undefined;
  if (node.isFlow) return openBrackets(node, owners.at(-1), lines, printing);
  const column = lines.columnOf(node.start);
  const printed = printPart(node, column, printing);
  const last = endOf(node, lines.text, printing);
  const end = shared.dropsBlanks ? last + blanksAt(lines.text, last) : last;
  const lastBreak = lines.text[end - 1] === '\n' ? '\n' : '';
  return { range: { start: node.start, end }, newText: printed.join('\n').slice(column) + lastBreak };
}

/** Returns the lines of a bracketed collection in block style, below its key or after its dash. */
function openBrackets(
  node: SyntaxCollection,
  owner: SyntaxCollection | undefined,
  lines: SourceLines,
  printing: YamlPrinting,
): TextEdit | undefined {
  const { text } = lines;
  const lineEnd = text.indexOf('\n', node.end);
  const end = lineEnd < 0 ? text.length : lineEnd;
  if (/[^ \t]/.test(text.slice(node.end, end))) return undefined;
  if (owner?.kind === 'list' && node.anchor === undefined && node.tag === undefined) {
    const column = lines.columnOf(node.start);
    return { range: { start: node.start, end }, newText: printPart(node, column, printing).join('\n').slice(column) };
  }
  const column = owner ? lines.columnOf(owner.start) + 2 : 0;
  const start = endOfVisible(text, node.start);
  const isFirst = start === 0 || text[start] === '\n';
  const range = { start: isFirst ? node.start : start, end };
  return { range, newText: (isFirst ? '' : '\n') + printPart(node, column, printing).join('\n') };
}

/** Returns the end of a part and its comments. Following empty lines count only if they belong to a block string. */
function endOf(node: SyntaxCollection, text: string, { comments }: YamlPrinting): number {
  const keepsLines = /^[|>]\d?\+/.test(lastScalarOf(node));
  const contentEnd = keepsLines ? node.end : endOfVisible(text, node.end);
  let end = contentEnd;
  const include = (found: readonly { readonly start: number; readonly text: string }[] = []) => {
    for (const one of found) end = Math.max(end, one.start + one.text.length);
  };
  const visit = (collection: SyntaxCollection): void => {
    include(comments.feet.get(collection));
    const last: Slot | undefined = collection.slots.at(-1);
    if (last) include(Object.values(comments.slots.get(last) ?? {}).flat());
    if (isCollection(last?.value)) visit(last.value);
  };
  visit(node);
  const spaces = /^[ \t]*(?=\n|$)/.exec(text.slice(end))?.[0].length ?? 0;
  return end > contentEnd || !keepsLines ? end + spaces : end;
}

/** Returns the end of the content before an offset, skipping only what is white space in YAML. */
function endOfVisible(text: string, before: number): number {
  let end = before;
  while (' \t\n'.includes(text[end - 1] ?? '.')) end -= 1;
  return end;
}

/** Returns the length of the line breaks before the next line with content. */
function blanksAt(text: string, from: number): number {
  return /^(?:[ \t]*\n)*/.exec(text.slice(from))![0].length;
}

function lastScalarOf(node: SyntaxNode | undefined): string {
  if (isCollection(node)) return lastScalarOf(node.slots.at(-1)?.value);
  return node?.kind === 'scalar' && node.style !== 'plain' ? node.source : '';
}

/** Returns a function that maps ranges of the normalized text (LF line breaks, no byte order mark) to the original. */
function originalOffsets(original: string): (range: Range) => Range {
  const mark = original.startsWith('\ufeff') ? 1 : 0;
  /** Offsets, in the normalized text, of line breaks that are CRLF in the original. */
  const long: number[] = [];
  for (const { index } of original.matchAll(/\r\n/g)) long.push(index - long.length - mark);
  const countBefore = (at: number): number => {
    let low = 0;
    for (let high = long.length; low < high; ) {
      const middle = (low + high) >>> 1;
      if (long[middle]! < at) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const offset = (at: number) => at + mark + countBefore(at);
  return ({ start, end }) => ({ start: offset(start), end: offset(end) });
}

/** The context of printing JSON. */
interface JsonPrinting {
  readonly roles: PolicyRoles;
  readonly width: number;
  readonly interpolationEscape: ProfileSwitches['interpolationEscape'];
}

/** The position of a value. */
interface JsonPosition {
  /** White space at the start of its line. */
  readonly pad: string;
  /** Column of the value. */
  readonly column: number;
}

/** Prints a JSON value: maps on several lines, lists of scalars on one line if they fit, expressions on one line. */
function printJson(node: SyntaxNode, printing: JsonPrinting, place: JsonPosition = { pad: '', column: 0 }): string {
  return print(node, place, printing);
}

function print(node: SyntaxNode, place: JsonPosition, printing: JsonPrinting): string {
  if (node.kind === 'alias') return 'null';
  if (node.kind === 'scalar') return printScalar(node, printing);
  const [open, close] = node.kind === 'map' ? ['{', '}'] : ['[', ']'];
  if (node.slots.length === 0) return open + close;
  const line = node.kind === 'list' ? listOnOneLine(node, printing) : undefined;
  if (line !== undefined && place.column + line.length <= printing.width) return line;
  const pad = `${place.pad}  `;
  const slots = orderKeys(node.slots, printing.roles.keysOf(node)).map(({ slot: { key, value } }) => {
    const start = pad + (key ? `${key.source}: ` : '');
    return start + (value ? print(value, { pad, column: start.length }, printing) : 'null');
  });
  return `${open}\n${slots.join(',\n')}\n${place.pad}${close}`;
}

function listOnOneLine({ slots }: SyntaxCollection, printing: JsonPrinting): string | undefined {
  const items: string[] = [];
  for (const { value } of slots) {
    if (value?.kind !== 'scalar') return undefined;
    items.push(printScalar(value, printing));
  }
  return `[${items.join(', ')}]`;
}

/** Keeps the source, including its escapes, unless the layout of its expressions changes. */
function printScalar(node: SyntaxScalar, { roles, interpolationEscape }: JsonPrinting): string {
  const text = node.style === 'double' ? formatOnOneLine(node.value, roles.of(node), interpolationEscape) : node.value;
  return text === node.value ? node.source : JSON.stringify(text);
}
