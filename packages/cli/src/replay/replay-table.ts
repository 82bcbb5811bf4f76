import { ExternalError } from '@tollgate/diagnostics';
import type { Policy } from '@tollgate/policy';
import type { EngineResult, TableEngine, TableTraffic } from '@tollgate/query';
import type { ComparedPolicy, ImpactOptions, ImpactSummary, ReplayOptions, ReplaySummary } from '@tollgate/simulator';
import { stoppable } from '../process/stoppable.ts';
import type { TrafficInputs } from '../traffic/traffic-inputs.ts';
import type { EngineOptions } from './options/engine-options.ts';

/** Ctrl-C stopped an engine, which knows nothing before its end. */
export class StoppedReplay extends Error {}

/** Returns nothing for {@link StoppedReplay}, and throws any other error. */
export function stoppedOr(error: unknown): undefined {
  if (!(error instanceof StoppedReplay)) throw error;
}

/** What is printed about it. */
export const STOPPED = 'interrupted; the query on the engine was canceled, and nothing is reported';

/** A table on an engine. */
interface TableArguments
  extends Omit<EngineOptions, 'engine'>,
    Pick<TrafficInputs, 'traffic' | 'expressions' | 'ready'> {
  readonly engine: TableEngine;
}

/** Replays the traffic in a table. Throws an `ExternalError` if it cannot be read, and {@link StoppedReplay} if Ctrl-C stops it. */
export async function replayTable(policy: Policy, given: ReplayOptions, args: TableArguments): Promise<ReplaySummary> {
  const { replayOnTable } = await import('@tollgate/query');
  return summaryOf(stop => replayOnTable(policy, { ...given, watch: { ...given.watch, stop } }, placeOf(args)));
}

/** Decides the traffic in a table with two policies. Throws as {@link replayTable} does. */
export async function impactOnTableOf(
  [was, becomes]: readonly [ComparedPolicy, ComparedPolicy],
  given: Omit<ImpactOptions, 'files' | 'traffic'>,
  args: TableArguments,
): Promise<ImpactSummary> {
  const { impactOnTable } = await import('@tollgate/query');
  return summaryOf(stop => impactOnTable(was, becomes, { ...given, watch: { ...given.watch, stop } }, placeOf(args)));
}

function placeOf({ engine, table, connect, traffic, expressions, ready }: TableArguments): TableTraffic {
  return { engine, url: connect, table: table!, mapping: traffic.mapping ?? {}, expressions, ready };
}

async function summaryOf<Summary>(run: (stop: AbortSignal) => Promise<EngineResult<Summary>>): Promise<Summary> {
  const found = await stoppable(run);
  if (found.kind === 'replayed') return found.summary;
  if (found.kind === 'stopped') throw new StoppedReplay();
  throw new ExternalError(
    'engine/unsuited',
    `cannot replay on a table: ${found.reason}; replay exported records instead`,
  );
}
