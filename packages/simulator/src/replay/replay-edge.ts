import type { Exchange } from '@tollgate/traffic';
import { verdictOf } from '../decide/verdict.ts';
import { beginEdgeRun, type RoutePolicies } from '../edge/edge-simulation.ts';
import type { Edge } from '../edge/route.ts';
import { OccurrenceCounter } from './counter.ts';
import { PolicyTally } from './policy-tally.ts';
import { type ReplayOptions, readAll } from './replay.ts';
import type { EdgeReplaySummary } from './summary.ts';

/** What is replayed on an edge: the edge, and the policies of its routes. */
export interface EdgeToReplay {
  readonly edge: Edge;
  readonly policies: RoutePolicies;
}

/** Runs recorded traffic through an edge, each request on the route that takes it, and adds up what each route does. As {@link replay}. */
export async function replayEdge({ edge, policies }: EdgeToReplay, options: ReplayOptions): Promise<EdgeReplaySummary> {
  const run = beginEdgeRun(edge, policies, options);
  const tallies = new Map(
    edge.routes.map(route => [route, { tally: new PolicyTally(policies.get(route), options), exchanges: 0 }]),
  );
  const needs = new OccurrenceCounter();
  let [unrouted, open] = [0, 0];
  const decide = (exchange: Exchange) => {
    const decided = run.decide(exchange);
    if (decided.kind === 'routed') {
      const route = tallies.get(decided.route)!;
      route.exchanges++;
      route.tally.add(exchange, verdictOf(decided.decision));
    } else if (decided.kind === 'open') {
      open++;
      for (const need of decided.needs) needs.add(need, exchange.place);
    } else unrouted++;
    options.watch?.decided?.(exchange, decided);
  };
  const traffic = await readAll(options, batch => batch.exchanges.forEach(decide));
  const routes = [...tallies].map(([route, { tally, exchanges }]) => {
    const { id, match, matchType } = route;
    return { route: { id, match, matchType }, exchanges, ...tally.summary(run.late(route)) };
  });
  return { ...traffic, routes, unrouted, open: { exchanges: open, needs: needs.list() } };
}
