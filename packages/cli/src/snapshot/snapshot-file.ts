import { printable } from '@tollgate/diagnostics';
import type { Rule } from '@tollgate/policy';
import type { Verdict } from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import { formatOutcome } from '../replay/result/outcome-text.ts';
import { ruleLabel } from '../replay/result/replay-result.ts';

/** The decision on one exchange, as a snapshot keeps it. */
export interface SnapshotEntry {
  /** Where the exchange is recorded, and its request: `access.log:12  GET /admin/`. */
  readonly request: string;
  /** Its outcome and the rules that matched: `denied with 403  inbound 2 (no scanners)`. */
  readonly decision: string;
}

/** Returns the entry of an exchange, without credentials. */
export function snapshotEntry(
  exchange: Exchange,
  verdict: Verdict,
  { rules, redact }: { readonly rules: readonly Rule[]; readonly redact: (exchange: Exchange) => Exchange },
): SnapshotEntry {
  const { place, method, target, url } = redact(exchange);
  const separator = place.unit === 'line' ? ':' : '#';
  const request = `${place.file}${separator}${place.number}  ${method ?? '?'} ${target ?? url ?? '?'}`;
  const matched = verdict.hits.flatMap(({ rule, result }) =>
    result.status === 'matched'
      ? ruleText(rules[rule]!)
      : result.status === 'failed'
        ? `${ruleText(rules[rule]!)} failed`
        : [],
  );
  const needs = verdict.outcomes.length > 1 ? [`needs ${verdict.needs.join(', ')}`] : [];
  const parts = [verdict.outcomes.map(formatOutcome).join(' or '), ...matched, ...needs];
  return { request: oneLine(request), decision: oneLine(parts.join('; ')) };
}

function ruleText(rule: Rule): string {
  return rule.name === undefined ? ruleLabel(rule) : `${ruleLabel(rule)} (${rule.name.value})`;
}

/** A tab separates the two columns of the file. */
function oneLine(text: string): string {
  return printable(text).replaceAll('\t', ' ');
}

const HEAD = '# Decisions on recorded traffic, written by `tollgate snapshot --update`.\n';

/** Returns the file of a snapshot: a line for each exchange. */
export function snapshotText(entries: readonly SnapshotEntry[]): string {
  return HEAD + entries.map(({ request, decision }) => `${request}\t${decision}\n`).join('');
}

/** Reads the file of a snapshot. Lines that are not entries are ignored. */
export function readSnapshot(text: string): readonly SnapshotEntry[] {
  return text.split('\n').flatMap(line => {
    const [request, decision] = line.replace(/\r$/, '').split('\t');
    return line.startsWith('#') || request === undefined || decision === undefined ? [] : { request, decision };
  });
}

/** How an entry differs: undefined where it is absent. */
export interface SnapshotChange {
  readonly request: string;
  readonly was: string | undefined;
  readonly now: string | undefined;
}

/** Compares two snapshots, in the order of the new one; entries that are gone come last. */
export function compareSnapshots(
  before: readonly SnapshotEntry[],
  after: readonly SnapshotEntry[],
): readonly SnapshotChange[] {
  const known = new Map(before.map(({ request, decision }) => [request, decision]));
  const present = new Set(after.map(({ request }) => request));
  const changed = after
    .map(({ request, decision }) => ({ request, was: known.get(request), now: decision }))
    .filter(({ was, now }) => was !== now);
  const gone = before.filter(({ request }) => !present.has(request));
  return [...changed, ...gone.map(({ request, decision }) => ({ request, was: decision, now: undefined }))];
}
