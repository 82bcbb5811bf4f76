import { createHash } from 'node:crypto';
import { printable } from '@tollgate/diagnostics';
import type { Rule } from '@tollgate/policy';
import { DECISION_PARTS, type Decision, type DecisionPart, type DecisionTexts, verdictOf } from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import { formatOutcome } from '../replay/result/outcome-text.ts';
import { ruleLabel } from '../replay/result/replay-result.ts';

/** The decision on one exchange, as a snapshot keeps it. */
export interface SnapshotEntry {
  /** Where the exchange is recorded, and its request: `access.log:12  GET /admin/`. */
  readonly request: string;
  /** Its outcome and the rules that matched, for people: `denied with 403; inbound 2 (no scanners)`. */
  readonly decision: string;
  /** A digest of each part of the decision, which say whether another one is the same: `outcome:4f53cda1 url:0b7e6c11`. */
  readonly parts: string;
}

/** What entries are made with. */
export interface SnapshotContext {
  readonly rules: readonly Rule[];
  readonly redact: (exchange: Exchange) => Exchange;
  readonly texts: DecisionTexts;
}

/** Returns the entry of an exchange, without credentials. */
export function snapshotEntry(
  exchange: Exchange,
  decided: Decision,
  { rules, redact, texts }: SnapshotContext,
): SnapshotEntry {
  const verdict = verdictOf(decided);
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
  const digests = [...texts.partsOf(decided, exchange)].map(([part, text]) => `${part}:${digestOf(text)}`);
  return { request: oneLine(request), decision: oneLine(parts.join('; ')), parts: digests.sort().join(' ') };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

function ruleText(rule: Rule): string {
  return rule.name === undefined ? ruleLabel(rule) : `${ruleLabel(rule)} (${rule.name.value})`;
}

/** A tab separates the columns of the file. */
function oneLine(text: string): string {
  return printable(text).replaceAll('\t', ' ');
}

const HEAD = '# Decisions on recorded traffic, written by `tollgate snapshot --update`.\n';

/** Returns the file of a snapshot: a line for each exchange. */
export function snapshotText(entries: readonly SnapshotEntry[]): string {
  return HEAD + entries.map(({ request, decision, parts }) => `${request}\t${decision}\t${parts}\n`).join('');
}

/** Reads the file of a snapshot. Lines that are not entries are ignored. */
export function readSnapshot(text: string): readonly SnapshotEntry[] {
  return text.split('\n').flatMap(line => {
    const [request, decision, parts = ''] = line.replace(/\r$/, '').split('\t');
    return line.startsWith('#') || request === undefined || decision === undefined ? [] : { request, decision, parts };
  });
}

/** How an entry differs: undefined where it is absent. */
export interface SnapshotChange {
  readonly request: string;
  readonly was: string | undefined;
  readonly now: string | undefined;
  /** The parts that differ, if the outcome is the same. */
  readonly parts: readonly string[];
}

/** Compares two snapshots, in the order of the new one; entries that are gone come last. Which rules matched does not matter. */
export function compareSnapshots(
  before: readonly SnapshotEntry[],
  after: readonly SnapshotEntry[],
): readonly SnapshotChange[] {
  const known = new Map(before.map(entry => [entry.request, entry]));
  const present = new Set(after.map(({ request }) => request));
  const changed = after.flatMap(({ request, decision, parts }): SnapshotChange[] => {
    const was = known.get(request);
    if (was?.parts === parts) return [];
    return [{ request, was: was?.decision, now: decision, parts: partsThatDiffer(was?.parts ?? '', parts) }];
  });
  const gone = before.filter(({ request }) => !present.has(request));
  return [...changed, ...gone.map(({ request, decision }) => ({ request, was: decision, now: undefined, parts: [] }))];
}

/** Returns nothing if the outcome or the status differs, which the texts show. */
function partsThatDiffer(was: string, now: string): readonly string[] {
  const [before, after] = [was, now].map(text => new Map(text.split(' ').map(one => splitDigest(one))));
  const names = (Object.keys(DECISION_PARTS) as DecisionPart[]).filter(name => before!.get(name) !== after!.get(name));
  return names.includes('outcome') || names.includes('status') ? [] : names.map(name => DECISION_PARTS[name]);
}

function splitDigest(text: string): readonly [name: string, digest: string] {
  const [name = '', digest = ''] = text.split(':');
  return [name, digest];
}
