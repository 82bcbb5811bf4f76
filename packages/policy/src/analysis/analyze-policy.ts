import { type EndpointKind, PROFILES, type Profile } from '@tollgate/catalog';
import type { Diagnostic, Range, SourceText } from '@tollgate/diagnostics';
import { documentLimits, maxDiagnostics } from '../document/model/document-limits.ts';
import type { DocumentNode } from '../document/model/document-node.ts';
import { Reporter } from '../document/model/reporter.ts';
import { type PartPath, selectParts } from '../document/model/select-part.ts';
import { readText } from '../document/read-document.ts';
import type { TextSize } from '../document/yaml-library/read-with-yaml-library.ts';
import type { ExpressionCache } from '../expression/expression-cache.ts';
import { createPhaseEnvironments, type PhaseEnvironments } from '../expression/phase-environment.ts';
import type { Policy } from '../model/policy.ts';
import { listed } from '../model/read-shape.ts';
import { checkWhole } from '../policy-checks/check-policy.ts';
import { type PolicyInParts, type RuleReading, readPolicy } from '../policy-reader/read-policy.ts';
import type { DetectedProfile } from './detect-profile.ts';

/** What a policy is analysed for. */
export interface AnalysisOptions {
  readonly profile: Profile;
  readonly endpoint: EndpointKind;
  /** Those of {@link createPhaseEnvironments} for the same profile and endpoint, to share them between policies. */
  readonly environments?: PhaseEnvironments;
  /** Results of checking expressions, to share them between analyses in the same environments. */
  readonly expressions?: ExpressionCache;
  /** How the profile was found; left out where it was given. */
  readonly detected?: DetectedProfile | undefined;
  /** Where in the text the policy stands; without it, each document is one. */
  readonly part?: PartPath;
}

/** A policy and all that is wrong with it. */
export interface Analysis {
  /** What could be understood; undefined when the document holds no policy at all. */
  readonly policy: Policy | undefined;
  /** In the order of the document. */
  readonly diagnostics: readonly Diagnostic[];
  /** What the expressions of each phase were checked in, and are to be compiled in. */
  readonly environments: PhaseEnvironments;
  /** Where the comments of the text stand, in order, each from its first sign to its end. */
  readonly comments: readonly Range[];
  /** What {@link reanalyzePolicy} goes on from. */
  readonly parts: AnalysisParts;
}

/** An analysis in the parts that may be taken over when the text changes a little. */
export interface AnalysisParts {
  readonly source: SourceText;
  /** Every rule that was written, in the order of the phases. */
  readonly rules: readonly RuleReading[];
  /** What was found beside the rules, in the order of reporting. */
  readonly findings: readonly Diagnostic[];
  /** How large the text is at most; undefined when something is wrong with its YAML, so that no part can be read by itself. */
  readonly size: TextSize | undefined;
}

/** All policies of a text. */
export interface TextAnalysis {
  readonly policies: readonly Policy[];
  /** Of all policies, in the order of the text. */
  readonly diagnostics: readonly Diagnostic[];
  readonly environments: PhaseEnvironments;
  readonly comments: readonly Range[];
}

/**
 * Reads and checks a policy in YAML or JSON: its document, shape, names, phases, actions with their configuration, and
 * expressions. Reports everything that is wrong in one pass, at its place; that there are several policies as well, of
 * which the first is read. Never throws, whatever the text.
 */
export function analyzePolicy(source: SourceText, options: AnalysisOptions): Analysis {
  const { environments, reporter, comments, nodes, read, size } = prepare(source, options);
  const [first, second] = nodes;
  if (second) reportSecond(reporter, source.text, second);
  const { policy, rules = [] } = (first && read(first)) ?? {};
  const findings = reporter.found;
  const whole = policy ? checkWhole(policy, options.profile, reporter.limit) : [];
  return {
    policy,
    diagnostics: collect([...findings, ...whole], rules, reporter),
    environments,
    comments,
    parts: { source, rules, findings, size },
  };
}

/** As {@link analyzePolicy}, for every document of a text, or for the same part of each. */
export function analyzePolicies(source: SourceText, options: AnalysisOptions): TextAnalysis {
  const { environments, reporter, comments, nodes, read } = prepare(source, options);
  const found = nodes.flatMap(node => read(node) ?? []);
  const rules = found.flatMap(one => one.rules);
  const whole = found.flatMap(({ policy }) => checkWhole(policy, options.profile, reporter.limit));
  const diagnostics = collect([...reporter.found, ...whole], rules, reporter);
  return { policies: found.map(one => one.policy), diagnostics, environments, comments };
}

/** What mostly follows from a document that is put together otherwise than its author sees it. */
const FOLLOWING = /^(?:policy|config|endpoint|phase)\//;

interface Preparation {
  readonly environments: PhaseEnvironments;
  readonly reporter: Reporter;
  readonly comments: readonly Range[];
  /** What is meant to be a policy. */
  readonly nodes: readonly DocumentNode[];
  readonly read: (node: DocumentNode) => PolicyInParts | undefined;
  readonly size: TextSize | undefined;
}

function prepare(source: SourceText, options: AnalysisOptions): Preparation {
  const { profile, endpoint, part, expressions } = options;
  const environments = options.environments ?? createPhaseEnvironments(profile, endpoint);
  const reporter = new Reporter(source.uri, maxDiagnostics(profile));
  const limits = documentLimits(profile);
  const { documents, comments, size, isBroken = false } = readText(source, { limits, reporter });
  if (isBroken) reporter.silence(FOLLOWING);
  const nodes = part ? selectParts(documents, part, reporter) : documents;
  const isGuessed = options.detected !== undefined && options.detected.evidence === undefined;
  if (nodes.length === 0 && reporter.isEmpty) reportEmpty(reporter, isGuessed ? PROFILES : [profile]);
  const { uri, text: document } = source;
  const reading = { uri, document, profile, endpoint, environments, expressions, reporter, isGuessed };
  return { environments, reporter, comments, nodes, size, read: node => readPolicy(node, reading) };
}

/** All findings, in the order of the document. */
export function collect(
  findings: readonly Diagnostic[],
  rules: readonly RuleReading[],
  { uri, limit, silenced }: Pick<Reporter, 'uri' | 'limit'> & Partial<Pick<Reporter, 'silenced'>>,
): readonly Diagnostic[] {
  const all = new Reporter(uri, limit);
  if (silenced) all.silence(silenced);
  for (const finding of findings) all.take(finding);
  for (const rule of rules) for (const finding of rule.findings) all.take(finding);
  return all.finish();
}

function reportEmpty(reporter: Reporter, profiles: readonly Profile[]): void {
  const phases = [...new Set(profiles.flatMap(one => one.phases))];
  const message = `the document is empty; write rules below ${listed(phases, 'or')}`;
  reporter.report({ code: 'policy/empty-document', message, range: { start: 0, end: 0 }, args: {} });
}

function reportSecond(reporter: Reporter, text: string, { range }: DocumentNode): void {
  const marker = text.lastIndexOf('---', range.start);
  const start = marker < 0 ? range.start : marker;
  reporter.report({
    code: 'yaml/several-documents',
    message: 'one policy is expected, and `---` begins another, which is ignored',
    range: { start, end: Math.min(start + 3, text.length) },
    args: {},
  });
}
