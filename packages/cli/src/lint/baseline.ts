// The baseline: known findings, which are not reported again.

import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import {
  type Diagnostic,
  ExternalError,
  fileProblem,
  type Range,
  type SourceText,
  type SuppressedDiagnostic,
} from '@tollgate/diagnostics';
import { type DocumentNode, parseDocuments, plainValue } from '@tollgate/policy';
import { type NamedBy, pathToWrite } from '../trust/confinement.ts';
import { replaceFile } from '../trust/replace-file.ts';
import { BASELINE_FILE, type LintFilesOptions } from './lint-options.ts';
import type { LintedFiles } from './lint-session.ts';

/** Removes the findings that the baseline lists, after updating the baseline if an option asks for it. */
export async function applyBaseline(found: LintedFiles, options: LintFilesOptions): Promise<LintedFiles> {
  const path = resolve(options.baseline ?? BASELINE_FILE);
  const existing = options.writeBaseline ? undefined : await readBaseline(options.baseline);
  if (existing instanceof Error) return { ...found, failures: [...found.failures, existing] };
  if (!options.writeBaseline && !existing) return found;
  const printed = printFindings(found.diagnostics, found.sources, path);
  const linted = found.sources.map(source => source.uri);
  const baseline = existing ?? baselineOf(printed, path);
  const { diagnostics, suppressed, pruned } = compareWithBaseline(printed, baseline, linted);
  const written = options.writeBaseline ? baseline : options.pruneBaseline ? pruned : undefined;
  const failure = written && (await writeBaseline(written, options.baseline));
  return {
    ...found,
    diagnostics: [...diagnostics],
    suppressed: [...found.suppressed, ...suppressed],
    failures: failure ? [...found.failures, failure] : found.failures,
  };
}

/** Known findings, which are not reported. Equal findings are listed as often as they occur. */
interface Baseline {
  readonly path: string;
  readonly findings: readonly KnownFinding[];
}

interface KnownFinding {
  readonly file: string;
  readonly code: string;
  readonly fingerprint: string;
}

/** The fingerprints of version 1 depended on the layout. */
const FORMAT = 2;

/** Returns who names a baseline: the default name is a convention of the project. */
function namedBy(file: string | undefined): NamedBy {
  return file === undefined ? { repositoryOf: '.' } : 'user';
}

/** Reads a baseline; undefined if the default file does not exist. */
async function readBaseline(file: string | undefined): Promise<Baseline | ExternalError | undefined> {
  const path = resolve(file ?? BASELINE_FILE);
  if (file === undefined && !existsSync(path)) return undefined;
  try {
    const { version, findings } = JSON.parse(await readFile(pathToWrite(path, namedBy(file)), 'utf8')) as {
      version?: unknown;
      findings?: unknown;
    };
    if (typeof findings !== 'object' || findings === null) return refusal(path, 'it has no `findings`');
    if (version !== FORMAT)
      return refusal(
        path,
        `expected version ${FORMAT}, found ${version}; run \`tollgate lint --write-baseline\` to renew it`,
      );
    return Array.isArray(findings) && findings.every(isKnownFinding)
      ? { path, findings }
      : refusal(path, 'an entry of `findings` has no `file`, `code` and `fingerprint`');
  } catch (cause) {
    return refusal(path, fileProblem(cause), cause);
  }
}

function isKnownFinding(value: unknown): value is KnownFinding {
  if (typeof value !== 'object' || value === null) return false;
  const { file, code, fingerprint } = value as Partial<Record<keyof KnownFinding, unknown>>;
  return [file, code, fingerprint].every(one => typeof one === 'string');
}

function refusal(path: string, reason: string, cause?: unknown): ExternalError {
  return new ExternalError('baseline/unreadable', `cannot read the baseline \`${path}\`: ${reason}`, { cause });
}

/** Writes a baseline, sorted by file and code so that its diffs are small. Returns errors instead of throwing them. */
async function writeBaseline(
  { path, findings }: Baseline,
  file: string | undefined,
): Promise<ExternalError | undefined> {
  const textOf = ({ file, code, fingerprint }: KnownFinding) => `${file} ${code} ${fingerprint}`;
  const sorted = findings.toSorted((a, b) => compare(textOf(a), textOf(b)));
  return replaceFile(path, `${JSON.stringify({ version: FORMAT, findings: sorted }, undefined, 2)}\n`, {
    by: namedBy(file),
  });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A finding with its fingerprint. */
interface PrintedFinding extends KnownFinding {
  readonly diagnostic: Diagnostic;
}

/** Returns findings with their fingerprints. Paths are relative to the baseline. */
function printFindings(
  diagnostics: readonly Diagnostic[],
  sources: readonly SourceText[],
  baselinePath: string,
): readonly PrintedFinding[] {
  const identities = new FindingIdentities();
  const byUri = new Map(sources.map(source => [source.uri, source]));
  return diagnostics.map(diagnostic => ({
    diagnostic,
    fingerprint: identities.of(diagnostic, byUri.get(diagnostic.uri)),
    file: relativePath(diagnostic.uri, baselinePath),
    code: diagnostic.code,
  }));
}

function relativePath(uri: string, baselinePath: string): string {
  return relative(dirname(baselinePath), resolve(uri)).split(sep).join('/');
}

/** The result of comparing findings with a baseline. */
interface Compared {
  readonly diagnostics: readonly Diagnostic[];
  readonly suppressed: readonly SuppressedDiagnostic[];
  /** The baseline without findings that no longer occur, and with the current names of files. */
  readonly pruned: Baseline;
}

/**
 * Splits findings into new ones and those that the baseline lists. An entry matches one finding in its file; if the finding or the file is
 * missing, it matches one in another file, which may be the renamed one.
 *
 * @param linted the linted files, by URI
 */
function compareWithBaseline(
  printed: readonly PrintedFinding[],
  baseline: Baseline,
  linted: readonly string[],
): Compared {
  const files = new Set(linted.map(uri => relativePath(uri, baseline.path)));
  const unmatched = new Set(baseline.findings);
  const known = new Set<PrintedFinding>();
  const match = (entries: Map<string, KnownFinding[]>, keyOf: (one: KnownFinding) => string) => {
    for (const one of printed) {
      const entry = known.has(one) ? undefined : entries.get(keyOf(one))?.shift();
      if (entry === undefined) continue;
      known.add(one);
      unmatched.delete(entry);
    }
  };
  const inFile = ({ file, fingerprint }: KnownFinding) => `${fingerprint} ${file}`;
  match(Map.groupBy(unmatched, inFile), inFile);
  const isGone = ({ file }: KnownFinding) => files.has(file) || !existsSync(resolve(dirname(baseline.path), file));
  const missing = [...unmatched].filter(isGone);
  match(
    Map.groupBy(missing, one => one.fingerprint),
    one => one.fingerprint,
  );
  const others = [...unmatched].filter(one => !isGone(one));
  return {
    diagnostics: printed.filter(one => !known.has(one)).map(one => one.diagnostic),
    suppressed: [...known].map(({ diagnostic }) => ({ diagnostic, by: 'baseline' })),
    pruned: baselineOf([...others, ...known], baseline.path),
  };
}

/** Returns a baseline of these findings. */
function baselineOf(found: readonly KnownFinding[], path: string): Baseline {
  return { path, findings: found.map(({ file, code, fingerprint }) => ({ file, code, fingerprint })) };
}

/**
 * Returns what identifies findings regardless of the layout and name of the file: the code, the keys and names on the path to the value,
 * and the marked source. Indistinguishable findings have equal identities.
 */
class FindingIdentities {
  readonly #documents = new Map<SourceText, readonly DocumentNode[]>();

  of({ code, range }: Diagnostic, source: SourceText | undefined): string {
    const place = source === undefined ? [] : this.#placeOf(range, source);
    return hash('sha256', JSON.stringify([code, ...place])).slice(0, 32);
  }

  #placeOf(range: Range, source: SourceText): readonly string[] {
    const documents = this.#documents.get(source) ?? readDocumentsOrNone(source);
    this.#documents.set(source, documents);
    const root = documents.find(document => contains(document.range, range));
    return root === undefined ? [lineOf(range, source)] : keyPathIn(root, range, source);
  }
}

function readDocumentsOrNone(source: SourceText): readonly DocumentNode[] {
  return /\.(?:ya?ml|json)$/i.test(source.uri) ? parseDocuments(source) : [];
}

function keyPathIn(root: DocumentNode, range: Range, source: SourceText): readonly string[] {
  const steps: string[] = [];
  let isInList = false;
  for (let node = root; ; ) {
    const next = stepInto(node, range);
    if (next === undefined) return [...steps, contentOf(node, range, { source, isInList })];
    steps.push(next.step);
    // The value of a key may change without making it a new finding.
    if (next.node === undefined) return steps;
    isInList ||= node.kind === 'list';
    node = next.node;
  }
}

interface Step {
  readonly step: string;
  /** Undefined for a position in a key. */
  readonly node: DocumentNode | undefined;
}

/** Undefined if no part of the node contains the whole range. */
function stepInto(node: DocumentNode, range: Range): Step | undefined {
  if (node.kind === 'list') {
    const item = node.items.find(item => contains(item.range, range));
    return item && { step: nameOf(item), node: item };
  }
  if (node.kind !== 'map') return undefined;
  for (const { key, keyRange, value } of node.entries) {
    const withQuotes = { start: keyRange.start - 1, end: keyRange.end + 1 };
    if (contains(withQuotes, range) && keyRange.end > range.start) return { step: key, node: undefined };
    if (contains(value.range, range)) return { step: key, node: value };
  }
  return undefined;
}

function contains(outer: Range, { start, end }: Range): boolean {
  return outer.start <= start && end <= outer.end && start < outer.end;
}

function nameOf(node: DocumentNode): string {
  const name = node.kind === 'map' ? node.entries.find(({ key }) => key === 'name')?.value : undefined;
  return name?.kind === 'scalar' ? String(name.value) : '';
}

/** A longer string contains more than one value, such as a policy in a manifest. */
const MAX_LENGTH = 2000;

/** Leaves out the rules of a phase as a whole, because each may change independently. */
function contentOf(
  node: DocumentNode,
  range: Range,
  { source, isInList }: { readonly source: SourceText; readonly isInList: boolean },
): string {
  if (node.kind !== 'scalar') return isInList ? plain(JSON.stringify(plainValue(node), sortKeys)) : '';
  const value = String(node.value);
  if (value.length > MAX_LENGTH) return lineOf(range, source);
  return `${plain(value)} ${plain(source.text.slice(range.start, range.end))}`;
}

/** The marked source and its line. */
function lineOf({ start, end }: Range, source: SourceText): string {
  const line = source.lineRange(source.positionAt(start).line);
  const from = Math.max(line.start, start - MAX_LENGTH);
  const whole = source.text.slice(from, Math.max(from, Math.min(line.end, start + MAX_LENGTH)));
  return `${plain(whole)} ${plain(source.text.slice(start, Math.min(end, start + MAX_LENGTH)))}`;
}

/** Removes what a formatter changes: white space, quotes, brackets, commas and list dashes. */
function plain(text: string): string {
  return text.replace(/[\s\\'"(){}[\],-]+/g, '');
}

function sortKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
