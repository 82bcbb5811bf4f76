import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import { type Diagnostic, ExternalError, type SourceText, type SuppressedDiagnostic } from '@tollgate/diagnostics';
import { type NamedBy, pathToWrite } from '../../trust/confinement.ts';
import { replaceFile } from '../../trust/replace-file.ts';
import { BASELINE_FILE } from '../session/lint-options.ts';
import { FindingIdentities } from './finding-identity.ts';

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
export async function readBaseline(file: string | undefined): Promise<Baseline | ExternalError | undefined> {
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
    return refusal(path, cause instanceof Error ? cause.message : String(cause), cause);
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
export async function writeBaseline(
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
export function printFindings(
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
export function compareWithBaseline(
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
export function baselineOf(found: readonly KnownFinding[], path: string): Baseline {
  return { path, findings: found.map(({ file, code, fingerprint }) => ({ file, code, fingerprint })) };
}
