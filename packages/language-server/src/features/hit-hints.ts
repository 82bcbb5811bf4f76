import type { Range, SourceText } from '@tollgate/diagnostics';
import type { Rule } from '@tollgate/policy';
import type { InlayHint } from 'vscode-languageserver-types';
import { uriOfPolicy } from '../protocol/policy-uris.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** What a replay of a policy counted. */
export interface ReplayHits {
  readonly exchanges: number;
  readonly rules: readonly RuleHits[];
}

interface RuleHits {
  readonly phase: string;
  /** From 0, in the phase. */
  readonly index: number;
  readonly name: string | undefined;
  readonly matched: number;
  readonly undetermined: number;
}

/** Returns how often each rule in a part of a document matched in the last replay of its policy. Rules that were renamed since have no hint. */
export function hitHints(
  { policies, source, uri }: Snapshot,
  part: Range,
  replays: ReadonlyMap<string, ReplayHits>,
): readonly InlayHint[] {
  return policies.flatMap(({ policy, address }) => {
    const hits = replays.get(uriOfPolicy(uri, address));
    if (!hits) return [];
    const rules = Object.values(policy.rules).flat();
    const shown = rules.filter(({ range }) => range.end >= part.start && range.start <= part.end);
    return shown.flatMap(rule => hintOf(rule, hits, source));
  });
}

function hintOf({ phase, index, name, range }: Rule, hits: ReplayHits, source: SourceText): readonly InlayHint[] {
  const found = hits.rules.find(one => one.phase === phase && one.index === index && one.name === name?.value);
  if (!found) return [];
  const at = name?.range.end ?? range.start;
  const position = source.positionAt(name ? source.lineRange(source.positionAt(at).line).end : at);
  return [{ position, label: labelOf(found, hits), paddingLeft: true, tooltip: 'in the last replay' }];
}

function labelOf({ matched, undetermined }: RuleHits, { exchanges }: ReplayHits): string {
  const most = undetermined > 0 ? `–${format(matched + undetermined)}` : '';
  return `${format(matched)}${most} of ${format(exchanges)} matched`;
}

function format(count: number): string {
  return count.toLocaleString('en');
}

/** Reads the report of `tollgate replay --format json`; undefined if it is not one. */
export function readHits(report: unknown): ReplayHits | undefined {
  const { exchanges, rules } = (report ?? {}) as Partial<ReplayHits>;
  if (typeof exchanges !== 'number' || !Array.isArray(rules)) return undefined;
  const hits = (rules as readonly RuleHits[]).map(({ phase, index, name, matched, undetermined }) => {
    return { phase, index, name, matched, undetermined };
  });
  return { exchanges, rules: hits };
}
