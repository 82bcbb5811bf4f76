import { type Range, SourceText, type TextEdit } from '@tollgate/diagnostics';
import { documentLimits, maxDiagnostics } from '../document/model/document-limits.ts';
import type { DocumentNode } from '../document/model/document-node.ts';
import { Reporter } from '../document/model/reporter.ts';
import { type Replacement, replaceNode, type Shift, shiftRange } from '../document/model/shift-node.ts';
import { readDirectly } from '../document/subset-reader/read-fast-path.ts';
import type { TextSize } from '../document/yaml-library/read-with-yaml-library.ts';
import { createPhaseEnvironments } from '../expression/phase-environment.ts';
import type { Policy, Rule } from '../model/policy.ts';
import { checkWhole } from '../policy-checks/check-policy.ts';
import { type RuleReading, readRule, rulesByPhase } from '../policy-reader/read-policy.ts';
import { shiftDiagnostic, shiftReading } from '../policy-reader/shift-rule.ts';
import { type Analysis, type AnalysisOptions, type AnalysisParts, analyzePolicy, collect } from './analyze-policy.ts';

/**
 * Analyses the text of an analysis again, with an edit made in it. Gives what {@link analyzePolicy} gives for the new text. Where the
 * edit stays inside of one rule, only that rule is read and checked again; the others are taken over, those behind it with new
 * places. Everything else is read anew.
 *
 * @param previous what `analyzePolicy` or this function gave for the same options
 */
export function reanalyzePolicy(previous: Analysis, edit: TextEdit, options: AnalysisOptions): Analysis {
  const { source } = previous.parts;
  const text = source.text.slice(0, edit.range.start) + edit.newText + source.text.slice(edit.range.end);
  const change: Change = { source: new SourceText(source.uri, text), by: text.length - source.text.length, edit };
  return takeOver(previous, change, options) ?? analyzePolicy(change.source, options);
}

interface Change {
  readonly source: SourceText;
  /** How much longer the text has become. */
  readonly by: number;
  readonly edit: TextEdit;
}

interface Asked {
  readonly change: Change;
  readonly options: AnalysisOptions;
}

/** Undefined when more than one rule has to be read again. */
function takeOver(previous: Analysis, change: Change, options: AnalysisOptions): Analysis | undefined {
  const { policy, parts } = previous;
  const at = ruleAround(parts.rules, change.edit.range);
  const old = parts.rules[at];
  const stretch = old && stretchOf(parts.source.text, old.range, change.edit.range);
  const isAlone = parts.rules.filter(one => one.range.start === old?.range.start).length === 1;
  if (!policy || !old?.rule || !stretch || !isAlone || parts.findings.some(one => touches(one.range, stretch)))
    return undefined;
  const read = readStretch(stretch, parts, { change, options });
  if (!read) return undefined;
  const environments = options.environments ?? previous.environments;
  const rule = readAgain(read.item, old.rule, { change, options: { ...options, environments } });
  const rules = parts.rules.map((one, index) => (index === at ? rule : moved(one, change)));
  const findings = parts.findings.map(one =>
    isBehind(one.range, change) ? shiftDiagnostic(one, shiftOf(change)) : one,
  );
  const limit = maxDiagnostics(options.profile);
  const next = withRules(policy, rules, { old: old.range, node: read.item, shift: shiftOf(change) });
  const whole = checkWhole(next, options.profile, limit);
  return {
    policy: next,
    diagnostics: collect([...findings, ...whole], rules, { uri: change.source.uri, limit }),
    environments,
    comments: replaceComments(previous.comments, read.comments, stretch, change),
    parts: { source: change.source, rules, findings, size: read.size },
  };
}

/** The rule that begins last before the edit; -1 when none does. */
function ruleAround(rules: readonly RuleReading[], edit: Range): number {
  let found = -1;
  rules.forEach(({ range }, index) => {
    if (range.start <= edit.start && range.start >= (rules[found]?.range.start ?? 0)) found = index;
  });
  return found;
}

/**
 * The lines of a rule that is an item of a block list, with the comments behind it, up to the line of what comes next. Undefined when
 * the rule is something else, or the edit is not inside: the line break before what comes next must stay.
 */
function stretchOf(text: string, rule: Range, edit: Range): Range | undefined {
  const start = text.lastIndexOf('\n', rule.start - 1) + 1;
  if (!/^ *- +$/.test(text.slice(start, rule.start))) return undefined;
  const end = nextContent(text, rule.end);
  return edit.end < end || (edit.end === end && end === text.length) ? { start, end } : undefined;
}

const NOT_CONTENT = / *(?:#[^\n]*)?(?:\n|$)/y;

/** Where the next line begins that has more than a comment. */
function nextContent(text: string, from: number): number {
  const lineBreak = text[from - 1] === '\n' ? from - 1 : text.indexOf('\n', from);
  if (lineBreak < 0) return text.length;
  NOT_CONTENT.lastIndex = lineBreak + 1;
  let at = NOT_CONTENT.lastIndex;
  while (at < text.length && NOT_CONTENT.test(text)) at = NOT_CONTENT.lastIndex;
  return at;
}

interface Stretch {
  readonly item: DocumentNode;
  readonly comments: readonly Range[];
  /** Of the whole text, at most. */
  readonly size: TextSize;
}

/** Without it, aliases elsewhere would be of another anchor or of none. */
const ANCHOR = /(?:^|[\s,[{:-])&[^\s&]/;

/** What holds the list of rules, at most: the map of the policy and one around it. */
const OUTER_DEPTH = 2;

/** Reads the one item of the stretch; undefined when it has become something else. */
function readStretch(stretch: Range, parts: AnalysisParts, { change, options }: Asked): Stretch | undefined {
  const { maxDocumentSize, maxDocumentDepth, maxDocumentNodes, maxDocumentTokens } = documentLimits(options.profile);
  const { text } = change.source;
  const { size } = parts;
  if (!size || text.length > maxDocumentSize || ANCHOR.test(parts.source.text.slice(stretch.start, stretch.end)))
    return undefined;
  const tokens = size.tokens === 0 ? 0 : size.tokens + stretch.end + change.by - stretch.start;
  if (tokens > maxDocumentTokens) return undefined;
  const depth = maxDocumentDepth - OUTER_DEPTH - (options.part?.steps.length ?? 0);
  const limits = { maxDocumentDepth: Math.max(depth, 0), maxDocumentNodes: maxDocumentNodes - size.nodes };
  const read = readDirectly(text, limits, { start: stretch.start, end: stretch.end + change.by });
  if (read?.root.kind !== 'list' || read.root.items.length !== 1) return undefined;
  const nodes = size.nodes + read.nodes;
  return { item: read.root.items[0]!, comments: read.comments, size: { nodes, tokens } };
}

function readAgain(item: DocumentNode, { phase, index }: Rule, { change, options }: Asked): RuleReading {
  const { profile, endpoint, expressions } = options;
  const { uri, text: document } = change.source;
  const environments = options.environments ?? createPhaseEnvironments(profile, endpoint);
  const reporter = new Reporter(uri, maxDiagnostics(profile));
  const reading = { uri, document, profile, endpoint, environments, expressions, reporter };
  return readRule(item, { phase, index }, reading);
}

function moved(rule: RuleReading, change: Change): RuleReading {
  return isBehind(rule.range, change) ? shiftReading(rule, shiftOf(change)) : rule;
}

function shiftOf({ by, edit }: Change): Shift {
  return { by, from: edit.range.end };
}

function isBehind(range: Range, { by, edit }: Change): boolean {
  return by !== 0 && range.start >= edit.range.end;
}

function touches(range: Range, stretch: Range): boolean {
  return range.end >= stretch.start && range.start <= stretch.end;
}

function withRules(policy: Policy, rules: readonly RuleReading[], replacement: Replacement): Policy {
  const node = replaceNode(policy.node, replacement);
  return { ...policy, range: node.range, node, rules: rulesByPhase(rules) };
}

function replaceComments(
  all: readonly Range[],
  inside: readonly Range[],
  stretch: Range,
  change: Change,
): readonly Range[] {
  const before = all.filter(comment => comment.start < stretch.start);
  const behind = all.filter(comment => comment.start >= stretch.end);
  return [...before, ...inside, ...behind.map(comment => shiftRange(comment, shiftOf(change)))];
}
