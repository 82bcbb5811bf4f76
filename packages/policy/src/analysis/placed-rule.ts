import type { Diagnostic, Range } from '@tollgate/diagnostics';
import type { DocumentNode, MapNode } from '../document/model/document-node.ts';
import { type Shift, shiftNode } from '../document/model/shift-node.ts';
import type { Policy, Rule } from '../model/policy.ts';
import { mayConcernOthers } from '../policy-checks/check-policy.ts';
import { type RuleWithDiagnostics, rulesByPhase } from '../policy-reader/read-policy.ts';
import { shiftDiagnostic, shiftReading } from '../policy-reader/shift-rule.ts';

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
export function outlineOf(body: MapNode, rules: readonly PlacedRule[]): MapNode {
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
