import type { Range } from '@tollgate/diagnostics';
import { SourceText, type TextEdit } from '@tollgate/diagnostics';
import { documentLimits, maxDiagnostics } from '../document/model/document-limits.ts';
import { readFastPath } from '../document/subset-reader/read-fast-path.ts';
import type { Rule } from '../model/policy.ts';
import type { RuleReading } from '../policy-reader/read-policy.ts';
import { shiftDiagnostic, shiftReading } from '../policy-reader/shift-rule.ts';
import { type Analysis, type AnalysisOptions, analyzePolicy, collect } from './analyze-policy.ts';
import {
  type Change,
  changeOf,
  type EditedRule,
  editedRule,
  moved,
  movedFindings,
  replaceComments,
  shiftOf,
  takeOver,
  withRules,
} from './reanalyze-policy.ts';

/**
 * Like {@link reanalyzePolicy}, but if an edit leaves a document that only the YAML library can read, such as one with an open quote, reads
 * the lines of the edited rule by themselves and keeps all other rules as they were. The result then has `parts.bridged`; its diagnostics
 * may differ from those of the whole text, which {@link analyzePolicy} returns. Reading 2,000 rules with the YAML library takes 300 ms.
 */
export function reanalyzeWhileTyping(previous: Analysis, edit: TextEdit, options: AnalysisOptions): Analysis {
  const change = changeOf(previous, edit);
  const exact = takeOver(previous, change, options);
  if (exact) return exact;
  const isReadable = readFastPath(change.source.text, documentLimits(options.profile)) !== undefined;
  return (isReadable ? undefined : bridge(previous, change, options)) ?? analyzePolicy(change.source, options);
}

function bridge(previous: Analysis, change: Change, options: AnalysisOptions): Analysis | undefined {
  const edited = editedRule(previous, change);
  const { parts } = previous;
  const { size } = parts;
  if (!edited || !size || options.part || (parts.bridged !== undefined && parts.bridged !== edited.at))
    return undefined;
  const { at, old, stretch } = edited;
  const environments = options.environments ?? previous.environments;
  const rule = readApart(edited, change, { ...options, environments });
  const rules = parts.rules.map((one, index) => (index === at ? rule : moved(one, change)));
  const findings = movedFindings(parts, change);
  const node = { kind: 'broken', range: rule.range } as const;
  const { uri } = change.source;
  return {
    policy: withRules(edited.policy, rules, { old: old.range, nodes: [node], shift: shiftOf(change) }),
    diagnostics: collect(findings, rules, { uri, limit: maxDiagnostics(options.profile) }),
    environments,
    comments: replaceComments(previous.comments, [], stretch, change),
    parts: { source: change.source, rules, findings, size, bridged: at },
  };
}

/** Reads the lines of a rule as a policy of their own. */
function readApart({ old, stretch }: EditedRule, { source, by }: Change, options: AnalysisOptions): RuleReading {
  const { phase, index } = old.rule;
  const lines = source.text.slice(stretch.start, stretch.end + by);
  const prefix = `${phase}:${lines.includes('\r\n') ? '\r\n' : '\n'}`;
  const { parts } = analyzePolicy(new SourceText(source.uri, prefix + lines), options);
  const shift = { from: 0, by: stretch.start - prefix.length };
  const [first, ...others] = parts.rules.map(one => shiftReading(one, shift));
  const range: Range = { start: old.range.start, end: stretch.start + lines.trimEnd().length };
  const nothing: Rule = { phase, index, name: undefined, range, expressions: [], actions: [] };
  const rule = first?.rule ? { ...first.rule, index } : nothing;
  const outside = parts.findings.map(one => shiftDiagnostic(one, shift));
  const findings = [...outside, ...(first?.findings ?? []), ...others.flatMap(one => one.findings)];
  return { phase, range, rule, findings };
}
