import { ExternalError } from '@tollgate/diagnostics';
import type { Policy } from '@tollgate/policy';
import type { TableEngine } from '@tollgate/query';
import type { ReplayOptions, ReplaySummary } from '@tollgate/simulator';
import { stoppable } from '../process/stoppable.ts';
import type { ReplayArguments } from './options/replay-options.ts';

/** Ctrl-C stopped a replay of which nothing is known. */
export class StoppedReplay extends Error {}

/** A replay on an engine that holds the traffic in a table. */
interface TableArguments extends ReplayArguments {
  readonly engine: TableEngine;
}

/** Replays the traffic in a table. Throws an `ExternalError` if it cannot be read, and {@link StoppedReplay} if Ctrl-C stops it. */
export async function replayTable(
  policy: Policy,
  given: ReplayOptions,
  { engine, table, connect, traffic, expressions, ready }: TableArguments,
): Promise<ReplaySummary> {
  const { replayOnTable } = await import('@tollgate/query');
  const place = { engine, url: connect, table: table!, mapping: traffic.mapping ?? {}, expressions, ready };
  const found = await stoppable(stop => replayOnTable(policy, { ...given, watch: { ...given.watch, stop } }, place));
  if (found.kind === 'replayed') return found.summary;
  if (found.kind === 'stopped') throw new StoppedReplay();
  throw new ExternalError(
    'engine/unsuited',
    `cannot replay on a table: ${found.reason}; replay exported records instead`,
  );
}
