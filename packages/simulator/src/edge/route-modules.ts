/** Modules of routes, such as headers to add or addresses to refuse, as actions around the policy. */
import type { ActionFact, EvaluationContext, Profile, Sample } from '@tollgate/catalog';
import { Unknown } from '@tollgate/cel';
import { compileRe2, type Re2Pattern } from '@tollgate/cel/tooling';
import { type ActionContext, answered, type RunAction } from '../actions/effect.ts';
import { prepareBreaker } from '../actions/limits.ts';
import { OPAQUE_EFFECTS } from '../actions/opaque-actions.ts';
import { EFFECTS } from '../actions/registry.ts';
import { type ActionScope, actionContext } from '../conditions/prepare-policy.ts';
import { firstHeader } from '../exchange-state/headers.ts';
import type { ModuleActions } from '../simulation/simulation.ts';
import type { HeaderModule, RouteModules } from './routes.ts';

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
export function prepareModules(modules: RouteModules, at: ModuleScope): ModuleActions {
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
