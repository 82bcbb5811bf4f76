import type { Exchange } from '@tollgate/traffic';
import { verdictOf } from '../decision/verdict.ts';
import { beginEdgeRun, type EdgeVerdict, type RoutePolicies } from '../edge/edge-simulation.ts';
import type { Edge } from '../edge/route.ts';
import { OccurrenceCounter } from './counting/counter.ts';
import { edgeDependsOnOrder } from './depends-on-order.ts';
import { orderOfFiles } from './order/file-order.ts';
import { faultOf, type ReplayOptions, readAll } from './replay.ts';
import type { EdgeReplaySummary } from './summary/summary.ts';
import { PolicyTally } from './tallies/policy-tally.ts';

/** An edge and the policies of its routes. */
export interface EdgeToReplay {
  readonly edge: Edge;
  readonly policies: RoutePolicies;
}

/**
 * Replays recorded traffic through an edge, each request on the route that matches it, and adds up what each route does. Otherwise like {@link
 * replay}.
 */
export async function replayEdge({ edge, policies }: EdgeToReplay, options: ReplayOptions): Promise<EdgeReplaySummary> {
  const order = edgeDependsOnOrder(edge, policies) ? await orderOfFiles(options.files, options.traffic) : undefined;
  const run = beginEdgeRun(edge, policies, options, faultOf(order));
  const tallies = new Map(
    edge.routes.map(route => [route, { tally: new PolicyTally(policies.get(route), options), exchanges: 0 }]),
  );
  const needs = new OccurrenceCounter();
  let [unrouted, open] = [0, 0];
  const count = (exchange: Exchange, verdict: EdgeVerdict) => {
    if (verdict.kind === 'routed') {
      const route = tallies.get(verdict.route)!;
      route.exchanges++;
      route.tally.add(exchange, verdict.verdict);
    } else if (verdict.kind === 'open') {
      open++;
      for (const need of verdict.needs) needs.add(need, exchange.place);
    } else unrouted++;
  };
  const decided = options.watch?.decided;
  const replayOne = (exchange: Exchange) => {
    if (decided === undefined) return count(exchange, run.judge(exchange));
    const decision = run.decide(exchange);
    count(exchange, decision.kind === 'routed' ? { ...decision, verdict: verdictOf(decision.decision) } : decision);
    decided(exchange, decision);
  };
  const traffic = await readAll({ ...options, order }, batch => batch.exchanges.forEach(replayOne));
  const routes = [...tallies].map(([route, { tally, exchanges }]) => {
    const { id, match, matchType } = route;
    return { route: { id, match, matchType }, exchanges, ...tally.summary(run.late(route)) };
  });
  return { ...traffic, routes, unrouted, open: { exchanges: open, needs: needs.list() } };
}
