import { type EndpointKind, PROFILES, type Profile } from '@tollgate/catalog';
import type { Diagnostic, Range, SourceText } from '@tollgate/diagnostics';
import {
  type DocumentNode,
  documentLimits,
  type MapNode,
  maxDiagnostics,
  Reporter,
} from '../document/document-node.ts';
import { readDocuments } from '../document/read-document.ts';
import type { DocumentSize } from '../document/read-with-yaml-library.ts';
import { type PartPath, type Shift, selectParts, shiftNode } from '../document/select-part.ts';
import type { ExpressionCache } from '../expressions/expression-cache.ts';
import { createPhaseEnvironments, type PhaseEnvironments } from '../expressions/phase-environment.ts';
import { checkPolicyAsWhole, mayConcernOthers } from '../rules/check-policy.ts';
import type { Policy, Rule } from '../rules/policy.ts';
import {
  type PolicyInParts,
  type RuleWithDiagnostics,
  readPolicy,
  rulesByPhase,
  shiftDiagnostic,
  shiftReading,
} from '../rules/read-policy.ts';
import { listed } from '../rules/read-shape.ts';
import type { DetectedProfile } from './detect-profile.ts';

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

/**
 * A rule as it was read, and how far edits before it have moved it since. Most rules are moved by most keystrokes and looked at by none:
 * copying 2,000 of them with all their ranges took 90 % of the time of a keystroke.
 */
export interface PlacedRule {
  readonly reading: RuleWithDiagnostics;
  readonly by: number;
  /** True if the checks of the policy as a whole have to see it. */
  readonly isRelevant: boolean;
}

/** Returns a rule that is where it was read. */
export function placed(reading: RuleWithDiagnostics): PlacedRule {
  return { reading, by: 0, isRelevant: reading.rule !== undefined && mayConcernOthers(reading.rule) };
}

/** Returns the range of a rule in the current text. */
export function rangeOf({ reading: { range }, by }: PlacedRule): Range {
  return by === 0 ? range : { start: range.start + by, end: range.end + by };
}

/** Returns the diagnostics of rules in the current text. */
export function findingsOf(rules: readonly PlacedRule[]): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const { reading, by } of rules)
    for (const one of reading.findings) found.push(by === 0 ? one : shiftDiagnostic(one, { from: 0, by }));
  return found;
}

/**
 * Returns a rule after an edit before it. Parts of it may precede the edit if it has aliases: it is then copied.
 *
 * @param isWithin true if no rule of the document has parts outside of its range
 */
export function movedBy(rule: PlacedRule, shift: Shift, isWithin: boolean): PlacedRule {
  const { reading, by, isRelevant } = rule;
  if (isWithin) return { reading, by: by + shift.by, isRelevant };
  return { reading: shiftReading(inPlace(rule, undefined), shift), by: 0, isRelevant };
}

/** Returns a rule as if it had been read in the current text, with its index if that may be another one now. */
function inPlace({ reading, by }: PlacedRule, index: number | undefined): RuleWithDiagnostics {
  const moved = by === 0 ? reading : shiftReading(reading, { from: 0, by });
  const { rule } = moved;
  if (!rule || index === undefined || rule.index === index) return moved;
  return { ...moved, rule: { ...rule, index } };
}

/** Returns the wanted rules as if they had been read in the current text. */
export function readingsOf(
  rules: readonly PlacedRule[],
  isWanted: (rule: PlacedRule) => boolean = () => true,
): readonly RuleWithDiagnostics[] {
  const counts = new Map<string, number>();
  const found: RuleWithDiagnostics[] = [];
  for (const rule of rules) {
    const { phase } = rule.reading;
    const index = counts.get(phase) ?? 0;
    counts.set(phase, index + 1);
    if (isWanted(rule)) found.push(inPlace(rule, index));
  }
  return found;
}

/** Returns the rule at an offset of the current text. */
export function ruleAt(rules: readonly PlacedRule[], offset: number): Rule | undefined {
  const isAround = (rule: PlacedRule) => {
    const { start, end } = rangeOf(rule);
    return start <= offset && offset <= end;
  };
  const at = rules.find(one => one.reading.rule && isAround(one));
  return at && readingsOf(rules, one => one === at)[0]?.rule;
}

/** Returns the map of a policy without its rules. */
function outlineOf(body: MapNode, rules: readonly PlacedRule[]): MapNode {
  const phases = new Set<string>(rules.map(one => one.reading.phase));
  const entries = body.entries.map(entry => {
    const { key, value } = entry;
    return value.kind === 'list' && phases.delete(key) ? { ...entry, value: { ...value, items: [] } } : entry;
  });
  return { ...body, entries };
}

/**
 * Returns a policy with these rules. Its tree and its rules are copied when somebody looks at them: after most keystrokes, nobody does.
 *
 * @param outline the map of the policy without its rules
 */
export function policyOf(
  { uri, endpoint, enabled }: Pick<Policy, 'uri' | 'endpoint' | 'enabled'>,
  outline: MapNode,
  rules: readonly PlacedRule[],
): Policy {
  let node: MapNode | undefined;
  let byPhase: Policy['rules'] | undefined;
  return {
    ...{ uri, endpoint, enabled, range: outline.range },
    get node() {
      node ??= withItems(outline, rules);
      return node;
    },
    get rules() {
      byPhase ??= rulesByPhase(readingsOf(rules));
      return byPhase;
    },
  };
}

/** Returns what the checks of a policy as a whole need of it. */
export function relevantPart(
  { uri, endpoint, enabled }: Pick<Policy, 'uri' | 'endpoint' | 'enabled'>,
  outline: MapNode,
  rules: readonly PlacedRule[],
): Policy {
  const relevant = rulesByPhase(readingsOf(rules, one => one.isRelevant));
  return { uri, endpoint, enabled, range: outline.range, node: outline, rules: relevant };
}

function withItems(outline: MapNode, rules: readonly PlacedRule[]): MapNode {
  const items = new Map<string, DocumentNode[]>();
  for (const { reading, by } of rules) {
    const { phase, node } = reading;
    const list = items.get(phase) ?? [];
    list.push(by === 0 ? node : shiftNode(node, { from: 0, by }));
    items.set(phase, list);
  }
  const entries = outline.entries.map(entry => {
    const { key, value } = entry;
    const own = value.kind === 'list' ? items.get(key) : undefined;
    if (!own) return entry;
    items.delete(key);
    return { ...entry, value: { ...value, items: own } };
  });
  return { ...outline, entries };
}
