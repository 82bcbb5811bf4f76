import type { Fix, Range, TextEdit } from '@tollgate/diagnostics';
import { Composer, type CST, type Document, isScalar, Lexer, type ParsedNode, Parser, type YAMLError } from 'yaml';
import { commentsIn, convertDocument, tooDeepAt } from './convert-document.ts';
import {
  type DocumentLimits,
  type DocumentNode,
  type Finding,
  plainValue,
  Reporter,
  reportLimit,
} from './document-node.ts';
import { documentRange, type MappedText, PieceCollector } from './scalar-text.ts';
import { colonInString, isStructural, replaceUnreadable, unclosedBefore, yamlFindings } from './yaml-problems.ts';
import { trapIn, type YamlTrap } from './yaml-traps.ts';

/** Size of a document, in the units of its limits. */
export interface DocumentSize {
  /** Number of values; aliased ones count each time they are referenced. */
  readonly nodes: number;
  /** Number of YAML tokens; 0 if they did not have to be counted. */
  readonly tokens: number;
}

/** The documents and comments of a file. */
export interface ReadDocuments {
  /** The documents that are not empty, in order; `---` separates several in one file. */
  readonly documents: readonly DocumentNode[];
  /** Each from `#` to the end of its line, in order. */
  readonly comments: readonly Range[];
  /** True if a structural error was reported, so that nesting is uncertain. */
  readonly isBroken?: boolean;
  /** Undefined if the YAML has errors. */
  readonly size?: DocumentSize;
}

/**
 * Reads YAML with the YAML library and reports all its errors. Undefined if a limit is exceeded. Takes
 * linear time.
 */
export function readWithYamlLibrary(
  text: string,
  limits: DocumentLimits,
  reporter: Reporter,
): ReadDocuments | undefined {
  const readable = replaceUnreadable(text, reporter);
  const { exceeded, tokens: count } = scanBounds(readable, limits);
  if (exceeded) {
    const { limit, at } = exceeded;
    reportLimit(reporter, limit, limits, { start: at, end: Math.min(at + 1, text.length) });
    return undefined;
  }
  const composed = compose(readable, limits);
  if ('problems' in composed && composed.problems.some(isStructural)) {
    const withSpaces = readWithSpaces(readable, limits, reporter);
    if (withSpaces) return withSpaces;
  }
  return readComposed(readable, composed, { count, limits, reporter });
}

interface Reading {
  /** The number of tokens. */
  readonly count: number;
  readonly limits: DocumentLimits;
  readonly reporter: Reporter;
}

function readComposed(
  readable: string,
  first: ReturnType<typeof compose>,
  { count, limits, reporter }: Reading,
): ReadDocuments | undefined {
  let composed = first;
  const traps: YamlTrap[] = [];
  for (let pass = 0; pass < MAX_REPAIRS && readable.length <= MAX_REPAIRED_SIZE; pass += 1) {
    const found = 'problems' in composed ? trapsAmong(readable, composed.problems, traps) : [];
    if (found.length === 0) break;
    traps.push(...found);
    composed = compose(masked(readable, traps), limits);
  }
  for (const { finding } of traps) reporter.report(finding);
  if ('deep' in composed) {
    const { deep } = composed;
    reportLimit(reporter, 'maxDocumentDepth', limits, { start: deep, end: Math.min(deep + 1, readable.length) });
    return undefined;
  }
  const { tokens, documents, problems } = composed;
  for (const finding of yamlFindings(readable, problems)) reporter.report(finding);
  const converted = convertAll(documents, { text: readable, traps, limits, reporter });
  if (!converted) return undefined;
  const size = reporter.isEmpty ? { size: { nodes: converted.nodes, tokens: count } } : {};
  const isBroken = problems.some(isStructural);
  return { documents: converted.documents, comments: commentsIn(tokens), ...size, ...(isBroken && { isBroken }) };
}

/**
 * Reads a document whose lines are indented by tabs as if they were spaces, with the width that leaves the fewest errors and empty
 * values, and then the smoothest left margin. Undefined if no line is, or if the document is too long to read repeatedly.
 */
function readWithSpaces(text: string, limits: DocumentLimits, reporter: Reporter): ReadDocuments | undefined {
  if (text.length > MAX_REPAIRED_SIZE) return undefined;
  const all = TAB_WIDTHS.flatMap(width => {
    const spaced = withoutTabs(text, width);
    return spaced ? [readSpaced(spaced, limits, reporter)] : [];
  });
  const best = leastBy(
    leastBy(all, one => one.score),
    one => one.spaced.jumps,
  );
  const [chosen] = best;
  if (!chosen) return undefined;
  const { spaced, inSpaces, read } = chosen;
  reporter.report(spaced.finding);
  reportPlaced(spaced, inSpaces.found, reporter);
  if (!read) return undefined;
  // Where the width decides what belongs together, nesting is a guess.
  const isBroken =
    read.isBroken || new Set(best.map(one => JSON.stringify(one.read?.documents.map(plainValue)))).size > 1;
  const documents = read.documents.map(document => placedNode(spaced, document));
  const comments = read.comments.map(range => documentRange(spaced.text, range));
  return { documents, comments, ...(isBroken && { isBroken }) };
}

function leastBy<T>(all: readonly T[], scoreOf: (one: T) => number): readonly T[] {
  const least = Math.min(...all.map(scoreOf));
  return all.filter(one => scoreOf(one) === least);
}

interface SpacedReading {
  readonly spaced: WithoutTabs;
  readonly read: ReadDocuments | undefined;
  /** Has the findings, at their offsets in the text with spaces. */
  readonly inSpaces: Reporter;
  readonly score: number;
}

function readSpaced(spaced: WithoutTabs, limits: DocumentLimits, { uri, limit }: Reporter): SpacedReading {
  const inSpaces = new Reporter(uri, limit);
  const composed = compose(spaced.text.value, limits);
  const read = readComposed(spaced.text.value, composed, { count: 0, limits, reporter: inSpaces });
  const errors = 'problems' in composed ? composed.problems.filter(isStructural).length : 0;
  const score = read ? errors * limits.maxDocumentNodes + emptyValues(read.documents) : Number.MAX_VALUE;
  return { spaced, read, inSpaces, score };
}

/** A key whose value moved elsewhere is empty. */
function emptyValues(documents: readonly DocumentNode[]): number {
  const counts = documents.map(node => {
    if (node.kind === 'list') return emptyValues(node.items);
    if (node.kind === 'map') return emptyValues(node.entries.map(({ value }) => value));
    return node.kind === 'scalar' && node.value === null && node.range.start === node.range.end ? 1 : 0;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Masking a trap removes its effect on the following lines and reveals the next one. */
const MAX_REPAIRS = 8;
/** In UTF-16 units: reading longer documents repeatedly would take too long. */
const MAX_REPAIRED_SIZE = 200_000;

interface Composed {
  readonly tokens: readonly CST.Token[];
  readonly documents: readonly Document.Parsed[];
  readonly problems: readonly YAMLError[];
}

function compose(text: string, limits: DocumentLimits): Composed | { readonly deep: number } {
  const tokens = [...new Parser().parse(text)];
  const deep = tooDeepAt(tokens, limits.maxDocumentDepth);
  if (deep !== undefined) return { deep };
  // The conversion finds duplicate keys: the composer would take quadratic time.
  const composer = new Composer({ keepSourceTokens: true, uniqueKeys: false, prettyErrors: false, logLevel: 'silent' });
  const documents = withoutStackTraces(() => [...composer.compose(tokens, true, text.length)]);
  const problems = documents.flatMap(document => [...document.errors, ...document.warnings]);
  return { tokens, documents, problems: problems.slice(0, MAX_PROBLEMS) };
}

/** More than are reported, because some only follow from others. */
const MAX_PROBLEMS = 2_000;

/** The library creates an `Error` for each problem; capturing stack traces would take seven times as long as everything else, and most of the memory. */
function withoutStackTraces<T>(run: () => T): T {
  // Only V8 has this property.
  const errors = Error as ErrorConstructor & { stackTraceLimit?: number };
  const { stackTraceLimit = 0 } = errors;
  errors.stackTraceLimit = 0;
  try {
    return run();
  } finally {
    errors.stackTraceLimit = stackTraceLimit;
  }
}

/** Errors after one that ends the document are ignored: most only follow from it. */
function trapsAmong(text: string, problems: readonly YAMLError[], known: readonly YamlTrap[]): readonly YamlTrap[] {
  const found = new Map(known.map(trap => [trap.range.start, trap]));
  let hasLooked = false;
  const end = problems.findIndex(problem => problem.message.includes('in YAML stream'));
  for (const problem of end < 0 ? problems : problems.slice(0, end)) {
    const [at] = problem.pos;
    // Finding the line takes linear time, so only the first structural error is examined.
    const isFirst: boolean = isStructural(problem) && !hasLooked;
    hasLooked ||= isFirst;
    const structural = isFirst ? (unclosedBefore(text, at) ?? colonInString(text, at)) : undefined;
    const trap = structural ?? trapIn(text, at);
    if (trap) found.set(trap.range.start, trap);
  }
  return [...found.values()].slice(known.length);
}

/** Returns the text with each trap replaced by a plain string of the same length. */
function masked(text: string, traps: readonly YamlTrap[]): string {
  let result = '';
  let at = 0;
  for (const { range } of traps.toSorted((a, b) => a.range.start - b.range.start)) {
    result += text.slice(at, range.start) + 'x'.repeat(range.end - range.start);
    at = range.end;
  }
  return result + text.slice(at);
}

interface Conversions {
  readonly text: string;
  readonly traps: readonly YamlTrap[];
  readonly limits: DocumentLimits;
  readonly reporter: Reporter;
}

function convertAll(
  documents: readonly Document.Parsed[],
  { text, traps, limits, reporter }: Conversions,
): { readonly documents: readonly DocumentNode[]; readonly nodes: number } | undefined {
  const broken = traps.map(trap => trap.range.start);
  let maxNodes = limits.maxDocumentNodes;
  const converted: DocumentNode[] = [];
  for (const document of documents) {
    if (!document.contents || isEmpty(document.contents)) continue;
    const { root, size } = convertDocument(text, document, { maxNodes, broken, reporter });
    maxNodes -= size;
    if (maxNodes < 0) {
      reportLimit(reporter, 'maxDocumentNodes', limits);
      return undefined;
    }
    converted.push(root);
  }
  return { documents: converted, nodes: limits.maxDocumentNodes - maxNodes };
}

/** The library creates a document even for nothing but comments, or after a final `---`. */
function isEmpty(contents: ParsedNode): boolean {
  return isScalar(contents) && contents.value === null && contents.source === '' && !contents.anchor && !contents.tag;
}

/** A limit that the document exceeds, and where. */
interface ExceededBound {
  readonly limit: 'maxDocumentDepth' | 'maxDocumentNodes' | 'maxDocumentTokens';
  readonly at: number;
}

/** The number of tokens, up to the limit that is exceeded. */
interface ScannedText {
  readonly tokens: number;
  readonly exceeded: ExceededBound | undefined;
}

/** Lexer output that is not source text: start of a document, start of a scalar, error in brackets. */
const MARKS: ReadonlySet<string> = new Set(['\u0002', '\u001f', '\u0018']);
const SCALAR = '\u001f';

/**
 * Finds documents that would take too much time or memory to parse. Uses the YAML library's lexer, which retains
 * nothing. Documents that pass are nested at most `maxDocumentDepth` deep in brackets and on any single line.
 */
export function scanBounds(text: string, limits: DocumentLimits): ScannedText {
  let at = 0;
  let tokens = 0;
  let scalars = 0;
  let brackets = 0;
  let onLine = 0;
  let isScalar = false;
  for (const lexeme of new Lexer().lex(text)) {
    if (!isScalar && MARKS.has(lexeme)) {
      isScalar = lexeme === SCALAR;
      continue;
    }
    if (!isScalar) {
      brackets = Math.max(brackets + (BRACKETS[lexeme] ?? 0), 0);
      if (lexeme.endsWith('\n')) onLine = 0;
      else if (brackets === 0 && OPENERS.has(lexeme)) onLine += 1;
    }
    if (isScalar || QUOTE.test(lexeme)) scalars += 1;
    isScalar = false;
    tokens += 1;
    if (brackets > limits.maxDocumentDepth || onLine > limits.maxDocumentDepth + 1)
      return { tokens, exceeded: { limit: 'maxDocumentDepth', at } };
    if (scalars > 2 * limits.maxDocumentNodes) return { tokens, exceeded: { limit: 'maxDocumentNodes', at } };
    if (tokens > limits.maxDocumentTokens) return { tokens, exceeded: { limit: 'maxDocumentTokens', at } };
    at += lexeme.length;
  }
  return { tokens, exceeded: undefined };
}

const BRACKETS: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 };

/** Indicators that can each open another nested list or map on the same line. */
const OPENERS: ReadonlySet<string> = new Set(['-', '?', ':']);
const QUOTE = /^["']/;

// Documents that are indented by tabs. YAML forbids them, and after one the YAML library cannot tell which lines belong together. So such
// a document is read once more with spaces instead, and what is found there is placed in the document as it is written.

/** A document with spaces instead of the tabs that indent its lines. */
interface WithoutTabs {
  /** The text with spaces, with the range of each part in the document. */
  readonly text: MappedText;
  readonly finding: Finding;
  /** How many columns these lines are then from the lines before them, in all. */
  readonly jumps: number;
}

/** Widths of a tab, the most probable first. */
const TAB_WIDTHS: readonly number[] = [4, 2, 8];

/** Returns a document with its tabs expanded to columns that are multiples of `width`; undefined if no line is indented by a tab. */
function withoutTabs(document: string, width: number): WithoutTabs | undefined {
  const collector = new PieceCollector();
  const edits: TextEdit[] = [];
  let copied = 0;
  let jumps = 0;
  let last = { end: 0, column: 0 };
  for (const { start, end } of tabIndents(document)) {
    let column = 0;
    for (let at = start; at < end; at += 1) column += document[at] === '\t' ? width - (column % width) : 1;
    const newText = ' '.repeat(column);
    collector.add(document.slice(copied, start), copied, start);
    collector.add(newText, start, end);
    edits.push({ range: { start, end }, newText });
    copied = end;
    jumps += Math.abs(column - columnBefore(document.slice(last.end, start), last.column));
    last = { end, column };
  }
  const [first] = edits;
  if (!first) return undefined;
  collector.add(document.slice(copied), copied, document.length);
  const text = { value: collector.text, pieces: collector.pieces, range: { start: 0, end: document.length } };
  return { text, finding: tabFinding(document, first.range, edits), jumps };
}

/** Returns the column of the last line that is not blank; the first line starts in `first`. */
function columnBefore(text: string, first: number): number {
  const lines = text.trimEnd();
  const start = lines.lastIndexOf('\n') + 1;
  return start === 0 ? first : /^ */.exec(lines.slice(start))![0].length;
}

/** Only the first is shown: all have the same cause. */
function tabFinding(document: string, { start, end }: Range, edits: readonly TextEdit[]): Finding {
  const count = edits.length;
  const tab = document.indexOf('\t', start);
  const what =
    count === 1
      ? 'tab used for indentation; use spaces'
      : `${count} lines are indented by tabs, this one first; use spaces`;
  const fix: Fix = { title: 'indent by spaces', applicability: 'suggestion', edits };
  return { code: 'yaml/tab-as-indent', message: what, range: { start: tab, end }, args: { count }, fixes: [fix] };
}

/** Finds the white space in front of lines if it contains a tab. Tabs in the content of a block scalar belong to its string. */
function tabIndents(document: string): readonly Range[] {
  const found: Range[] = [];
  let block: Block | undefined;
  for (const { index, 0: line } of document.matchAll(/[^\n]*(?:\n|$)/g)) {
    const indent = /^[ \t]*/.exec(line)![0];
    if (line.trim() === '') continue;
    if (block && continues(block, indent)) {
      block = { ...block, column: block.column ?? indent.length };
      continue;
    }
    block = BLOCK_HEADER.test(line.trimEnd()) ? { parent: indent, column: undefined } : undefined;
    if (indent.includes('\t')) found.push({ start: index, end: index + indent.length });
  }
  return found;
}

/** A block scalar: the indentation of the line that begins it, and the column of its content. */
interface Block {
  readonly parent: string;
  readonly column: number | undefined;
}

const BLOCK_HEADER = /(?:^| )[|>][-+\d]{0,2}(?: +#[^\n]*)?$/;

function continues({ parent, column }: Block, indent: string): boolean {
  const spaces = /^ */.exec(indent)![0].length;
  return column === undefined ? !indent.includes('\t') && spaces > parent.length : spaces >= column;
}

/** Reports findings about the text with spaces where they are in the document. */
function reportPlaced({ text }: WithoutTabs, found: Reporter['found'], reporter: Reporter): void {
  for (const { related, fixes, ...diagnostic } of found) {
    reporter.take({
      ...diagnostic,
      range: documentRange(text, diagnostic.range),
      ...(related && { related: related.map(one => ({ ...one, range: documentRange(text, one.range) })) }),
      ...(fixes && { fixes: fixes.map(fix => ({ ...fix, edits: fix.edits.map(edit => placedEdit(text, edit)) })) }),
    });
  }
}

function placedEdit(text: MappedText, { range, newText }: TextEdit): TextEdit {
  return { range: documentRange(text, range), newText };
}

/** Returns a node of the text with spaces as one of the document. A node with several parents stays one node. */
function placedNode({ text }: WithoutTabs, root: DocumentNode): DocumentNode {
  const placed = new Map<DocumentNode, DocumentNode>();
  const place = (range: Range) => documentRange(text, range);
  const convert = (node: DocumentNode): DocumentNode => {
    const known = placed.get(node);
    if (known) return known;
    const converted = convertOne(node);
    placed.set(node, converted);
    return converted;
  };
  const convertOne = (node: DocumentNode): DocumentNode => {
    const range = place(node.range);
    switch (node.kind) {
      case 'broken':
        return { ...node, range };
      case 'list':
        return { ...node, range, items: node.items.map(convert) };
      case 'map':
        return {
          ...node,
          range,
          entries: node.entries.map(entry => ({
            ...entry,
            keyRange: place(entry.keyRange),
            value: convert(entry.value),
          })),
        };
      case 'scalar':
        return { ...node, range, text: node.text && placedText(node.text, place) };
    }
  };
  return convert(root);
}

function placedText(text: MappedText, place: (range: Range) => Range): MappedText {
  const pieces = text.pieces.map(piece => ({ ...piece, range: place(piece.range) }));
  return { ...text, pieces, range: place(text.range) };
}
