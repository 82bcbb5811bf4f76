/** Runs all policies of an edge: each exchange goes to its route, through the modules of the route, and through its policy. */
import { type Phase, phasesAt } from '@tollgate/catalog';
import { Unknown } from '@tollgate/cel';
import type { Policy } from '@tollgate/policy';
import type { Exchange } from '@tollgate/traffic';
import { SIDES } from '../actions/effect.ts';
import { dialectOf } from '../exchange-state/dialect.ts';
import { recordedState } from '../exchange-state/recorded-state.ts';
import { decodedPath, splitUrl } from '../exchange-state/url.ts';
import type { Decision, Verdict } from '../simulation/decision.ts';
import {
  createSimulation,
  type ModuleActions,
  type Simulation,
  type SimulationOptions,
} from '../simulation/simulation.ts';
import type { DecisionTrace } from '../simulation/tracing.ts';
import { mapKnown } from '../variables/variable-readers.ts';
import { prepareModules } from './route-modules.ts';
import { createRouter, type Edge, type Route, type RouteRequest, type Router, type RouteVerdict } from './routes.ts';

/** Policies by route. A route without a policy passes everything that its modules pass. */
export type RoutePolicies = ReadonlyMap<Route, Policy>;

/** What an edge does to one exchange. */
export type EdgeDecision = { readonly kind: 'routed'; readonly route: Route; readonly decision: Decision } | NotRouted;

/** The countable part of an {@link EdgeDecision}. */
export type EdgeVerdict = { readonly kind: 'routed'; readonly route: Route; readonly verdict: Verdict } | NotRouted;

type NotRouted =
  /** No route matches. */
  | { readonly kind: 'unrouted' }
  /** Which route matches depends on these inputs. */
  | { readonly kind: 'open'; readonly needs: readonly string[] };

/** Decides the exchanges of an edge one after the other, in order of time. */
export interface EdgeRun {
  readonly decide: (exchange: Exchange) => EdgeDecision;
  /** Like `decide`, with the value of every subexpression. */
  readonly trace: (exchange: Exchange) => EdgeTrace;
  /** Like `decide`, but faster: returns only the countable part. */
  readonly judge: (exchange: Exchange) => EdgeVerdict;
  /** Returns the number of exchanges counted on a route that were out of order. */
  readonly late: (route: Route) => number;
}

/**
 * Begins a run of an edge: each request passes through the modules and the policy of the route that matches.
 * @param orderFault see {@link Simulation.begin}
 */
export function beginEdgeRun(
  edge: Edge,
  policies: RoutePolicies,
  options: SimulationOptions,
  orderFault?: string,
): EdgeRun {
  const runs = new Map(
    edge.routes.map(route => [route, prepareRoute(route, policies.get(route), options).begin(orderFault)]),
  );
  const router = routerOf(edge, options);
  const routeOf = (exchange: Exchange) => router.select(routeRequest(exchange, options));
  return {
    decide: exchange => {
      const route = routeOf(exchange);
      return isRoute(route) ? { kind: 'routed', route, decision: runs.get(route)!.decide(exchange) } : notRouted(route);
    },
    trace: exchange => traceRouted(edge, options, exchange, route => runs.get(route)!),
    judge: exchange => {
      const route = routeOf(exchange);
      return isRoute(route) ? { kind: 'routed', route, verdict: runs.get(route)!.judge(exchange) } : notRouted(route);
    },
    late: route => runs.get(route)?.late() ?? 0,
  };
}

/** What an edge does to one exchange, and why. */
export interface EdgeTrace {
  /** The inputs of route selection. */
  readonly request: RouteRequest;
  /** How each route compares with the request, in the order in which routes are tried. */
  readonly verdicts: readonly RouteVerdict[];
  readonly decision:
    | {
        readonly kind: 'routed';
        readonly route: Route;
        readonly trace: DecisionTrace;
        /** The names of the entries in `trace.modules`. */
        readonly modules: readonly string[];
      }
    | NotRouted;
}

/** Traces what an edge does to one exchange, without counters from earlier traffic. */
export function traceEdge(
  edge: Edge,
  policies: RoutePolicies,
  options: SimulationOptions,
  exchange: Exchange,
): EdgeTrace {
  return traceRouted(edge, options, exchange, route => prepareRoute(route, policies.get(route), options));
}

function traceRouted(
  edge: Edge,
  options: SimulationOptions,
  exchange: Exchange,
  runOf: (route: Route) => Pick<Simulation, 'trace'>,
): EdgeTrace {
  const request = routeRequest(exchange, options);
  const router = routerOf(edge, options);
  const [verdicts, route] = [router.verdicts(request), router.select(request)];
  if (!isRoute(route)) return { request, verdicts, decision: notRouted(route) };
  const modules = routeModules(route, options)?.names ?? [];
  return { request, verdicts, decision: { kind: 'routed', route, trace: runOf(route).trace(exchange), modules } };
}

function routerOf(edge: Edge, { profile }: SimulationOptions): Router {
  return createRouter(edge, profile.switches.routePrecedence);
}

function isRoute(found: Route | Unknown | undefined): found is Route {
  return found !== undefined && !(found instanceof Unknown);
}

function notRouted(found: Unknown | undefined): NotRouted {
  return found === undefined ? { kind: 'unrouted' } : { kind: 'open', needs: found.attributes };
}

function routeRequest(exchange: Exchange, { profile, assumptions = {} }: SimulationOptions): RouteRequest {
  const { request } = recordedState(exchange, { dialect: dialectOf(profile), assumptions });
  return { host: request.host, path: mapKnown(request.target, target => decodedPath(splitUrl(target))) };
}

function prepareRoute(route: Route, policy: Policy | undefined, options: SimulationOptions) {
  const modules = routeModules(route, options);
  return createSimulation(policy, { ...options, ...(modules && { modules }) });
}

function routeModules({ modules }: Route, { profile, environments }: SimulationOptions): ModuleActions | undefined {
  const endpoint = 'https-route';
  const phases = phasesAt(profile, endpoint);
  const request = phases.find(phase => SIDES[phase] === 'request');
  const response = phases.find(phase => SIDES[phase] === 'response');
  if (request === undefined || response === undefined) return undefined;
  const environmentOf = (phase: Phase) => environments[phase];
  const at = { profile, endpoint, phases: { request, response } } as const;
  const before = prepareModules(modules, { ...at, environment: environmentOf(request) });
  const after = prepareModules(modules, { ...at, environment: environmentOf(response) });
  // A route without modules is decided faster.
  if (before.names.length === 0) return undefined;
  return { ...after, beforeRequest: before.beforeRequest, afterRequest: before.afterRequest };
}
