import type { Diagnostic, SourceText } from '@tollgate/diagnostics';
import { type ActiveRule, lintWorkspace } from '@tollgate/lint';
import { type EmbeddedPolicy, policyAt, rangeInFile } from '@tollgate/policy';
import { createFence } from '../user-code/fence.ts';
import type { LintedPart } from './lint-inputs.ts';
import { lintersOf, type SummarizedPolicy } from './lint-run.ts';
import type { LintSetup } from './loading/load-linting.ts';
import type { LintFilesOptions } from './session/lint-options.ts';
import { defectsIn, type LintedFiles } from './session/lint-session.ts';

/** Runs the lint rules that compare files, as configured for the last file. */
export async function compareFiles(
  parts: readonly LintedPart[],
  linting: LintSetup,
  options: LintFilesOptions,
): Promise<Pick<LintedFiles, 'diagnostics' | 'defects'>> {
  const summarized = parts.flatMap(one => one.summaries);
  if (summarized.length === 0) return { diagnostics: [], defects: [] };
  const fence = createFence(options.ruleTimeout);
  const linterOf = lintersOf(linting, options, fence);
  const comparing = new Map<string, ActiveRule>();
  for (const { file } of summarized)
    for (const one of linterOf(file)?.active ?? []) if (one.rule.workspace) comparing.set(one.rule.id, one);
  const { found, failures } = lintWorkspace(summarized, [...comparing.values()], fence);
  const embedded = await embeddedIn(found, summarized, { sources: parts.flatMap(one => one.sources), linting });
  return { diagnostics: found.map(one => comparedInFile(embedded, one)), defects: [...defectsIn(failures)] };
}

/** Returns the policies in findings whose documents are not whole files, by the names of the documents. */
async function embeddedIn(
  found: readonly Diagnostic[],
  summarized: readonly SummarizedPolicy[],
  { sources, linting }: { readonly sources: readonly SourceText[]; readonly linting: LintSetup },
): Promise<ReadonlyMap<string, EmbeddedPolicy>> {
  const named = new Set(found.flatMap(({ uri, related = [] }) => [uri, ...related.map(one => one.uri)]));
  const embedded = new Map<string, EmbeddedPolicy>();
  for (const { uri, file, path } of summarized) {
    const source = named.has(uri) && uri !== file ? sources.find(one => one.uri === file) : undefined;
    if (source) embedded.set(uri, policyAt(source, path, await linting.carriers(file)));
  }
  return embedded;
}

/** Returns a finding about several files with all its locations in files. */
function comparedInFile(embedded: ReadonlyMap<string, EmbeddedPolicy>, found: Diagnostic): Diagnostic {
  const { related, ...rest } = found;
  const inFile = <T extends Pick<Diagnostic, 'uri' | 'range'>>(one: T): T => {
    const policy = embedded.get(one.uri);
    return policy ? { ...one, uri: policy.file.uri, range: rangeInFile(policy, one.range) } : one;
  };
  return { ...inFile(rest), ...(related && { related: related.map(inFile) }) };
}
