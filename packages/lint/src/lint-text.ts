import type { Diagnostic, SourceText } from '@tollgate/diagnostics';
import { type AnalysisOptions, analyzePolicies, type TextAnalysis } from '@tollgate/policy';
import { createLogic } from './logic/policy-logic.ts';
import type { ActiveRule } from './walk/active-rule.ts';
import { type Dispatch, dispatchTo } from './walk/dispatch.ts';
import { walkFile } from './walk/walk-file.ts';

/** Lint rules, ready to be run over any number of files, one after the other. */
export interface Linter {
  readonly active: readonly ActiveRule[];
  readonly dispatch: Dispatch;
}

/** What is wrong with a text. */
export interface LintResult {
  /** Of the analysis and of lint rules, in the order of the text. */
  readonly diagnostics: readonly Diagnostic[];
  readonly analysis: TextAnalysis;
}

/** Makes these lint rules ready. */
export function createLinter(active: readonly ActiveRule[]): Linter {
  return { active, dispatch: dispatchTo(active) };
}

/** Analyses the policies of a text and runs the lint rules over what could be understood. Never throws for what the text says. */
export function lintText(source: SourceText, options: AnalysisOptions, { dispatch }: Linter): LintResult {
  const analysis = analyzePolicies(source, options);
  const { policies, comments, diagnostics, environments } = analysis;
  const { profile, endpoint } = options;
  const logicOf = createLogic({ profile, environments });
  const file = { source, profile, endpoint, policies, comments, analysis: diagnostics, logicOf };
  const found = walkFile(file, dispatch);
  const all = [...diagnostics, ...found].sort((a, b) => a.range.start - b.range.start || a.range.end - b.range.end);
  return { diagnostics: all, analysis };
}
