// The report of an impact as JSON, and the documentation of its members.

import { jsonDiagnostics } from '@tollgate/diagnostics';
import { figuresJson, type JsonMember } from '../text/json.ts';
import type { ImpactResult } from './impact-result.ts';

/** Version of the format. It increases when programs that read it may have to change. */
const VERSION = 1;

/** Returns all figures as JSON; `docs/reference/impact.md` describes them. */
export function jsonImpact({
  old,
  new: becomes,
  profile,
  endpoint,
  engine,
  report,
  summary,
  rules,
  limits,
  unread,
}: ImpactResult): string {
  const { transitions, ...figures } = summary;
  const label = (which: 0 | 1, position: number | undefined) =>
    position === undefined ? null : (rules[which][position]?.label ?? null);
  return figuresJson({
    version: VERSION,
    old,
    new: becomes,
    profile,
    endpoint,
    engine,
    diagnostics: jsonDiagnostics(report),
    ...figures,
    transitions: transitions.map(({ examples, ...one }) => ({
      ...one,
      ...(examples && {
        examples: examples.map(({ time, ...example }) => ({
          ...(time !== undefined && { time: new Date(time).toISOString() }),
          ...example,
        })),
      }),
      rules: one.rules.map(change => ({
        was: label(0, change.was),
        becomes: label(1, change.becomes),
        count: change.count,
      })),
    })),
    limits: limits.map(({ option, found, isExceeded }) => ({ option, found, isExceeded })),
    unread: unread?.length ? unread : undefined,
  });
}

/**
 * Every member of the JSON report of an impact. Later versions add members; `version` changes when the meaning of one changes. Bounds are
 * `{ least, most }`, equal if the figure is certain.
 */
export const IMPACT_MEMBERS: readonly JsonMember[] = [
  { path: 'version', doc: 'Version of this format: 1.' },
  { path: 'old', doc: 'Old policy, as named on the command line.' },
  { path: 'new', doc: 'New policy, as named on the command line.' },
  { path: 'profile', doc: 'Profile of the new policy.' },
  { path: 'endpoint', doc: 'Endpoint kind of the new policy.' },
  { path: 'engine', doc: 'What decided the traffic.' },
  {
    path: 'engine.name',
    doc: '`duckdb`, `js`, `postgres`, `clickhouse`, `trino`, `spark` or `athena`. With the last five, `first` is empty, and there are `examples`.',
  },
  { path: 'engine.reason', doc: 'Why it is not the requested one; absent if it is.' },
  { path: 'diagnostics[]', doc: 'Warnings about the new policy, as in `tollgate check --format json`.' },
  { path: 'scannedBytes', doc: 'With `athena`: the bytes that all queries have scanned; otherwise absent.' },
  { path: 'exchanges', doc: 'Number of exchanges read.' },
  { path: 'files[]', doc: 'Input files, as in a replay.' },
  { path: 'skipped[]', doc: 'Skipped records by reason, as in a replay.' },
  { path: 'was[]', doc: 'Outcomes under the old policy: `outcome` and `count` (bounds), as in a replay of it.' },
  { path: 'becomes[]', doc: 'Outcomes under the new policy.' },
  { path: 'unchanged[]', doc: 'Exchanges that are decided as before: `outcome` and `count` (bounds).' },
  {
    path: 'changed',
    doc: 'Exchanges that are decided differently: client, upstream, limits or the log get something else (bounds).',
  },
  {
    path: 'newlyDenied',
    doc: 'Exchanges that were not denied and are: the policy responds with 4xx or 5xx, by whatever action, or closes the connection (bounds).',
  },
  {
    path: 'touched',
    doc: 'With `--never-touch`: changed exchanges that it protects: `count` (bounds) and the `first` locations.',
  },
  {
    path: 'transitions[]',
    doc: 'Each pair of outcomes between which exchanges change, or whose contents do, most frequent first.',
  },
  { path: 'transitions[].was', doc: 'Outcome under the old policy: `kind`, `status`, `action`.' },
  { path: 'transitions[].becomes', doc: 'Outcome under the new policy.' },
  {
    path: 'transitions[].parts[]',
    doc: 'What differs if the outcome stays the same: `outcome`, `status`, `response-headers`, `response-body`, `url`, `request-headers`, `request-body`, `target`, `counters` or `log`.',
  },
  { path: 'transitions[].count', doc: 'Exchanges (bounds).' },
  { path: 'transitions[].first[]', doc: 'Locations of the first that certainly change.' },
  {
    path: 'transitions[].examples[]',
    doc: 'With `--table`: some that certainly change. Rows with the same values are one example.',
  },
  {
    path: 'transitions[].examples[].time',
    doc: 'Time of the request in ISO 8601; absent if unknown, as are the others.',
  },
  { path: 'transitions[].examples[].client', doc: 'Address of the client.' },
  { path: 'transitions[].examples[].method', doc: 'Method of the request.' },
  { path: 'transitions[].examples[].path', doc: 'Its path, without the query string.' },
  {
    path: 'transitions[].rules[]',
    doc: 'Of those that certainly change, the rules that decided, most frequent first.',
  },
  { path: 'transitions[].rules[].was', doc: 'Rule of the old policy, such as `inbound 2`; null if no rule decided.' },
  { path: 'transitions[].rules[].becomes', doc: 'Rule of the new policy, in the same form.' },
  { path: 'transitions[].rules[].count', doc: 'Number of exchanges.' },
  {
    path: 'transitions[].keys.*',
    doc: 'Of those that certainly change, `clients`, `paths`, `prefixes` and `countries`.',
  },
  { path: 'transitions[].keys.*.top[]', doc: 'The most frequent: `text` and `count` (bounds).' },
  { path: 'transitions[].keys.*.distinct', doc: 'Number of different ones; absent if too many to count.' },
  { path: 'transitions[].keys.*.unknown', doc: 'Exchanges for which it is unknown.' },
  {
    path: 'written',
    doc: 'With `--into`: the `table`, and the number of `rows` that were written to it.',
  },
  { path: 'limits[]', doc: 'Limits of the command line.' },
  { path: 'limits[].option', doc: 'Option with its value.' },
  { path: 'limits[].found', doc: 'Exchanges that count against it (bounds).' },
  { path: 'limits[].isExceeded', doc: 'Whether the upper bound exceeds it.' },
  {
    path: 'unread[]',
    doc: 'JSON Lines with members that are not read, if it is not certain what changes, as in a replay.',
  },
];
