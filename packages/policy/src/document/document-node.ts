import type { Profile } from '@tollgate/catalog';
import type { Diagnostic, Range } from '@tollgate/diagnostics';
import type { MappedText } from './scalar-text.ts';

/** A value of a YAML or JSON document with its range. A value behind an alias has the range of its anchor. */
export type DocumentNode = ScalarNode | ListNode | MapNode | BrokenNode;

/** How a scalar is written; JSON strings are `double`. */
export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal' | 'folded';

/** A string, number, boolean or null. */
export interface ScalarNode {
  readonly kind: 'scalar';
  readonly range: Range;
  readonly value: string | number | boolean | null;
  readonly style: ScalarStyle;
  /** The mapping from string to source; only for strings. */
  readonly text: MappedText | undefined;
}

/** A YAML sequence or JSON array. */
export interface ListNode {
  readonly kind: 'list';
  readonly range: Range;
  readonly items: readonly DocumentNode[];
}

/** A YAML mapping or JSON object. Of duplicate keys, only the last entry is kept. */
export interface MapNode {
  readonly kind: 'map';
  readonly range: Range;
  readonly entries: readonly MapEntryNode[];
}

/** A part that could not be read. A diagnostic says why, so it must cause no others. */
interface BrokenNode {
  readonly kind: 'broken';
  readonly range: Range;
}

/** A key with its value. */
export interface MapEntryNode {
  readonly key: string;
  /** Without quotes. */
  readonly keyRange: Range;
  readonly value: DocumentNode;
}

/** A value without ranges, as `JSON.parse` returns it. */
export type PlainValue =
  | null
  | boolean
  | number
  | string
  | readonly PlainValue[]
  | { readonly [key: string]: PlainValue };

/** Returns the entry of a key, or undefined. */
export function entryOf(map: MapNode, key: string): MapEntryNode | undefined {
  for (const entry of map.entries) if (entry.key === key) return entry;
  return undefined;
}

/** Returns the node's value without ranges. */
export function plainValue(node: DocumentNode): PlainValue {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'broken') return null;
  if (node.kind === 'list') return node.items.map(plainValue);
  const plain: Record<string, PlainValue> = {};
  for (const { key, value } of node.entries) {
    // Not an assignment, which would set the prototype.
    if (key === '__proto__') Object.defineProperty(plain, key, { ...OWN, value: plainValue(value) });
    else plain[key] = plainValue(value);
  }
  return plain;
}

const OWN = { configurable: true, enumerable: true, writable: true };

/** Describes a node in messages: `a list`, `the number 5`. */
export function describeNode(node: DocumentNode): string {
  if (node.kind !== 'scalar') return `a ${node.kind}`;
  if (node.value === null) return 'nothing';
  if (typeof node.value === 'string') {
    const isOldBoolean = node.style === 'plain' && /^(?:yes|no|on|off)$/i.test(node.value);
    return isOldBoolean ? `\`${node.value}\`, which is a string since YAML 1.2` : 'a string';
  }
  return typeof node.value === 'number' ? `the number ${node.value}` : `\`${node.value}\``;
}

/** Limits on documents, so that a hostile one costs no more than an error message. */
export interface DocumentLimits {
  /** In UTF-16 units. */
  readonly maxDocumentSize: number;
  /** Nested lists and maps. */
  readonly maxDocumentDepth: number;
  /** Values; aliased ones count each time they are referenced. */
  readonly maxDocumentNodes: number;
  /** YAML tokens. */
  readonly maxDocumentTokens: number;
}

/** Returns the document limits of a profile. */
export function documentLimits(profile: Profile): DocumentLimits {
  return {
    maxDocumentSize: limitOf(profile, 'maxDocumentSize', 1_000_000),
    maxDocumentDepth: limitOf(profile, 'maxDocumentDepth', 64),
    maxDocumentNodes: limitOf(profile, 'maxDocumentNodes', 100_000),
    maxDocumentTokens: limitOf(profile, 'maxDocumentTokens', 400_000),
  };
}

/** Returns the maximum number of diagnostics for one document. */
export function maxDiagnostics(profile: Profile): number {
  return limitOf(profile, 'maxDiagnostics', 200);
}

/** Returns a limit by its name. */
export function limitOf(profile: Profile, name: string, otherwise: number): number {
  return profile.limits.find(one => one.name === name)?.value ?? otherwise;
}

const CODES = {
  maxDocumentSize: 'limit/document-size',
  maxDocumentDepth: 'limit/document-depth',
  maxDocumentNodes: 'limit/document-nodes',
  maxDocumentTokens: 'limit/document-tokens',
} as const;

const MESSAGES = {
  maxDocumentSize: 'the document is longer than the limit of',
  maxDocumentDepth: 'lists and maps are nested deeper than',
  maxDocumentNodes: 'the document, with its aliases expanded, has more values than',
  maxDocumentTokens: 'the document has more YAML tokens than',
} as const;

/** Reports that a document exceeds one of its limits. */
export function reportLimit(
  reporter: Reporter,
  limit: keyof DocumentLimits,
  limits: DocumentLimits,
  range: Range = { start: 0, end: 0 },
): void {
  const message = `${MESSAGES[limit]} ${limits[limit]} (${limit})`;
  reporter.report({ code: CODES[limit], message, range, args: { limit, value: limits[limit] } });
}

/** A diagnostic without the URI of its document. */
export type Finding = Omit<Diagnostic, 'uri' | 'severity' | 'related'> & {
  readonly severity?: Diagnostic['severity'];
  /** Other ranges of the same document. */
  readonly related?: readonly { readonly range: Range; readonly message: string }[];
};

/** Collects the diagnostics of one document. Equal findings at one range count once, since aliases visit a node repeatedly. */
export class Reporter {
  readonly uri: string;
  readonly limit: number;
  /** Codes that are ignored. */
  silenced: RegExp | undefined;
  /** Created on the first finding: most documents have none. */
  #found: Map<string, Diagnostic> | undefined;

  constructor(uri: string, limit: number) {
    this.uri = uri;
    this.limit = limit;
  }

  get isEmpty(): boolean {
    return this.#found === undefined;
  }

  /** In reporting order; at most one more than the limit. */
  get found(): readonly Diagnostic[] {
    return this.#found === undefined ? [] : [...this.#found.values()];
  }

  report(finding: Finding): void {
    const { severity = 'error', related, ...rest } = finding;
    const places = related?.map(place => ({ uri: this.uri, ...place }));
    this.take({ ...rest, severity, uri: this.uri, ...(places && { related: places }) });
  }

  /** Ignores all further findings whose code matches. */
  silence(codes: RegExp): void {
    this.silenced = codes;
  }

  /** Adds a diagnostic of another collector of the same document. */
  take(diagnostic: Diagnostic): void {
    const { code, range, message } = diagnostic;
    if (this.silenced?.test(code)) return;
    const key = `${code} ${range.start} ${range.end} ${message}`;
    this.#found ??= new Map();
    if (this.#found.has(key) || this.#found.size > this.limit) return;
    this.#found.set(key, diagnostic);
  }

  /** Returns the diagnostics in document order. If there were too many, the last one says so. */
  finish(): readonly Diagnostic[] {
    const all = this.found;
    if (all.length === 0) return all;
    const kept = all.slice(0, this.limit).sort((a, b) => a.range.start - b.range.start || a.range.end - b.range.end);
    if (all.length <= this.limit) return kept;
    const { range } = kept.at(-1)!;
    const message = `more than ${this.limit} problems; the rest are not shown`;
    const args = { limit: 'maxDiagnostics', value: this.limit };
    return [...kept, { code: 'limit/diagnostics', severity: 'error', message, uri: this.uri, range, args }];
  }
}
