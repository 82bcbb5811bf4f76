import { resolve } from 'node:path';
import { BASELINE_FILE, type LintFilesOptions } from '../session/lint-options.ts';
import type { LintedFiles } from '../session/lint-session.ts';
import { baselineOf, compareWithBaseline, printFindings, readBaseline, writeBaseline } from './baseline.ts';

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
