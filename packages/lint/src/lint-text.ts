import type { Profile } from '@tollgate/catalog';
import type { Diagnostic, SourceText } from '@tollgate/diagnostics';
import { type AnalysisOptions, analyzePolicies, type TextAnalysis } from '@tollgate/policy';
import { type ProfileRoles, profileRoles } from './facts/profile-roles.ts';
import type { ActiveRule } from './walk/active-rule.ts';
import { type Dispatch, dispatchTo } from './walk/dispatch.ts';
import { walkFile } from './walk/walk-file.ts';

/** Lint rules, ready to be run over any number of files, one after the other. */
export interface Linter {
  readonly active: readonly ActiveRule[];
  readonly dispatch: Dispatch;
  /** Of the profiles that files were linted for. */
  readonly roles: Map<Profile, ProfileRoles>;
}

/** What is wrong with a text. */
export interface LintResult {
  /** Of the analysis and of lint rules, in the order of the text. */
  readonly diagnostics: readonly Diagnostic[];
  readonly analysis: TextAnalysis;
}

/** Makes these lint rules ready. */
export function createLinter(active: readonly ActiveRule[]): Linter {
  return { active, dispatch: dispatchTo(active), roles: new Map() };
}

/** Analyses the policies of a text and runs the lint rules over what could be understood. Never throws for what the text says. */
export function lintText(source: SourceText, options: AnalysisOptions, linter: Linter): LintResult {
  const analysis = analyzePolicies(source, options);
  const { policies, comments, environments, diagnostics } = analysis;
  const { profile, endpoint } = options;
  const places = { source, profile, endpoint, roles: rolesOf(linter, profile) };
  const file = { ...places, environments, policies, comments, analysis: diagnostics };
  const found = walkFile(file, linter.dispatch);
  const all = [...diagnostics, ...found].sort((a, b) => a.range.start - b.range.start || a.range.end - b.range.end);
  return { diagnostics: all, analysis };
}

function rolesOf({ roles }: Linter, profile: Profile): ProfileRoles {
  const known = roles.get(profile) ?? profileRoles(profile);
  roles.set(profile, known);
  return known;
}
