import type { SourceText } from '@tollgate/diagnostics';
import {
  createLinter,
  fixText,
  knownIds,
  LINT_RULES,
  type Linter,
  type LintRule,
  type RuleSettings,
  resolveRules,
} from '@tollgate/lint';
import { lintDocument } from './lint-document.ts';
import { type Finding, findingsIn, type PolicyOptions, policyDocument } from './policy-options.ts';

/** The options of {@link lint}. */
export interface LintOptions extends PolicyOptions {
  /** Presets of lint rules; `recommended` by default. */
  readonly presets?: readonly string[];
  /** Severities and options of lint rules, such as `{ 'style/*': 'off' }`. */
  readonly rules?: RuleSettings;
  /** Lint rules to add to the built-in ones. */
  readonly customRules?: readonly LintRule[];
  /** Day for the expiry of suppressions, such as `2027-01-01`; by default none has expired. */
  readonly today?: string;
  /** Fixes to apply: `safe` fixes change no decision. None by default. */
  readonly fix?: 'safe' | 'unsafe';
}

/** The result of {@link lint}. */
export interface LintPolicyResult {
  /** The findings of the analysis and of lint rules, in source order; with `fix`, those that remain. */
  readonly findings: readonly Finding[];
  /** The policy after fixes; unchanged without `fix`. */
  readonly policy: string;
}

/** Checks a policy and runs lint rules on it, as `tollgate lint` does. Never throws for what the policy contains. */
export function lint(policy: string, options: LintOptions = {}): LintPolicyResult {
  const input = policyDocument(policy, options);
  const linter = linterFor(options);
  const { today } = options;
  const lintSource = (source: SourceText) =>
    lintDocument({ ...input, source }, linter, today === undefined ? {} : { today }).diagnostics;
  if (options.fix === undefined) return { findings: findingsIn(input.source, lintSource(input.source)), policy };
  const kinds = options.fix === 'safe' ? (['safe'] as const) : (['safe', 'unsafe'] as const);
  const { source, diagnostics } = fixText(input.source, { lint: lintSource, kinds });
  return { findings: findingsIn(source, diagnostics), policy: source.text };
}

function linterFor({ presets, rules = {}, customRules = [] }: LintOptions): Linter {
  const all = [...LINT_RULES, ...customRules];
  const { active, adjust } = resolveRules(all, presets, [rules]);
  return createLinter(active, { known: knownIds(all), adjust });
}
