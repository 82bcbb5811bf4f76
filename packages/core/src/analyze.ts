// Checks a policy: its analysis with and without lint rules, and its canonical layout.

import type { EndpointKind } from '@tollgate/catalog';
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
import { analyzeDocument, formatDocument } from './documents.ts';
import { lintDocument } from './lint-document.ts';
import { findingsIn, PolicyError, type PolicyFinding, type PolicyOptions, policyDocument } from './policy-options.ts';

/** The result of {@link analyze}. */
export interface AnalyzeResult {
  /** All errors and warnings, in source order. */
  readonly findings: readonly PolicyFinding[];
  /** The given or detected profile. */
  readonly profile: string;
  readonly endpoint: EndpointKind;
}

/** Checks a policy in YAML or JSON, as `tollgate check` does. Never throws for what the policy contains. */
export function analyze(policy: string, options: PolicyOptions = {}): AnalyzeResult {
  const document = policyDocument(policy, options);
  const { source, target } = document;
  return {
    findings: findingsIn(source, analyzeDocument(document)),
    profile: target.profile.name,
    endpoint: target.endpoint,
  };
}

/** The options of {@link format}. */
export interface FormatOptions extends PolicyOptions {
  /** Maximum line length in UTF-16 code units; 100 by default. */
  readonly lineWidth?: number;
}

/** Returns a policy in canonical layout, as `tollgate fmt` does. Throws a {@link PolicyError} if it cannot be parsed. */
export function format(policy: string, options: FormatOptions = {}): string {
  const document = policyDocument(policy, options);
  const { text, diagnostics } = formatDocument(document, options.lineWidth);
  if (text === undefined) throw new PolicyError(findingsIn(document.source, diagnostics));
  return text;
}

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
  readonly findings: readonly PolicyFinding[];
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
