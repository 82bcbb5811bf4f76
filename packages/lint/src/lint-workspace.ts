import type { Diagnostic } from '@tollgate/diagnostics';
import type { PlainValue } from '@tollgate/policy';
import type { LintedFile } from './rule/lint-context.ts';
import type { FileSummary } from './rule/lint-rule.ts';
import type { ActiveRule } from './walk/active-rule.ts';

/** By id of lint rule, what a file says about itself. */
export type Summaries = Readonly<Record<string, PlainValue>>;

/** What the lint rules that compare files need to know of one. */
export function summarize(file: LintedFile, active: readonly ActiveRule[]): Summaries {
  const found = active.flatMap(({ rule }) => {
    const summary = rule.workspace?.summarize(file);
    return summary === undefined ? [] : [[rule.id, summary] as const];
  });
  return Object.fromEntries(found);
}

/** Compares the files of a run. Costs nothing without lint rules that do. */
export function lintWorkspace(
  files: readonly { readonly uri: string; readonly summaries: Summaries }[],
  active: readonly ActiveRule[],
): readonly Diagnostic[] {
  return active.flatMap(({ rule, severity, isFixedSeverity }) => {
    if (!rule.workspace) return [];
    const found: Diagnostic[] = [];
    const own = files.flatMap(({ uri, summaries }): FileSummary[] => {
      const summary = summaries[rule.id];
      return summary === undefined ? [] : [{ uri, summary }];
    });
    rule.workspace.compare(own, (uri, { severity: less, ...finding }) => {
      const grave = isFixedSeverity ? severity : (less ?? severity);
      found.push({ args: {}, ...finding, code: rule.id, severity: grave, uri });
    });
    return found;
  });
}
