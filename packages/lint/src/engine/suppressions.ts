// Comments that suppress findings: `# tollgate-ignore`, for a line, a block or a file.

import {
  type Diagnostic,
  ownValue,
  type Range,
  type SourceText,
  type SuppressedDiagnostic,
} from '@tollgate/diagnostics';
import type { DocumentNode, Policy } from '@tollgate/policy';
import type { MalformedSuppression, Suppression, UsedSuppression } from '../rule-api/lint-context.ts';
import { firstFrom } from '../sorted-ranges.ts';
import { CODES_BY_ID } from './known-ids.ts';

/** The findings that are kept, those that are suppressed, and what each suppression did. */
interface SuppressionOutcome {
  readonly kept: readonly Diagnostic[];
  readonly suppressed: readonly SuppressedDiagnostic[];
  readonly suppressions: readonly UsedSuppression[];
}

/**
 * Applies suppressions to findings. Errors of the analysis stay, because the service would refuse the policy anyway.
 *
 * @param isAnalysis returns true for diagnostics of the analysis
 *
 * @param today `2027-01-01`; a suppression is valid until the end of its last day. Without it, none has expired.
 */
export function suppress(
  diagnostics: readonly Diagnostic[],
  suppressions: readonly Suppression[],
  { isAnalysis, today }: { readonly isAnalysis: (one: Diagnostic) => boolean; readonly today: string | undefined },
): SuppressionOutcome {
  if (suppressions.length === 0) return { kept: diagnostics, suppressed: [], suppressions: [] };
  const live = suppressions.filter(one => !isExpired(one, today));
  const { by: suppressedBy, used } = match(
    diagnostics.filter(one => !isFatal(one, isAnalysis)),
    live,
  );
  const kept: Diagnostic[] = [];
  const suppressed: SuppressedDiagnostic[] = [];
  for (const diagnostic of diagnostics) {
    const by = suppressedBy.get(diagnostic);
    if (!by) kept.push(diagnostic);
    else suppressed.push({ diagnostic, by: 'comment', ...(by.reason !== undefined && { reason: by.reason }) });
  }
  const outcomes = suppressions.map(one => ({
    ...one,
    isExpired: isExpired(one, today),
    unused: one.names.filter(name => !used.has(name)),
  }));
  return { kept, suppressed, suppressions: outcomes };
}

function isFatal(diagnostic: Diagnostic, isAnalysis: (one: Diagnostic) => boolean): boolean {
  return diagnostic.severity === 'error' && isAnalysis(diagnostic);
}

function isExpired({ until }: Suppression, today: string | undefined): boolean {
  return until !== undefined && today !== undefined && until.date < today;
}

interface Matches {
  /** The first suppression that names a finding. */
  readonly by: ReadonlyMap<Diagnostic, Suppression>;
  /** Every name that applies to a finding. */
  readonly used: ReadonlySet<Suppression['names'][number]>;
}

/** Findings and suppressions may be numerous: a suppressed finding is not examined again. */
function match(findings: readonly Diagnostic[], live: readonly Suppression[]): Matches {
  const places = [...Map.groupBy(findings, one => one.code)].map(([code, own]) => new Places(code, own));
  const placesOf = new Map<string, readonly Places[]>();
  const by = new Map<Diagnostic, Suppression>();
  const used = new Set<Suppression['names'][number]>();
  for (const suppression of live) {
    for (const name of suppression.names) {
      const meant = placesOf.get(name.name) ?? places.filter(({ code }) => isMeant(name.name, code));
      placesOf.set(name.name, meant);
      for (const one of meant) {
        const { isAny, fresh } = one.take(suppression.scope);
        if (isAny) used.add(name);
        for (const finding of fresh) by.set(finding, suppression);
      }
    }
  }
  return { by, used };
}

/** The findings of one code by start offset, each of which is taken once. */
class Places {
  readonly code: string;
  readonly #sorted: readonly Diagnostic[];
  readonly #ranges: readonly Range[];
  /** By index, an index at or after it that may not be taken yet. */
  readonly #next: number[];

  constructor(code: string, findings: readonly Diagnostic[]) {
    this.code = code;
    this.#sorted = findings.toSorted((a, b) => a.range.start - b.range.start);
    this.#ranges = this.#sorted.map(one => one.range);
    this.#next = Array.from({ length: findings.length + 1 }, (_, at) => at);
  }

  /** Returns whether any finding starts in the range, and those that were not taken before. */
  take({ start, end }: Range): { readonly isAny: boolean; readonly fresh: readonly Diagnostic[] } {
    const first = firstFrom(this.#ranges, start);
    const isAny = (this.#sorted[first]?.range.start ?? Number.POSITIVE_INFINITY) <= end;
    const fresh: Diagnostic[] = [];
    for (let at = this.#free(first); isAny && at < this.#sorted.length; at = this.#free(at)) {
      if (this.#sorted[at]!.range.start > end) break;
      fresh.push(this.#sorted[at]!);
      this.#next[at] = at + 1;
    }
    return { isAny, fresh };
  }

  /** Returns the first index from this one on that was not taken. */
  #free(from: number): number {
    let at = from;
    while (this.#next[at] !== at) {
      this.#next[at] = this.#next[this.#next[at]!]!;
      at = this.#next[at]!;
    }
    return at;
  }
}

/** Returns true if a name selects a code: it equals the code, is its `category/*`, or an alternative name of it. */
export function isMeant(name: string, code: string): boolean {
  if (name === code) return true;
  if (name.endsWith('/*')) return code.startsWith(name.slice(0, -1));
  return ownValue(CODES_BY_ID, name)?.some(one => isMeant(one, code)) ?? false;
}

/** The suppressions in the comments of a file. */
interface Suppressions {
  readonly all: readonly Suppression[];
  readonly malformed: readonly MalformedSuppression[];
}

const NO_SUPPRESSIONS: Suppressions = { all: [], malformed: [] };
const MARK = 'tollgate-ignore';
const COMMENT = /^#+[ \t]*tollgate-ignore(?:-(\w+))?(?=[ \t]|$)/;
const UNTIL = /\buntil:[ \t]*(\S+)/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Reads comments such as `# tollgate-ignore rule-a, rule-b -- reason until:2027-01-01`. On a line of its own, it applies to the next line
 * with content, otherwise to its own line; `-start` and `-end` enclose a block, and `-file` applies to the file. A line on which a
 * multi-line scalar starts includes the whole scalar.
 *
 * @param scalars returns the ranges of multi-line scalars
 */
export function readSuppressions(
  source: SourceText,
  comments: readonly Range[],
  scalars: () => readonly Range[],
): Suppressions {
  if (!source.text.includes(MARK)) return NO_SUPPRESSIONS;
  const sorted = scalars().toSorted((a, b) => a.start - b.start);
  const reader: SuppressionReader = {
    source,
    scalars: sorted,
    all: [],
    malformed: [],
    open: [],
    content: { from: 0, to: 0 },
  };
  for (const comment of comments) readComment(comment, reader);
  for (const { range } of reader.open)
    reader.malformed.push({
      range,
      message: '`tollgate-ignore-start` without `tollgate-ignore-end`; add one, or use `tollgate-ignore-file`',
    });
  return { all: reader.all, malformed: reader.malformed };
}

interface SuppressionReader {
  readonly source: SourceText;
  /** Sorted. */
  readonly scalars: readonly Range[];
  readonly all: Suppression[];
  readonly malformed: MalformedSuppression[];
  /** Open blocks, innermost last. */
  open: Suppression[];
  /** For the last comment: the lines up to the next one with content, or to the end. */
  content: { readonly from: number; readonly to: number };
}

function readComment(range: Range, reader: SuppressionReader): void {
  const text = reader.source.text.slice(range.start, range.end).trimEnd();
  const head = COMMENT.exec(text);
  if (!head) return;
  const comment = { text, length: head[0].length, range: { start: range.start, end: range.start + text.length } };
  const refusal = head[1] === 'end' ? closeBlock(comment.range, reader) : addSuppression(comment, head[1], reader);
  if (refusal !== undefined) reader.malformed.push({ range: comment.range, message: refusal });
}

interface Comment {
  readonly text: string;
  /** Length of the part before the names. */
  readonly length: number;
  readonly range: Range;
}

/** Returns what is wrong with the comment, if anything. */
function addSuppression(comment: Comment, kind: string | undefined, reader: SuppressionReader): string | undefined {
  if (kind !== undefined && kind !== 'start' && kind !== 'file')
    return `unknown suppression \`tollgate-ignore-${kind}\`; use \`-start\`, \`-end\` or \`-file\``;
  const { text, length, range } = comment;
  const dashes = text.indexOf('--', length);
  const names = namesIn(text, { start: length, end: dashes < 0 ? text.length : dashes }, range.start);
  if (names.length === 0) return 'expected ids of lint rules after `tollgate-ignore`';
  const { reason, until } = reasonIn(comment, dashes);
  if (until && !isDate(until.date))
    return `expected a date such as \`2027-01-01\` after \`until:\`, found \`${until.date}\``;
  const suppression = { range, names, reason, until };
  const end = reader.source.text.length;
  if (kind === 'start') reader.open.push({ ...suppression, kind: 'block', scope: { start: range.end, end } });
  else if (kind === 'file') reader.all.push({ ...suppression, kind, scope: { start: 0, end } });
  else reader.all.push({ ...suppression, kind: 'line', scope: lineScope(range, reader) });
  return undefined;
}

function reasonIn({ text, range }: Comment, dashes: number): Pick<Suppression, 'reason' | 'until'> {
  if (dashes < 0) return { reason: undefined, until: undefined };
  const why = text.slice(dashes + 2);
  const reason = why.replace(UNTIL, '').trim();
  const found = UNTIL.exec(why);
  const start = range.start + dashes + 2 + (found?.index ?? 0);
  return {
    reason: reason === '' ? undefined : reason,
    until: found ? { date: found[1]!, range: { start, end: start + found[0].length } } : undefined,
  };
}

/** Splits ids at commas and spaces. */
function namesIn(text: string, { start, end }: Range, offset: number): Suppression['names'] {
  const found = text.slice(start, end).matchAll(/[^\s,]+/g);
  return Array.from(found, ({ 0: name, index }) => {
    const at = offset + start + index;
    return { name, range: { start: at, end: at + name.length } };
  });
}

function isDate(text: string): boolean {
  return DATE.test(text) && !Number.isNaN(Date.parse(text));
}

/** Closes the innermost block. */
function closeBlock(range: Range, reader: SuppressionReader): string | undefined {
  const block = reader.open.pop();
  if (!block) return '`tollgate-ignore-end` without `tollgate-ignore-start`; remove it';
  reader.all.push({ ...block, scope: { start: block.scope.start, end: range.start } });
  return undefined;
}

function lineScope(comment: Range, reader: SuppressionReader): Range {
  const { source } = reader;
  const line = source.positionAt(comment.start).line;
  const before = source.text.slice(source.lineRange(line).start, comment.start);
  const target = before.trim() === '' ? nextLine(line, reader) : line;
  const { start, end } = source.lineRange(target);
  let last = end;
  for (let at = firstFrom(reader.scalars, start); at < reader.scalars.length; at += 1) {
    const text = reader.scalars[at]!;
    if (text.start > end) break;
    last = Math.max(last, text.end);
  }
  return { start, end: last };
}

/** Returns the next line with content; the line itself if there is none. Comments are read in order, so each line is examined once. */
function nextLine(line: number, reader: SuppressionReader): number {
  const { source, content } = reader;
  if (line < content.from || line >= content.to) {
    let next = line + 1;
    while (next < source.lineCount && isBlank(source, next)) next += 1;
    reader.content = { from: line, to: next };
  }
  const { to } = reader.content;
  return to < source.lineCount ? to : line;
}

function isBlank(source: SourceText, line: number): boolean {
  const { start, end } = source.lineRange(line);
  return /^\s*(?:#.*)?$/.test(source.text.slice(start, end));
}

/** Returns the ranges of multi-line scalars, without trailing line breaks. */
export function multilineScalars(document: string, policies: readonly Policy[]): readonly Range[] {
  const found: Range[] = [];
  const visit = (node: DocumentNode): void => {
    if (node.kind === 'list') for (const item of node.items) visit(item);
    else if (node.kind === 'map') for (const { value } of node.entries) visit(value);
    else if (node.kind === 'scalar' && node.text) {
      const text = document.slice(node.range.start, node.range.end).trimEnd();
      if (text.includes('\n')) found.push({ start: node.range.start, end: node.range.start + text.length });
    }
  };
  for (const { node } of policies) visit(node);
  return found;
}
