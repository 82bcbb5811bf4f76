import { type EndpointKind, PROFILES, type Profile } from '@tollgate/catalog';
import type { Diagnostic, Range, SourceText } from '@tollgate/diagnostics';
import { documentLimits, maxDiagnostics } from '../document/model/document-limits.ts';
import type { DocumentNode, MapNode } from '../document/model/document-node.ts';
import { Reporter } from '../document/model/reporter.ts';
import { type PartPath, selectParts } from '../document/model/select-part.ts';
import { readDocuments } from '../document/read-document.ts';
import type { DocumentSize } from '../document/yaml-library/read-with-yaml-library.ts';
import type { ExpressionCache } from '../expression/expression-cache.ts';
import { createPhaseEnvironments, type PhaseEnvironments } from '../expression/phase-environment.ts';
import type { Policy } from '../model/policy.ts';
import { listed } from '../model/read-shape.ts';
import { checkPolicyAsWhole } from '../policy-checks/check-policy.ts';
import { type PolicyInParts, readPolicy } from '../policy-reader/read-policy.ts';
import type { DetectedProfile } from './detect-profile.ts';
import { findingsOf, outlineOf, type PlacedRule, placed } from './placed-rule.ts';

/** How to analyze a policy. */
export interface AnalysisOptions {
  readonly profile: Profile;
  readonly endpoint: EndpointKind;
  /** The result of {@link createPhaseEnvironments} for the same profile and endpoint, if several policies share it. */
  readonly environments?: PhaseEnvironments;
  /** A cache of checked expressions, if several analyses in the same environments share it. */
  readonly expressions?: ExpressionCache;
  /** How the profile was detected; undefined if the caller chose it. */
  readonly detected?: DetectedProfile | undefined;
  /** Path of the policy within its file. Without it, each document is a policy. */
  readonly part?: PartPath;
}

/** A policy and its diagnostics. */
export interface Analysis {
  /** The parts that could be read; undefined if the document contains no policy at all. */
  readonly policy: Policy | undefined;
  /** In document order. */
  readonly diagnostics: readonly Diagnostic[];
  /** The environments that the expressions of each phase were checked in; compile them in the same ones. */
  readonly environments: PhaseEnvironments;
  /** The ranges of all comments, in document order, each including its `#`. */
  readonly comments: readonly Range[];
  /** Input of {@link reanalyzePolicy}. */
  readonly parts: AnalysisParts;
}

/** The parts of an analysis that can be reused after a small edit. */
export interface AnalysisParts {
  readonly source: SourceText;
  /** Every rule in the document, in phase order. */
  readonly rules: readonly PlacedRule[];
  /** The map of the policy without its rules; undefined if there is no policy. */
  readonly outline: MapNode | undefined;
  /** The diagnostics outside of rules, in reporting order. */
  readonly findings: readonly Diagnostic[];
  /** An upper bound on the size; undefined if the YAML has errors, so that no part can be read separately. */
  readonly size: DocumentSize | undefined;
  /** Indices of rules that were read apart from the rest because the document has errors in them; see `reanalyzeWhileTyping`. */
  readonly bridged?: readonly number[];
}

/** All policies of a file. */
export interface TextAnalysis {
  readonly policies: readonly Policy[];
  /** The diagnostics of all policies, in document order. */
  readonly diagnostics: readonly Diagnostic[];
  readonly environments: PhaseEnvironments;
  readonly comments: readonly Range[];
}

/**
 * Reads and checks a policy in YAML or JSON: syntax, shape, names, phases, actions with their configuration, and
 * expressions. Reports every error in one pass, with its exact range. If the file contains several policies, reads
 * the first and reports the others. Never throws on malformed input.
 */
export function analyzePolicy(source: SourceText, options: AnalysisOptions): Analysis {
  const { environments, reporter, comments, nodes, read, size } = prepare(source, options);
  const [first, second] = nodes;
  if (second) reportSecond(reporter, source.text, second);
  const { policy, rules: readings = [] } = (first && read(first)) ?? {};
  const rules = readings.map(placed);
  const findings = reporter.found;
  const whole = policy ? checkPolicyAsWhole(policy, options.profile, reporter.limit) : [];
  return {
    policy,
    diagnostics: collect([...findings, ...whole, ...findingsOf(rules)], reporter),
    environments,
    comments,
    parts: { source, rules, outline: policy && outlineOf(policy.node, rules), findings, size },
  };
}

/** Like {@link analyzePolicy}, for every document of a file, or for the same part of each. */
export function analyzePolicies(source: SourceText, options: AnalysisOptions): TextAnalysis {
  const { environments, reporter, comments, nodes, read } = prepare(source, options);
  const found = nodes.flatMap(node => read(node) ?? []);
  const rules = found.flatMap(one => one.rules);
  const whole = found.flatMap(({ policy }) => checkPolicyAsWhole(policy, options.profile, reporter.limit));
  const diagnostics = collect([...reporter.found, ...whole, ...rules.flatMap(one => one.findings)], reporter);
  return { policies: found.map(one => one.policy), diagnostics, environments, comments };
}

/** Errors that usually only follow from a structural error in the YAML. */
const FOLLOWING = /^(?:policy|config|endpoint|phase)\//;

interface Preparation {
  readonly environments: PhaseEnvironments;
  readonly reporter: Reporter;
  readonly comments: readonly Range[];
  readonly nodes: readonly DocumentNode[];
  readonly read: (node: DocumentNode) => PolicyInParts | undefined;
  readonly size: DocumentSize | undefined;
}

function prepare(source: SourceText, options: AnalysisOptions): Preparation {
  const { profile, endpoint, part, expressions } = options;
  const environments = options.environments ?? createPhaseEnvironments(profile, endpoint);
  const reporter = new Reporter(source.uri, maxDiagnostics(profile));
  const limits = documentLimits(profile);
  const { documents, comments, size, isBroken = false } = readDocuments(source, { limits, reporter });
  if (isBroken) reporter.silence(FOLLOWING);
  const nodes = part ? selectParts(documents, part, reporter) : documents;
  const isGuessed = options.detected !== undefined && options.detected.evidence === undefined;
  if (nodes.length === 0 && reporter.isEmpty) reportEmpty(reporter, isGuessed ? PROFILES : [profile]);
  const { uri, text: document } = source;
  const reading = { uri, document, profile, endpoint, environments, expressions, reporter, isGuessed };
  return { environments, reporter, comments, nodes, size, read: node => readPolicy(node, reading) };
}

/** Returns all findings in document order. */
export function collect(
  findings: readonly Diagnostic[],
  { uri, limit, silenced }: Pick<Reporter, 'uri' | 'limit'> & Partial<Pick<Reporter, 'silenced'>>,
): readonly Diagnostic[] {
  const all = new Reporter(uri, limit);
  if (silenced) all.silence(silenced);
  for (const finding of findings) all.take(finding);
  return all.finish();
}

function reportEmpty(reporter: Reporter, profiles: readonly Profile[]): void {
  const phases = [...new Set(profiles.flatMap(one => one.phases))];
  const message = `empty document; write rules below ${listed(phases, 'or')}`;
  reporter.report({ code: 'policy/empty-document', message, range: { start: 0, end: 0 }, args: {} });
}

function reportSecond(reporter: Reporter, text: string, { range }: DocumentNode): void {
  const marker = text.lastIndexOf('---', range.start);
  const start = marker < 0 ? range.start : marker;
  reporter.report({
    code: 'yaml/several-documents',
    message: 'expected a single policy, found a second document after `---`; it is ignored',
    range: { start, end: Math.min(start + 3, text.length) },
    args: {},
  });
}
