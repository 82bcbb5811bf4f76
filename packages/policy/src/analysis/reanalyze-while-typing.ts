import type { Range } from '@tollgate/diagnostics';
import { SourceText, type TextEdit } from '@tollgate/diagnostics';
import { documentLimits, maxDiagnostics } from '../document/model/document-limits.ts';
import { replaceNode } from '../document/model/shift-node.ts';
import { readFastPath } from '../document/subset-reader/read-fast-path.ts';
import type { Rule } from '../model/policy.ts';
import type { RuleWithDiagnostics } from '../policy-reader/read-policy.ts';
import { shiftDiagnostic, shiftReading } from '../policy-reader/shift-rule.ts';
import { type Analysis, type AnalysisOptions, analyzePolicy, collect } from './analyze-policy.ts';
import { findingsOf, placed, policyOf } from './placed-rule.ts';
import {
  type Change,
  changeOf,
  type EditedRule,
  editedRule,
  movedFindings,
  replaceComments,
  rulesAfter,
  shiftOf,
  takeOver,
} from './reanalyze-policy.ts';

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
    takeOver(previous, change, options) ?? bridge(previous, change, options) ?? analyzePolicy(change.source, options)
  );
}

/** Shorter documents are read as a whole: that takes a millisecond. */
const SHORT = 4000;

function bridge(previous: Analysis, change: Change, options: AnalysisOptions): Analysis | undefined {
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
  { source, by }: Change,
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
