// Outcomes, needs and locations of replays and impacts in words.

import { printable } from '@tollgate/diagnostics';
import {
  DECISION_PARTS,
  type Occurrence,
  type Outcome,
  type PolicySummary,
  type SkippedSummary,
  type Transition,
} from '@tollgate/simulator';
import { formatLocation, type RecordLocation, SKIP_REASONS } from '@tollgate/traffic';
import { formatBounds, formatCount } from '../text/figures.ts';

/** Returns an outcome: `denied with 403`, `refused by rate-limit with 429`. */
export function formatOutcome({ kind, status, action }: Outcome): string {
  const by = kind === 'refused' || kind === 'closed' ? ` by ${action}` : '';
  return `${kind}${by}${status === undefined ? '' : ` with ${status}`}`;
}

/** Returns true if two outcomes are equal. */
export function isSameOutcome(a: Outcome, b: Outcome): boolean {
  return a.kind === b.kind && a.status === b.status && a.action === b.action;
}

/** Returns how many exchanges had their URL rewritten; undefined if none had. */
export function rewrittenText({ rewritten }: PolicySummary): string | undefined {
  if (rewritten === undefined || rewritten.most === 0) return undefined;
  const noun = rewritten.most === 1 ? 'exchange' : 'exchanges';
  return `URL rewritten for ${formatBounds(rewritten)} ${noun}`;
}

/** Returns the hint to declare that all headers were recorded; undefined if that would decide nothing. */
export function completeHeadersText({ undetermined: { byCompleteHeaders: count } }: PolicySummary): string | undefined {
  if (count === undefined) return undefined;
  return `up to ${formatCount(count)} of these only lack headers; if the recording has all headers, set \`complete_headers: true\` in a \`--mapping\` file`;
}

/** Maximum number of inputs to name. */
const MAX_SHOWN = 5;

/** Returns the missing inputs: `req.Host (4), conn.ClientIP (1)`. */
export function formatNeeds(all: readonly Occurrence[]): string {
  const needs = all.slice(0, MAX_SHOWN).map(need => `${printable(need.text)} (${formatCount(need.count)})`);
  return `${needs.join(', ')}${all.length > MAX_SHOWN ? ', …' : ''}`;
}

/** Returns record locations: `a.log:3, :7, b.log:1`. */
export function formatLocations(places: readonly RecordLocation[]): string {
  const texts = places.map((place, index) => {
    const text = formatLocation(place);
    return place.file === places[index - 1]?.file ? text.slice(place.file.length) : text;
  });
  return printable(texts.join(', '));
}

/** Returns the new outcome, with what differs if the old one was the same. */
export function becomesText({ becomes, parts }: Pick<Transition, 'becomes' | 'parts'>): string {
  if (parts.length === 0) return formatOutcome(becomes);
  const nouns = parts.map(part => DECISION_PARTS[part]);
  const list = nouns.length === 1 ? nouns[0] : `${nouns.slice(0, -1).join(', ')} and ${nouns.at(-1)}`;
  return `${formatOutcome(becomes)}, other ${list}`;
}

/** Returns `skipped 3: no known field (a.log:1, :2, …)`. Rows of a table have no locations. */
export function skippedText({ reason, count, first }: SkippedSummary): string {
  const more = count > first.length ? ', …' : '';
  const places = first.length === 0 ? '' : ` (${formatLocations(first.map(({ place }) => place))}${more})`;
  return `skipped ${formatCount(count)}: ${SKIP_REASONS[reason]}${places}`;
}
