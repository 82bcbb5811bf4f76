// Runs all policies of an edge: each exchange goes to its route, through the modules of the route, and through its policy.

import {
  type ActionFact,
  type EvaluationContext,
  type Phase,
  type Profile,
  phasesAt,
  type Sample,
} from '@tollgate/catalog';
import { Unknown } from '@tollgate/cel';
import { compileRe2, type Re2Pattern } from '@tollgate/cel/tooling';
import type { Policy } from '@tollgate/policy';
import type { Exchange } from '@tollgate/traffic';
import { type ActionContext, answered, type RunAction, SIDES } from '../actions/effect.ts';
import { prepareBreaker } from '../actions/limits.ts';
import { OPAQUE_EFFECTS } from '../actions/opaque-actions.ts';
import { EFFECTS } from '../actions/registry.ts';
import { type ActionScope, actionContext } from '../conditions/prepare-policy.ts';
import { dialectOf } from '../exchange-state/dialect.ts';
import { firstHeader } from '../exchange-state/headers.ts';
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
import {
  createRouter,
  type Edge,
  type HeaderModule,
  type Route,
  type RouteModules,
  type RouteRequest,
  type Router,
  type RouteVerdict,
} from './routes.ts';

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

// Modules of routes, such as headers to add or addresses to refuse, as actions around the policy.

/** An action with the name of its module. */
interface NamedAction {
  readonly name: string;
  readonly run: RunAction;
}

/** The context in which modules run. */
type ModuleScope = Omit<ActionScope, 'place'> & {
  readonly endpoint: EvaluationContext['endpoint'];
  readonly phases: { readonly request: EvaluationContext['phase']; readonly response: EvaluationContext['phase'] };
};

/** Prepares the modules of a route, in the order that the profile defines. */
function prepareModules(modules: RouteModules, at: ModuleScope): ModuleActions {
  const { profile, environment, endpoint, phases } = at;
  const onRequest: ActionScope = { profile, environment, place: { endpoint, phase: phases.request } };
  const onResponse: ActionScope = { profile, environment, place: { endpoint, phase: phases.response } };
  const refusing = refusingActions(modules, onRequest);
  const changing = changingActions(modules, onRequest);
  const answering = responseActions(modules, onResponse);
  const runs = (actions: readonly NamedAction[]) => actions.map(({ run }) => run);
  const names = [...refusing, ...changing, ...answering].map(({ name }) => name);
  return profile.switches.moduleOrder === 'modules-first'
    ? {
        ...{ beforeRequest: runs(refusing), afterRequest: runs(changing) },
        ...{ beforeResponse: runs(answering), afterResponse: [], names },
      }
    : {
        ...{ beforeRequest: [], afterRequest: runs([...refusing, ...changing]) },
        ...{ beforeResponse: [], afterResponse: runs(answering), names },
      };
}

/** Access checks, cheapest first. */
function refusingActions(modules: RouteModules, at: ActionScope): readonly NamedAction[] {
  const { ipRestriction, userAgentFilter, webhookVerification, signIn } = modules;
  const config = { enforce: true, allow_cors_preflight: signIn?.optionsPassthrough ?? false };
  return [
    ...(ipRestriction ? [effect('restrict-ips', { enforce: true, ip_policies: ipRestriction }, at)] : []),
    ...(userAgentFilter ? [own('user-agent-filter', context => filterUserAgents(userAgentFilter, context), at)] : []),
    ...(webhookVerification ? [effect('verify-webhook', { enforce: true }, at)] : []),
    ...(signIn?.kind === 'oauth' ? [effect('oauth', config, at)] : []),
    ...(signIn?.kind === 'oidc' ? [effect('openid-connect', config, at)] : []),
    ...(signIn?.kind === 'saml' ? [own('saml', context => OPAQUE_EFFECTS.saml(config, context), at)] : []),
  ];
}

/** Modules that run between the rules and the upstream. */
function changingActions(modules: RouteModules, at: ActionScope): readonly NamedAction[] {
  const { circuitBreaker: breaker, websocketTcpConverter, requestHeaders } = modules;
  const settings = breaker && {
    windowMs: breaker.windowSeconds * 1000,
    trippedMs: breaker.trippedSeconds * 1000,
    ...breaker,
  };
  return [
    ...(settings ? [own('circuit-breaker', context => prepareBreaker(settings, true, context), at)] : []),
    ...(websocketTcpConverter ? [own('websocket-tcp-converter', requireWebsocket, at)] : []),
    ...headerActions(requestHeaders, at),
  ];
}

function responseActions({ compression, responseHeaders }: RouteModules, at: ActionScope): readonly NamedAction[] {
  const algorithms = ['gzip', 'deflate', 'br', 'compress'];
  return [
    ...(compression ? [effect('compress-response', { algorithms }, at)] : []),
    ...headerActions(responseHeaders, at),
  ];
}

function headerActions(module: HeaderModule | undefined, at: ActionScope): readonly NamedAction[] {
  if (module === undefined) return [];
  return [
    ...(module.remove.length > 0 ? [effect('remove-headers', { headers: module.remove }, at)] : []),
    ...(Object.keys(module.add).length > 0 ? [effect('add-headers', { headers: module.add }, at)] : []),
  ];
}

function effect(type: string, config: { readonly [key: string]: Sample }, at: ActionScope): NamedAction {
  return { name: type, run: EFFECTS[type]!(config, contextOf(type, at)) };
}

function own(name: string, prepare: (context: ActionContext) => RunAction, at: ActionScope): NamedAction {
  return { name, run: prepare(contextOf(name, at)) };
}

/** Returns a context for a module. Modules are not in the catalog: they have the effect of an action, but not its configuration. */
function contextOf(type: string, at: ActionScope): ActionContext {
  const config: ActionFact['config'] = [
    { name: 'enforce', type: { kind: 'bool' }, default: true, doc: '' },
    {
      name: 'headers',
      type: { kind: 'any' },
      doc: '',
      ...(hasTemplates(at.profile) && { interpolation: 'path-templates' as const }),
    },
  ];
  const fact: ActionFact = {
    ...{ type, config, doc: '', outcome: '', terminates: 'on-refusal', example: undefined, source: 'chosen' },
    ...{ phases: [at.place.phase], endpoints: [at.place.endpoint] },
  };
  return { ...actionContext(fact, at), results: { prefix: undefined, names: [] } };
}

/** Templates name the variables of the profile that supports them. */
function hasTemplates({ headerNames }: Profile): boolean {
  return headerNames === 'canonical';
}

function filterUserAgents(
  { allow, deny }: NonNullable<RouteModules['userAgentFilter']>,
  context: ActionContext,
): RunAction {
  const [allowed, denied] = [allow.map(patternOf), deny.map(patternOf)];
  const key = context.dialect.headerKey('user-agent');
  return state => {
    const agent = firstHeader(state.request.headers, key) ?? '';
    const ending = answered(state, { kind: 'refused', status: 403, action: 'user-agent-filter' }, context);
    if (agent instanceof Unknown) return { kind: 'may-end', ending, state, needs: agent.attributes };
    const isAllowed = allowed.length === 0 || allowed.some(matches => matches(agent));
    return isAllowed && !denied.some(matches => matches(agent))
      ? { kind: 'continues', state, idle: true }
      : { kind: 'ends', ending };
  };
}

/** An invalid pattern matches nothing. */
function patternOf(pattern: string): (text: string) => boolean {
  const compiled = compileRe2(pattern);
  return 'engine' in compiled ? text => (compiled as Re2Pattern).engine.matcher(text).find() : () => false;
}

function requireWebsocket(context: ActionContext): RunAction {
  const key = context.dialect.headerKey('upgrade');
  return state => {
    const upgrade = firstHeader(state.request.headers, key);
    const ending = answered(state, { kind: 'refused', status: 400, action: 'websocket-tcp-converter' }, context);
    if (upgrade instanceof Unknown) return { kind: 'may-end', ending, state, needs: upgrade.attributes };
    return upgrade?.toLowerCase() === 'websocket' ? { kind: 'continues', state, idle: true } : { kind: 'ends', ending };
  };
}
