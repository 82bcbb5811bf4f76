import { type Range, SourceText, type TextEdit } from '@tollgate/diagnostics';
import {
  type DocumentNode,
  documentLimits,
  type MapNode,
  maxDiagnostics,
  Reporter,
} from '../document/document-node.ts';
import { readFastPath } from '../document/read-subset.ts';
import type { DocumentSize } from '../document/read-with-yaml-library.ts';
import { replaceNode, type Shift, shiftRange } from '../document/select-part.ts';
import { createPhaseEnvironments } from '../expressions/phase-environment.ts';
import { checkPolicyAsWhole } from '../rules/check-policy.ts';
import type { Policy, Rule } from '../rules/policy.ts';
import { type RuleWithDiagnostics, readRule, shiftDiagnostic, shiftReading } from '../rules/read-policy.ts';
import {
  type Analysis,
  type AnalysisOptions,
  type AnalysisParts,
  analyzePolicy,
  collect,
  findingsOf,
  movedBy,
  type PlacedRule,
  placed,
  policyOf,
  rangeOf,
  relevantPart,
} from './analyze-policy.ts';

/**
 * Returns what {@link analyzePolicy} returns for the edited text. If the edit
 * stays within one rule, only that rule is read and checked again; the others are reused, and those after it are
 * shifted. Otherwise the whole text is analyzed.
 *
 * @param previous a result of `analyzePolicy` or of this function, with the same options
 */
export function reanalyzePolicy(previous: Analysis, edit: TextEdit, options: AnalysisOptions): Analysis {
  const change = changeOf(previous, edit);
  return reuseRules(previous, change, options) ?? analyzePolicy(change.source, options);
}

/** Returns the effect of an edit on the text of an analysis. */
function changeOf({ parts: { source } }: Analysis, edit: TextEdit, after = source.edited(edit)): TextChange {
  return { source: after, by: after.text.length - source.text.length, edit };
}

/** An edit and the text after it. */
interface TextChange {
  readonly source: SourceText;
  /** Length of the new text minus length of the old one. */
  readonly by: number;
  readonly edit: TextEdit;
}

interface Question {
  readonly change: TextChange;
  readonly options: AnalysisOptions;
}

/** Undefined if more than the rule around the edit has to be read again. The rule may become several. */
function reuseRules(previous: Analysis, change: TextChange, options: AnalysisOptions): Analysis | undefined {
  const edited = editedRule(previous, change);
  const { parts } = previous;
  if (!edited) return undefined;
  const { at, old, stretch } = edited;
  const read = readStretch(stretch, parts, { change, options });
  if (!read || parts.rules.length + read.items.length - 1 > mostRules(options)) return undefined;
  const environments = options.environments ?? previous.environments;
  const question = { change, options: { ...options, environments } };
  const { phase, index } = old;
  const added = read.items.map((item, number) => placed(readAgain(item, { phase, index: index + number }, question)));
  const rules = rulesAfter(parts, { at, added, change });
  const findings = movedFindings(parts, change);
  const limit = maxDiagnostics(options.profile);
  const outline = replaceNode(edited.outline, { old: old.range, nodes: read.items, shift: shiftOf(change) });
  const whole = checkPolicyAsWhole(relevantPart(edited.policy, outline, rules), options.profile, limit);
  return {
    policy: policyOf(edited.policy, outline, rules),
    diagnostics: collect([...findings, ...whole, ...findingsOf(rules)], { uri: change.source.uri, limit }),
    environments,
    comments: replaceComments(previous.comments, read.comments, stretch, change),
    parts: {
      ...{ source: change.source, rules, outline, findings, size: read.size },
      ...bridgedAfter(parts, at, added.length - 1),
    },
  };
}

/** Returns which rules are still read apart after the one at an index was read with the others. */
function bridgedAfter({ bridged = [] }: AnalysisParts, at: number, more: number): Pick<AnalysisParts, 'bridged'> {
  const left = bridged.flatMap(one => (one === at ? [] : one > at ? one + more : one));
  return left.length === 0 ? {} : { bridged: left };
}

/** The rule around an edit, and the lines that belong to it. */
interface EditedRule {
  readonly policy: Policy;
  readonly outline: MapNode;
  /** Index in the rules of the analysis. */
  readonly at: number;
  readonly old: Pick<Rule, 'phase' | 'index' | 'range'>;
  readonly stretch: Range;
}

/** Returns the rule around an edit; undefined if the edit may concern more than it. */
function editedRule({ policy, parts }: Analysis, change: TextChange): EditedRule | undefined {
  const { rules, source, outline } = parts;
  const ranges = rules.map(rangeOf);
  const at = rangeAround(ranges, source.text, change.edit.range);
  const [rule, range] = [rules[at], ranges[at]];
  const stretch = range && stretchOf(source.text, range, change.edit);
  const isAlone = ranges.filter(one => one.start === range?.start).length === 1;
  if (!policy || !outline || !rule || !range || !stretch || !isAlone) return undefined;
  if (parts.findings.some(one => touches(one.range, stretch))) return undefined;
  const { phase } = rule.reading;
  const index = rules.slice(0, at).filter(one => one.reading.phase === phase).length;
  return { policy, outline, at, old: { phase, index, range }, stretch };
}

/** Returns the findings outside of rules after an edit. */
function movedFindings({ findings }: AnalysisParts, change: TextChange): AnalysisParts['findings'] {
  return findings.map(one => (isBehind(one.range, change) ? shiftDiagnostic(one, shiftOf(change)) : one));
}

/** More rules are a finding of the document. */
function mostRules({ profile }: AnalysisOptions): number {
  return profile.limits.find(({ name }) => name === 'maxRules')?.value ?? Number.POSITIVE_INFINITY;
}

/** Index of the last rule whose dash is before the edit; -1 if there is none. */
function rangeAround(rules: readonly Range[], text: string, edit: Range): number {
  let found = -1;
  let next = -1;
  rules.forEach(({ start }, index) => {
    const isBefore = start <= edit.start;
    if (isBefore && start >= (rules[found]?.start ?? 0)) found = index;
    if (!isBefore && start < (rules[next]?.start ?? Number.POSITIVE_INFINITY)) next = index;
  });
  const dash = next < 0 ? undefined : dashOf(text, rules[next]!);
  return dash !== undefined && dash < edit.start ? next : found;
}

/**
 * The lines of a rule in a block list and of the comments after it, up to the next line with content. Undefined if
 * the rule is written in another style or the edit is not inside: a line break must remain before the next line.
 */
function stretchOf(text: string, rule: Range, { range: edit, newText }: TextEdit): Range | undefined {
  const dash = dashOf(text, rule);
  if (dash === undefined) return undefined;
  const end = nextContent(text, Math.max(rule.end, dash + 1));
  const lastBefore = newText === '' ? text[edit.start - 1] : newText.at(-1);
  const isInside = edit.end < end || (edit.end === end && (end === text.length || lastBefore === '\n'));
  return isInside ? { start: text.lastIndexOf('\n', dash) + 1, end } : undefined;
}

/** Offset of the dash of an item in a block list; undefined if anything else is on its line before the item. */
function dashOf(text: string, { start }: Range): number | undefined {
  let at = start - 1;
  while (at >= 0 && ' \r\n'.includes(text[at]!)) at -= 1;
  const isDash = text[at] === '-' && (at < start - 1 || ' \r\n'.includes(text[start] ?? '\n'));
  if (!isDash) return undefined;
  const line = text.lastIndexOf('\n', at) + 1;
  return /^ *$/.test(text.slice(line, at)) ? at : undefined;
}

const NOT_CONTENT = / *(?:#[^\n]*)?\r?(?:\n|$)/y;

/** Start of the next line that has more than a comment. */
function nextContent(text: string, from: number): number {
  const lineBreak = text[from - 1] === '\n' ? from - 1 : text.indexOf('\n', from);
  if (lineBreak < 0) return text.length;
  NOT_CONTENT.lastIndex = lineBreak + 1;
  let at = NOT_CONTENT.lastIndex;
  while (at < text.length && NOT_CONTENT.test(text)) at = NOT_CONTENT.lastIndex;
  return at;
}

interface Stretch {
  /** At least one. */
  readonly items: readonly DocumentNode[];
  readonly comments: readonly Range[];
  /** An upper bound for the whole text. */
  readonly size: DocumentSize;
}

/** A removed or added anchor could change what aliases elsewhere refer to. */
const ANCHOR = /(?:^|[\s,[{:-])&[^\s&]/;

/** Maximum nesting around the list of rules: the policy's map and one wrapper. */
const OUTER_DEPTH = 2;

/** Reads the list items in the lines; undefined if they contain anything else. */
function readStretch(stretch: Range, parts: AnalysisParts, { change, options }: Question): Stretch | undefined {
  const { maxDocumentSize, maxDocumentDepth, maxDocumentNodes, maxDocumentTokens } = documentLimits(options.profile);
  const { text } = change.source;
  const { size } = parts;
  if (!size || text.length > maxDocumentSize || ANCHOR.test(parts.source.text.slice(stretch.start, stretch.end)))
    return undefined;
  const tokens = size.tokens === 0 ? 0 : size.tokens + stretch.end + change.by - stretch.start;
  if (tokens > maxDocumentTokens) return undefined;
  const depth = maxDocumentDepth - OUTER_DEPTH - (options.part?.steps.length ?? 0);
  const limits = { maxDocumentDepth: Math.max(depth, 0), maxDocumentNodes: maxDocumentNodes - size.nodes };
  const read = readFastPath(text, limits, { start: stretch.start, end: stretch.end + change.by });
  if (read?.root.kind !== 'list') return undefined;
  const nodes = size.nodes + read.nodes;
  return { items: read.root.items, comments: read.comments, size: { nodes, tokens } };
}

function readAgain(
  item: DocumentNode,
  { phase, index }: Pick<Rule, 'phase' | 'index'>,
  { change, options }: Question,
): RuleWithDiagnostics {
  const { profile, endpoint, expressions } = options;
  const { uri, text: document } = change.source;
  const environments = options.environments ?? createPhaseEnvironments(profile, endpoint);
  const reporter = new Reporter(uri, maxDiagnostics(profile));
  const reading = { uri, document, profile, endpoint, environments, expressions, reporter };
  return readRule(item, { phase, index }, reading);
}

/** Rules that take the place of one of them. */
interface RuleReplacement {
  readonly at: number;
  readonly added: readonly PlacedRule[];
  readonly change: TextChange;
}

/** Returns the rules after an edit in one of them. */
function rulesAfter({ rules, size }: AnalysisParts, { at, added, change }: RuleReplacement): readonly PlacedRule[] {
  // The fast path reads no aliases.
  const isWithin = size?.tokens === 0;
  const shift = shiftOf(change);
  const after: PlacedRule[] = [];
  for (const [index, one] of rules.entries()) {
    if (index === at) after.push(...added);
    else after.push(isBehind(rangeOf(one), change) ? movedBy(one, shift, isWithin) : one);
  }
  return after;
}

/** Returns how an edit moves what comes after it. */
function shiftOf({ by, edit }: TextChange): Shift {
  return { by, from: edit.range.end };
}

function isBehind(range: Range, { by, edit }: TextChange): boolean {
  return by !== 0 && range.start >= edit.range.end;
}

function touches(range: Range, stretch: Range): boolean {
  return range.end >= stretch.start && range.start <= stretch.end;
}

/** Returns the comments after an edit of the lines in `stretch`. */
function replaceComments(
  all: readonly Range[],
  inside: readonly Range[],
  stretch: Range,
  change: TextChange,
): readonly Range[] {
  const before = all.filter(comment => comment.start < stretch.start);
  const behind = all.filter(comment => comment.start >= stretch.end);
  return [...before, ...inside, ...behind.map(comment => shiftRange(comment, shiftOf(change)))];
}

/**
 * Like {@link reanalyzePolicy}, but if the lines of the edited rule cannot be read together with the others, for example because of an open
 * quote, reads them by themselves and keeps all other rules as they were. The result then has `parts.bridged`; its diagnostics may differ
 * from those of the whole text, which {@link analyzePolicy} returns. Reading 2,000 rules as a whole takes 300 ms if they have errors.
 *
 * @param source the edited source, if there is one already
 */
export function reanalyzeWhileTyping(
  previous: Analysis,
  edit: TextEdit,
  options: AnalysisOptions,
  source?: SourceText,
): Analysis {
  const change = changeOf(previous, edit, source);
  return (
    reuseRules(previous, change, options) ??
    patchRule(previous, change, options) ??
    analyzePolicy(change.source, options)
  );
}

/** Shorter documents are read as a whole: that takes a millisecond. */
const SHORT = 4000;

function patchRule(previous: Analysis, change: TextChange, options: AnalysisOptions): Analysis | undefined {
  const { parts } = previous;
  const { size, bridged = [] } = parts;
  const edited = editedRule(previous, change);
  if (!edited || !size || options.part || isReadable(change.source.text, options)) return undefined;
  const { at, old, stretch } = edited;
  const environments = options.environments ?? previous.environments;
  const rule = readApart(edited, change, { ...options, environments });
  const rules = rulesAfter(parts, { at, added: [placed(rule)], change });
  const findings = movedFindings(parts, change);
  const outline = replaceNode(edited.outline, { old: old.range, nodes: [rule.node], shift: shiftOf(change) });
  const { uri } = change.source;
  return {
    policy: policyOf(edited.policy, outline, rules),
    diagnostics: collect([...findings, ...findingsOf(rules)], { uri, limit: maxDiagnostics(options.profile) }),
    environments,
    comments: replaceComments(previous.comments, [], stretch, change),
    parts: { source: change.source, rules, outline, findings, size, bridged: [...new Set([...bridged, at])] },
  };
}

/** The lines of a rule that can be read only together with what follows, such as a string of several rules, are rare in longer documents. */
function isReadable(text: string, { profile }: AnalysisOptions): boolean {
  return text.length < SHORT && readFastPath(text, documentLimits(profile)) !== undefined;
}

/** Reads the lines of a rule as a policy of their own. */
function readApart(
  { old, stretch }: EditedRule,
  { source, by }: TextChange,
  options: AnalysisOptions,
): RuleWithDiagnostics {
  const { phase, index } = old;
  const lines = source.text.slice(stretch.start, stretch.end + by);
  const prefix = `${phase}:${lines.includes('\r\n') ? '\r\n' : '\n'}`;
  const { parts } = analyzePolicy(new SourceText(source.uri, prefix + lines), options);
  const shift = { from: 0, by: stretch.start - prefix.length };
  const [first, ...others] = parts.rules.map(one => shiftReading(one.reading, shift));
  // The first line of the stretch begins with the dash of the rule.
  const [dash] = /^ *-\s*/.exec(lines) ?? [''];
  const start = stretch.start + dash.length;
  const range: Range = { start, end: Math.max(start, stretch.start + lines.trimEnd().length) };
  const nothing: Rule = { phase, index, name: undefined, range, expressions: [], actions: [] };
  const rule = first?.rule ? { ...first.rule, index } : nothing;
  // The anchor may be in another rule.
  const outside = parts.findings
    .filter(one => one.code !== 'yaml/unknown-alias')
    .map(one => shiftDiagnostic(one, shift));
  const findings = [...outside, ...(first?.findings ?? []), ...others.flatMap(one => one.findings)];
  return { phase, range, node: { kind: 'broken', range }, rule, findings };
}
