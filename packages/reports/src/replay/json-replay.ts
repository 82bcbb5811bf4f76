// The report of a replay as JSON, and the documentation of its members.

import { jsonDiagnostics } from '@tollgate/diagnostics';
import { figuresJson, type JsonMember } from '../text/json.ts';
import type { ReplayResult } from './replay-result.ts';

/** Version of the format. It increases when programs that read it may have to change. */
const VERSION = 1;

/** Returns all figures as JSON; `docs/reference/replay.md` describes them. */
export function jsonReplay(answer: ReplayResult): string {
  return figuresJson(replayDocument(answer));
}

/** Returns all figures. */
export function replayDocument(answer: ReplayResult): object {
  const { kind, name, profile, endpoint, origin, engine, report, traffic, selection, parts, unrouted, unread } = answer;
  const routes = parts.map(({ route, exchanges, summary }) => ({ route, exchanges, ...summary }));
  return {
    version: VERSION,
    [kind]: name,
    profile,
    endpoint,
    origin,
    engine,
    diagnostics: jsonDiagnostics(report),
    ...traffic,
    selection,
    unread: unread?.length ? unread : undefined,
    ...(kind === 'edge' ? { routes, ...unrouted } : parts[0]?.summary),
  };
}

/**
 * Every member of the JSON report of a replay. Later versions add members; `version` changes when the meaning of one changes. Bounds are
 * `{ least, most }`, equal if the figure is certain.
 */
export const REPLAY_MEMBERS: readonly JsonMember[] = [
  { path: 'version', doc: 'Version of this format: 1.' },
  { path: 'policy', doc: 'Policy, as named on the command line.' },
  { path: 'edge', doc: 'With `--edge`, instead of `policy`: the edge, as named on the command line.' },
  { path: 'profile', doc: 'Profile of the policy.' },
  { path: 'endpoint', doc: 'Endpoint kind of the policy; absent for an edge.' },
  { path: 'origin', doc: 'Value of `--origin`.' },
  {
    path: 'engine',
    doc: '`name` of what replayed the traffic: `duckdb`, `js`, `postgres`, `clickhouse`, `trino`, `spark` or `athena`; and the `reason` if it is not the requested one. With the last five, locations have the `unit` `table` and the `number` 0, because rows of a table have no numbers.',
  },
  { path: 'diagnostics[]', doc: 'Warnings about the policy, as in `tollgate check --format json`.' },
  { path: 'exchanges', doc: 'Number of exchanges read.' },
  {
    path: 'scannedBytes',
    doc: 'With `athena`: the bytes that all queries have scanned, which AWS charges for; otherwise absent.',
  },
  {
    path: 'days',
    doc: 'With `--state`: the days in UTC whose counts were `kept` from earlier runs, and those that were `counted`; otherwise absent.',
  },
  { path: 'isPartial', doc: 'True if the replay was interrupted before the end of the traffic; otherwise absent.' },
  {
    path: 'selection',
    doc: 'With `--where`, `--sample`, `--since` or `--until`: the number of exchanges `selected`, which all figures are about, and of those for which it is `unknown`.',
  },
  {
    path: 'unread[]',
    doc: 'JSON Lines with members that are not read, if something is undetermined: `file`, `members`, and `fields` with the paths by the fields that they seem to hold.',
  },
  { path: 'files[]', doc: 'Input files, in the order read.' },
  { path: 'files[].file', doc: 'Path, as named on the command line.' },
  { path: 'files[].exchanges', doc: 'Number of exchanges read from it.' },
  { path: 'files[].skipped', doc: 'Number of records that are not exchanges.' },
  { path: 'files[].failure', doc: 'Why reading it failed: `code` and `message`.' },
  { path: 'skipped[]', doc: 'Skipped records, by reason.' },
  { path: 'skipped[].reason', doc: 'A code in the area `traffic`.' },
  { path: 'skipped[].count', doc: 'Number of records.' },
  {
    path: 'skipped[].first[]',
    doc: 'The first few: `place`, `reason`, `excerpt` with the start of the record, and `detail` with the violated part of the format, if known.',
  },
  {
    path: 'rules[]',
    doc: 'Rules in policy order. The next five figures add up to the number of exchanges.',
  },
  { path: 'rules[].phase', doc: 'Phase of the rule.' },
  { path: 'rules[].index', doc: 'Zero-based index in its phase.' },
  { path: 'rules[].name', doc: 'Name, if it has one.' },
  { path: 'rules[].matched', doc: 'Certain matches.' },
  { path: 'rules[].notMatched', doc: 'Exchanges that certainly did not match.' },
  { path: 'rules[].failed', doc: 'Exchanges on which an expression failed, which is not a match.' },
  { path: 'rules[].notReached', doc: 'Exchanges on which an earlier action ended evaluation.' },
  { path: 'rules[].undetermined', doc: 'Exchanges for which the recording lacks a needed field.' },
  { path: 'rules[].actions[]', doc: 'Actions, in order.' },
  { path: 'rules[].actions[].type', doc: 'Type of the action.' },
  { path: 'rules[].actions[].fired', doc: 'How often it took effect: bounds.' },
  {
    path: 'rules[].errors[]',
    doc: 'Evaluation errors: `text`, `count`, and `example`, the location of the first.',
  },
  { path: 'rules[].needs[]', doc: 'Inputs that would decide undetermined exchanges, in the same form.' },
  { path: 'outcomes[]', doc: 'Outcomes of exchanges.' },
  {
    path: 'outcomes[].outcome',
    doc: '`kind`, as in policy tests; `status` if the edge answers; and `action` if one caused it.',
  },
  { path: 'outcomes[].count', doc: 'Number of exchanges: bounds.' },
  {
    path: 'undetermined',
    doc: '`exchanges` with an uncertain outcome; `needs[]` that would decide it; and `byCompleteHeaders`, how many of them need only headers, which the recording may contain in full.',
  },
  { path: 'rewritten', doc: 'Exchanges whose URL an action rewrote: bounds; absent if no rule rewrites URLs.' },
  {
    path: 'late',
    doc: 'Exchanges on standard input that arrived out of order; absent if there are none.',
  },
  { path: 'breakdown', doc: 'Figures over time, by status, and by key.' },
  { path: 'breakdown.time', doc: 'Figures by time interval.' },
  { path: 'breakdown.time.width', doc: 'Length of an interval in ms.' },
  {
    path: 'breakdown.time.starts',
    doc: 'Start of each interval, in ms since 1970. All lists over time use these intervals.',
  },
  { path: 'breakdown.time.exchanges', doc: 'Exchanges in each interval.' },
  { path: 'breakdown.time.outcomes[]', doc: 'Certain outcomes: `outcome` as above, and `counts` for each interval.' },
  { path: 'breakdown.time.undetermined', doc: 'Exchanges with an uncertain outcome in each interval.' },
  { path: 'breakdown.time.untimed', doc: 'Exchanges without a known time.' },
  {
    path: 'breakdown.statuses[]',
    doc: '`recorded`: a status or `unknown`; `after`, what the client now receives: a status, `closed`, `undetermined` or `unknown`; and their `count`.',
  },
  {
    path: 'breakdown.outcomes[]',
    doc: 'Clients, paths and countries of each certain outcome other than passing: `outcome` as above, and `keys` as of rules; absent with `--top 0`.',
  },
  { path: 'breakdown.rules[]', doc: 'Rules, in the order of `rules[]`.' },
  { path: 'breakdown.rules[].matched', doc: 'Certain matches in each interval.' },
  { path: 'breakdown.rules[].keys', doc: 'Keys of its certain matches; absent with `--top 0`.' },
  { path: 'breakdown.rules[].keys.clients', doc: 'Client addresses.' },
  { path: 'breakdown.rules[].keys.paths', doc: 'Paths as sent, without the query; long ones are truncated.' },
  { path: 'breakdown.rules[].keys.countries', doc: 'Country codes or names.' },
  {
    path: 'breakdown.rules[].keys.*.top[]',
    doc: 'The most frequent, as many as `--top`: `text`, and `count` as bounds.',
  },
  {
    path: 'breakdown.rules[].keys.*.distinct',
    doc: 'Number of distinct keys; absent if there were too many to count, in which case counts are bounds.',
  },
  { path: 'breakdown.rules[].keys.*.unknown', doc: 'Matches without a known key.' },
  {
    path: 'routes[]',
    doc: 'With `--edge`: its routes in order, each with `rules`, `outcomes` and the other figures of a policy above.',
  },
  { path: 'routes[].route', doc: '`id` as returned by the API, `match` and `matchType`.' },
  { path: 'routes[].exchanges', doc: 'Exchanges that it certainly matched.' },
  { path: 'unrouted', doc: 'With `--edge`: exchanges that no route matches.' },
  { path: 'open', doc: 'With `--edge`: `exchanges` whose route is unknown, and the `needs[]` that would decide it.' },
];

/** Every member of a decision in `--format ndjson`. The last line has the `kind` `summary` and the members of the JSON report. */
export const DECISION_MEMBERS: readonly JsonMember[] = [
  { path: 'kind', doc: '`decision`.' },
  { path: 'place', doc: 'Location of the record: `file`, `number`, and `unit` (`line` or `entry`).' },
  { path: 'time', doc: 'Time in ms since 1970; absent if unknown, as are the next four.' },
  { path: 'client', doc: 'Address of the client.' },
  { path: 'method', doc: 'Request method.' },
  { path: 'path', doc: 'Path as sent, without query; long ones are cut.' },
  { path: 'target', doc: 'Request target as sent: path and query, or the full URL.' },
  {
    path: 'route',
    doc: 'With `--edge`: `id`, `match` and `matchType`; null if no route matches, absent if unknown.',
  },
  { path: 'outcomes[]', doc: 'Possible outcomes: one, unless undetermined.' },
  { path: 'outcomes[].kind', doc: 'As in policy tests.' },
  { path: 'outcomes[].status', doc: 'Status, if the edge answers.' },
  { path: 'outcomes[].action', doc: 'Action that caused it.' },
  { path: 'needs[]', doc: 'Inputs that would decide the outcome or the route, if uncertain.' },
  { path: 'rules[]', doc: 'All other rules did not match or were not reached.' },
  { path: 'rules[].rule', doc: 'Phase and one-based number, such as `inbound 2`.' },
  { path: 'rules[].status', doc: '`matched`, `failed` or `undetermined`.' },
  { path: 'rules[].error', doc: 'Evaluation error.' },
  { path: 'rules[].needs[]', doc: 'Inputs that would decide whether it matched or was reached.' },
  { path: 'actions[]', doc: 'Actions that ran, or may have, in order.' },
  { path: 'actions[].rule', doc: 'As above.' },
  { path: 'actions[].type', doc: 'Type of the action.' },
  { path: 'actions[].result', doc: '`fired`, `may-have-fired`, or `idle` if it had no effect.' },
];
