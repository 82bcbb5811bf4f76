import { simulationOptions } from '@tollgate/core/documents';
import type { Target } from '@tollgate/core/targeting';
import type { ReplayOptions } from '@tollgate/simulator';
import type { PolicySettings } from '../../policies/load-policy.ts';
import type { TrafficInputs } from '../../traffic/traffic-inputs.ts';
import type { EngineOptions } from './engine-options.ts';
import type { ReportArguments } from './report-options.ts';
import type { SelectionOptions } from './selection-options.ts';

/** The arguments and options of `tollgate replay`. */
export interface ReplayArguments
  extends TrafficInputs,
    PolicySettings,
    ReportArguments,
    EngineOptions,
    SelectionOptions {
  readonly policy: string;
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
    ...{ profile, environments, files, traffic },
    ...simulationOptions({ now, seed, origin }),
    ...(geoip && { geoip }),
  };
}
