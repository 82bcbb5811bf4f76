// `tollgate replay`: decides recorded traffic with a policy.

import { simulationOptions } from '@tollgate/core/documents';
import type { Target } from '@tollgate/core/targeting';
import type { Policy } from '@tollgate/policy';
import { isTableEngine, type ReplayResult, ruleNames } from '@tollgate/reports';
import {
  type ReplayOptions,
  type ReplaySummary,
  readDecisionCondition,
  replay,
  type TrafficSelection,
} from '@tollgate/simulator';
import { FILE_READER } from '@tollgate/traffic-node';
import type { TrafficInputs } from '../input/traffic-inputs.ts';
import { unreadFiles } from '../input/unread-files.ts';
import { outputsOf } from '../output/deliver-report.ts';
import { type LoadedPolicy, loadPolicy, type PolicySettings } from '../policies/load-policy.ts';
import { EXIT, type ExitCode, stoppable, UsageError } from '../process/exit-code.ts';
import { printMessage, type Terminal } from '../process/terminal.ts';
import { chooseEngine, replayTable, replayTableByDay, STOPPED, stoppedOr } from './choose-engine.ts';
import {
  type EngineOptions,
  type FollowOptions,
  REPLAY_FORMATS,
  type ReportArguments,
  type SelectionOptions,
  threadsRemark,
} from './replay-options.ts';
import { isStoppable, ReplayReporting } from './replay-reporting.ts';

/** The arguments and options of `tollgate replay`. */
export interface ReplayArguments
  extends TrafficInputs,
    PolicySettings,
    ReportArguments,
    EngineOptions,
    FollowOptions,
    SelectionOptions {
  readonly policy: string;
  /** The file with the counts of days. */
  readonly state?: string;
  readonly origin?: string;
  /** Replaces the time of each exchange; in ms since 1970-01-01T00:00:00Z. */
  readonly now?: number;
  /** Seed for random functions. */
  readonly seed?: number;
  /** Paths of MaxMind databases. */
  readonly geoip?: readonly string[];
}

/** Returns the options of the simulator. */
export function replayOptions(
  { files, traffic, origin, now, seed, geoip }: Omit<ReplayArguments, 'policy' | 'expressions'>,
  { profile, environments }: Pick<Target, 'profile' | 'environments'>,
): ReplayOptions {
  return {
    profile,
    environments,
    files,
    reader: FILE_READER,
    traffic,
    ...simulationOptions({ now, seed, origin }),
    ...(geoip && { geoip }),
  };
}

/** Replays traffic and reports the result. A policy with errors is reported as `tollgate check` does, and not run. */
export async function replayTraffic(args: ReplayArguments, terminal: Terminal): Promise<ExitCode> {
  const following = args.follow ? await openFollowing(args, terminal) : undefined;
  const reporting = new ReplayReporting({ ...args, ...(following && FOLLOWED) }, terminal);
  const loaded = await loadPolicy(args.policy, args, terminal);
  if ('refused' in loaded) return reporting.refuse(loaded.refused);
  const { policy, environments, target, report } = loaded;
  const names = ruleNames(policy, target.profile);
  const given = replayOptions(args, { profile: target.profile, environments });
  const select = selectionOf(args, loaded, given);
  const options = { ...given, ...(select && { select }) };
  const running = { options, namesOf: () => names };
  let engine: ReplayResult['engine'] = { name: 'js' };
  const run = async (given: ReplayOptions) => {
    if (following !== undefined) return following.replay(policy, given);
    if (args.engine !== undefined && isTableEngine(args.engine)) {
      engine = { name: args.engine };
      const place = { ...args, engine: args.engine, terminal };
      return state === undefined ? replayTable(policy, given, place) : replayTableByDay(policy, given, place, state);
    }
    const wanted = args.engine ?? (await chooseEngine(given.files, given.traffic ?? {}, given.select));
    const found = wanted === 'duckdb' ? await replayWithDuckdb(policy, given, args) : undefined;
    if (found?.kind === 'replayed') {
      engine = { name: 'duckdb' };
      return found.summary;
    }
    if (found?.kind === 'stopped') {
      engine = { name: 'js', reason: 'it was interrupted' };
      // DuckDB knows nothing before its end, so the report is about the beginning.
      return replay(policy, { ...given, watch: { ...given.watch, stop: AbortSignal.timeout(PARTIAL_MS) } });
    }
    if (found !== undefined) {
      engine = { name: 'js', reason: found.reason };
      if (args.engine !== undefined) printMessage(terminal, `replaying without DuckDB: ${found.reason}`);
    }
    const remark = threadsRemark(args);
    if (remark !== undefined) printMessage(terminal, remark);
    // A file of decisions is only kept whole, so the signal ends the process.
    if (!isStoppable(args)) return replay(policy, given);
    return stoppable(stop => replay(policy, { ...given, watch: { ...given.watch, stop } }));
  };
  const state =
    args.state === undefined
      ? undefined
      : await (await import('./state-file.ts')).openState(args.state, loaded, { args, options, terminal });
  // What was counted before an interruption is not counted again.
  const found = await reporting
    .during(running, run)
    .catch(stoppedOr)
    .finally(() => state?.save());
  if (found === undefined) {
    printMessage(terminal, STOPPED);
    return EXIT.interrupted;
  }
  const { summary, traffic, selection } = partsOf(found);
  const needs = summary.rules.flatMap(rule => rule.needs.map(({ text }) => text));
  const unread = await unreadFiles(options.files, args.traffic, traffic.exchanges === 0 ? undefined : needs);
  following?.finish();
  const exit = await reporting.finish({
    kind: 'policy',
    name: args.policy,
    profile: target.profile.name,
    endpoint: target.endpoint,
    origin: args.origin,
    engine,
    unread,
    report,
    traffic,
    ...(selection && { selection }),
    parts: [{ exchanges: selection?.selected ?? traffic.exchanges, summary }],
  });
  return following?.hasStopped && exit === EXIT.clean ? EXIT.findings : exit;
}

/** A recording that is followed may be empty yet, and its totals are said instead of the progress. */
const FOLLOWED = { allowEmpty: true, progress: false };

async function openFollowing(args: ReplayArguments, terminal: Terminal) {
  if (args.sample !== undefined && 'count' in args.sample)
    throw new UsageError(
      'a number of exchanges is only drawn at the end; with `--follow`, sample a share such as `1%`',
    );
  const { Following } = await import('./follow.ts');
  const isText = outputsOf(args, REPLAY_FORMATS).every(({ format, file }) => file !== undefined || format === 'text');
  return new Following(args, { figures: 'decisions', isText }, terminal);
}

/** How long the beginning of the traffic is replayed after DuckDB was interrupted. */
const PARTIAL_MS = 1000;

async function replayWithDuckdb(policy: Policy, given: ReplayOptions, { threads }: ReplayArguments) {
  const { replayOnDuckdb } = await import('@tollgate/query');
  return stoppable(stop => replayOnDuckdb(policy, { ...given, watch: { ...given.watch, stop } }, { threads }));
}

function partsOf({ exchanges, files, skipped, isPartial, scannedBytes, days, selection, ...summary }: ReplaySummary) {
  const scanned = scannedBytes !== undefined && { scannedBytes };
  const traffic = { exchanges, files, skipped, ...(isPartial && { isPartial }), ...scanned, ...(days && { days }) };
  return { traffic, selection, summary };
}

/** Returns which exchanges to report; undefined for all. Throws a {@link UsageError} if `--where` has errors. */
function selectionOf(
  { where, sample, since, until, seed = 0 }: SelectionOptions & { readonly seed?: number },
  { policy, target: { profile }, environments }: LoadedPolicy,
  { assumptions, now }: Pick<ReplayOptions, 'assumptions' | 'now'>,
): TrafficSelection | undefined {
  if (where === undefined && sample === undefined && since === undefined && until === undefined) return undefined;
  const parts = {
    ...(sample && { sample: { ...sample, seed } }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  };
  if (where === undefined) return parts;
  const read = readDecisionCondition(where, policy, {
    profile,
    environments,
    ...(assumptions && { assumptions }),
    ...(now !== undefined && { now }),
  });
  if ('diagnostics' in read) throw new UsageError(`--where \`${where}\`: ${read.diagnostics[0]?.message}`);
  return { ...parts, where: read };
}
