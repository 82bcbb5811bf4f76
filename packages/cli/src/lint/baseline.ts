import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import { type Diagnostic, ExternalError, type SourceText, type SuppressedDiagnostic } from '@tollgate/diagnostics';
import { fingerprints } from '@tollgate/diagnostics/reports';
import { replaceFile } from '../output/replace-file.ts';
import { BASELINE_FILE } from './lint-options.ts';

/** Findings that are known and do not count, by fingerprint, each with what it is for people. */
export interface Baseline {
  readonly path: string;
  readonly findings: ReadonlyMap<string, KnownFinding>;
}

interface KnownFinding {
  readonly file: string;
  readonly code: string;
}

/** Reads a baseline; undefined when there is none where it is looked for by default. */
export async function readBaseline(file: string | undefined): Promise<Baseline | ExternalError | undefined> {
  const path = resolve(file ?? BASELINE_FILE);
  if (file === undefined && !existsSync(path)) return undefined;
  try {
    const { findings } = JSON.parse(await readFile(path, 'utf8')) as { readonly findings?: unknown };
    if (!isFindings(findings)) return refusal(path, 'it has no `findings`');
    return { path, findings: new Map(Object.entries(findings)) };
  } catch (cause) {
    return refusal(path, cause instanceof Error ? cause.message : String(cause), cause);
  }
}

function isFindings(value: unknown): value is Record<string, KnownFinding> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refusal(path: string, reason: string, cause?: unknown): ExternalError {
  return new ExternalError('baseline/unreadable', `cannot read the baseline \`${path}\`: ${reason}`, { cause });
}

/** Writes a baseline; gives the error instead of throwing it. Sorted by file and code, so that it changes little. */
export async function writeBaseline({ path, findings }: Baseline): Promise<ExternalError | undefined> {
  const sorted = [...findings].sort(([a, one], [b, other]) =>
    compare(`${one.file} ${one.code} ${a}`, `${other.file} ${other.code} ${b}`),
  );
  return replaceFile(path, `${JSON.stringify({ version: 1, findings: Object.fromEntries(sorted) }, undefined, 2)}\n`);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A finding with what it is known by: the code, the path and the text around it, not the line. */
export interface PrintedFinding {
  readonly diagnostic: Diagnostic;
  readonly fingerprint: string;
  readonly file: string;
}

/** The findings with their fingerprints; paths are relative to the baseline. */
export function printFindings(
  diagnostics: readonly Diagnostic[],
  sources: readonly SourceText[],
  baselinePath: string,
): readonly PrintedFinding[] {
  const pathOf = (uri: string) => relative(dirname(baselinePath), resolve(uri)).split(sep).join('/');
  const prints = fingerprints(diagnostics, new Map(sources.map(source => [source.uri, source])), pathOf);
  return diagnostics.map((diagnostic, index) => ({
    diagnostic,
    fingerprint: prints[index]!,
    file: pathOf(diagnostic.uri),
  }));
}

/** Splits findings in those that the baseline does not know and those that it does. */
export function withoutKnown(
  printed: readonly PrintedFinding[],
  baseline: Baseline,
): { readonly diagnostics: readonly Diagnostic[]; readonly suppressed: readonly SuppressedDiagnostic[] } {
  const isKnown = ({ fingerprint }: PrintedFinding) => baseline.findings.has(fingerprint);
  return {
    diagnostics: printed.filter(one => !isKnown(one)).map(one => one.diagnostic),
    suppressed: printed.filter(isKnown).map(({ diagnostic }) => ({ diagnostic, by: 'baseline' })),
  };
}

/** A baseline of these findings. */
export function baselineOf(printed: readonly PrintedFinding[], path: string): Baseline {
  const findings = printed.map(
    ({ fingerprint, file, diagnostic }) => [fingerprint, { file, code: diagnostic.code }] as const,
  );
  return { path, findings: new Map(findings) };
}

/** The baseline without what was not found again in the files that were linted. */
export function prunedBaseline(
  baseline: Baseline,
  printed: readonly PrintedFinding[],
  linted: readonly string[],
): Baseline {
  const found = new Set(printed.map(one => one.fingerprint));
  const files = new Set(linted.map(uri => relative(dirname(baseline.path), resolve(uri)).split(sep).join('/')));
  const kept = [...baseline.findings].filter(([fingerprint, { file }]) => found.has(fingerprint) || !files.has(file));
  return { path: baseline.path, findings: new Map(kept) };
}
