import { type ReplayOptions, type ReplaySummary, replay } from '@tollgate/simulator';
import type { ExitCode } from '../exit-code.ts';
import { loadPolicy, type PolicySettings } from '../input/load-policy.ts';
import type { Target } from '../settings/targeting.ts';
import type { Terminal } from '../terminal.ts';
import { ruleNames } from './decision-lines.ts';
import { ReplayReporting } from './replay-reporting.ts';
import type { ReportArguments } from './report-options.ts';
import type { TrafficInputs } from './traffic-inputs.ts';

/** The arguments and options of `tollgate replay`. */
export interface ReplayArguments extends TrafficInputs, PolicySettings, ReportArguments {
  readonly policy: string;
  readonly origin?: string;
  /** In place of each exchange's own time; in ms since 1970-01-01T00:00:00Z. */
  readonly now?: number;
  /** For what the policy leaves to chance. */
  readonly seed?: number;
  /** MaxMind DB files. */
  readonly geoip?: readonly string[];
}

/** Replays traffic and reports on it. A policy with errors is reported as `tollgate check` does, and not run. */
export async function replayTraffic(args: ReplayArguments, terminal: Terminal): Promise<ExitCode> {
  const reporting = new ReplayReporting(args, terminal);
  const loaded = await loadPolicy(args.policy, args, terminal);
  if ('refused' in loaded) return reporting.refuse(loaded.refused);
  const { policy, environments, target, report } = loaded;
  const names = ruleNames(policy, target.profile);
  const options = replayOptions(args, { profile: target.profile, environments });
  const running = { options, namesOf: () => names };
  const { summary, traffic } = partsOf(await reporting.during(running, given => replay(policy, given)));
  return reporting.finish({
    kind: 'policy',
    name: args.policy,
    profile: target.profile.name,
    endpoint: target.endpoint,
    origin: args.origin,
    report,
    traffic,
    parts: [{ exchanges: traffic.exchanges, summary }],
  });
}

function partsOf({ exchanges, files, skipped, ...summary }: ReplaySummary) {
  return { traffic: { exchanges, files, skipped }, summary };
}

/** What the arguments say of how to replay. */
export function replayOptions(
  { files, traffic, origin, now, seed, geoip }: Omit<ReplayArguments, 'policy'>,
  { profile, environments }: Pick<Target, 'profile' | 'environments'>,
): ReplayOptions {
  return {
    ...{ profile, environments, files, traffic },
    ...(now !== undefined && { now }),
    ...(seed !== undefined && { seed }),
    ...(geoip && { geoip }),
    assumptions: origin === undefined ? {} : { origin },
  };
}
