import { type ActionFact, type Phase, type Profile, phasesAt } from '@tollgate/catalog';
import { NO_RULES, type Policy, type Rule } from '@tollgate/policy';
import { type Route, type RouteModules, SIDES } from '@tollgate/simulator';

/** A policy whose first and last rules may be modules of a route. */
export interface RoutePolicy {
  readonly policy: Policy;
  /** Those of its rules that are modules: without conditions, and with one action each. */
  readonly modules: ReadonlySet<Rule>;
}

/** Returns the policy of a route in which each module of the route is a rule; undefined is a policy without rules. */
export function routePolicy({ modules }: Route, policy: Policy | undefined, profile: Profile): RoutePolicy {
  const endpoint = 'https-route';
  const phases = phasesAt(profile, endpoint);
  const own = policy?.enabled ? policy.rules : NO_RULES;
  const rules: Record<Phase, readonly Rule[]> = { ...own };
  const isFirst = profile.switches.moduleOrder === 'modules-first';
  const found = new Set<Rule>();
  const addTo = (side: 'request' | 'response', actions: readonly ModuleAction[], isBefore: boolean) => {
    const phase = phases.find(one => SIDES[one] === side);
    if (phase === undefined) return;
    const from = isBefore ? -actions.length : own[phase].length;
    const added = actions.map((action, at) => moduleRule(action, { profile, phase, index: from + at }));
    for (const rule of added) found.add(rule);
    rules[phase] = isBefore ? [...added, ...rules[phase]] : [...rules[phase], ...added];
  };
  const [refusing, changing] = [refusingModules(modules), changingModules(modules)];
  if (isFirst) addTo('request', refusing, true);
  addTo('request', isFirst ? changing : [...refusing, ...changing], false);
  addTo('response', answeringModules(modules), isFirst);
  const whole = policy ?? { uri: '', endpoint, range: NOWHERE, node: { kind: 'map', range: NOWHERE, entries: [] } };
  return { policy: { ...whole, enabled: true, rules }, modules: found };
}

const NOWHERE = { start: 0, end: 0 };

/** An action that a module amounts to. */
interface ModuleAction {
  readonly type: string;
  readonly config: Rule['actions'][number]['config'];
  readonly mayEnd: boolean;
}

function refusingModules(modules: RouteModules): readonly ModuleAction[] {
  const { ipRestriction, userAgentFilter, webhookVerification, signIn } = modules;
  const refusing = (type: string, config: ModuleAction['config'] = {}) => ({ type, config, mayEnd: true });
  return [
    ...(ipRestriction ? [refusing('restrict-ips', { ip_policies: ipRestriction })] : []),
    ...(userAgentFilter ? [refusing('user-agent-filter', userAgentFilter)] : []),
    ...(webhookVerification ? [refusing('verify-webhook')] : []),
    ...(signIn ? [refusing(SIGN_IN[signIn.kind])] : []),
  ];
}

const SIGN_IN = { oauth: 'oauth', oidc: 'openid-connect', saml: 'saml' } as const;

function changingModules({ circuitBreaker, websocketTcpConverter, requestHeaders }: RouteModules) {
  return [
    ...(circuitBreaker ? [{ type: 'circuit-breaker', config: {}, mayEnd: true }] : []),
    ...(websocketTcpConverter ? [{ type: 'websocket-tcp-converter', config: {}, mayEnd: true }] : []),
    ...headerModules(requestHeaders),
  ];
}

function answeringModules({ compression, responseHeaders }: RouteModules): readonly ModuleAction[] {
  return [
    ...(compression ? [{ type: 'compress-response', config: {}, mayEnd: false }] : []),
    ...headerModules(responseHeaders),
  ];
}

function headerModules(module: RouteModules['requestHeaders']): readonly ModuleAction[] {
  if (module === undefined) return [];
  const changing = (type: string) => ({ type, config: {}, mayEnd: false });
  return [
    ...(module.remove.length > 0 ? [changing('remove-headers')] : []),
    ...(Object.keys(module.add).length > 0 ? [changing('add-headers')] : []),
  ];
}

interface RulePlace {
  readonly profile: Profile;
  readonly phase: Phase;
  readonly index: number;
}

function moduleRule({ type, config, mayEnd }: ModuleAction, { profile, phase, index }: RulePlace): Rule {
  const known = profile.actions.find(fact => fact.type === type);
  const fact: ActionFact = {
    ...{ type, config: [], doc: '', outcome: '', terminates: mayEnd ? 'on-refusal' : 'never', example: undefined },
    ...{ phases: [phase], endpoints: ['https-route'], source: 'chosen' },
    ...(CHANGES_NOTHING.has(type) ? { changes: [] } : known?.changes && { changes: known.changes }),
  };
  const written = { value: type, range: NOWHERE };
  const action = { type: written, range: NOWHERE, fact, config, configNode: undefined, expressions: [] };
  return { phase, index, name: written, range: NOWHERE, expressions: [], actions: [action] };
}

/** Modules that are no actions of a policy, and circuit breakers. */
const CHANGES_NOTHING: ReadonlySet<string> = new Set([
  'circuit-breaker',
  'user-agent-filter',
  'websocket-tcp-converter',
]);
