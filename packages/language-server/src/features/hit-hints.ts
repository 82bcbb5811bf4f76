import type { Range } from '@tollgate/diagnostics';
import type { InlayHint } from 'vscode-languageserver-types';
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

/** Returns how often each rule in a part of a document matched in the last replay. Rules that were renamed since have no hint. */
export function hitHints(
  { policies, source }: Snapshot,
  part: Range,
  hits: ReplayHits | undefined,
): readonly InlayHint[] {
  if (!hits) return [];
  return policies.flatMap(({ policy }) =>
    Object.values(policy.rules).flatMap(rules =>
      rules.flatMap(({ phase, index, name, range }): readonly InlayHint[] => {
        if (range.end < part.start || range.start > part.end) return [];
        const found = hits.rules.find(one => one.phase === phase && one.index === index && one.name === name?.value);
        if (!found) return [];
        const at = name?.range.end ?? range.start;
        const position = source.positionAt(name ? source.lineRange(source.positionAt(at).line).end : at);
        return [{ position, label: labelOf(found, hits), paddingLeft: true, tooltip: 'in the last replay' }];
      }),
    ),
  );
}

function labelOf({ matched, undetermined }: RuleHits, { exchanges }: ReplayHits): string {
  const most = undetermined > 0 ? `–${format(matched + undetermined)}` : '';
  return `${format(matched)}${most} of ${format(exchanges)} matched`;
}

function format(count: number): string {
  return count.toLocaleString('en');
}

/** Reads the JSON report of `tollgate replay`; undefined if it is not one. */
export function readHits(report: string): ReplayHits | undefined {
  try {
    const { exchanges, rules } = JSON.parse(report) as ReplayHits;
    const hits = rules.map(({ phase, index, name, matched, undetermined }) => {
      return { phase, index, name, matched, undetermined };
    });
    return { exchanges, rules: hits };
  } catch {
    return undefined;
  }
}
