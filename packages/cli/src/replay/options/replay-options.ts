import type { Target } from '@tollgate/core/targeting';
import type { ReplayOptions } from '@tollgate/simulator';
import type { PolicySettings } from '../../policies/load-policy.ts';
import type { TrafficInputs } from '../../traffic/traffic-inputs.ts';
import type { ReportArguments } from './report-options.ts';
import type { ThreadOptions } from './thread-options.ts';

/** The arguments and options of `tollgate replay`. */
export interface ReplayArguments extends TrafficInputs, PolicySettings, ReportArguments, ThreadOptions {
  readonly policy: string;
  readonly origin?: string;
  /** In place of each exchange's own time; in ms since 1970-01-01T00:00:00Z. */
  readonly now?: number;
  /** For what the policy leaves to chance. */
  readonly seed?: number;
  /** MaxMind DB files. */
  readonly geoip?: readonly string[];
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
