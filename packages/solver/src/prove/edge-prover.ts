// Proofs about an edge: routes, and modules as rules around the policy of a route.

import { type ActionFact, type Phase, type Profile, phasesAt, type ValueRole, variablesAt } from '@tollgate/catalog';
import {
  type Claim,
  checkCondition,
  type Expectation,
  invariantContext,
  NO_RULES,
  type Policy,
  type Rule,
} from '@tollgate/policy';
import {
  beginEdgeRun,
  type Decision,
  type Edge,
  type EdgeRun,
  edgeDependsOnOrder,
  type Route,
  type RouteMatch,
  type RouteModules,
  type RoutePolicies,
  routeMatches,
  SIDES,
} from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import type { Signal } from '../logic/formula.ts';
import { RuleConditions } from '../policy/rule-conditions.ts';
import { type PolicyContext, SolverSession } from '../policy/session.ts';
import { readCondition } from '../reader/read-condition.ts';
import { decisionPaths } from './decision-paths.ts';
import {
  type ClaimScope,
  PolicyProver,
  type Proof,
  ruleViolation,
  searchViolation,
  violationOf,
} from './prove-policy.ts';

/** Proves claims about an edge: about every request that one of its routes takes, as modules and policy of that route decide it. */
export class EdgeProver {
  readonly #edge: Edge;
  readonly #policies: RoutePolicies;
  readonly #context: PolicyContext;
  readonly #begin: () => EdgeRun;
  readonly #run: EdgeRun | undefined;
  #scopes: ReadonlyMap<Route, ClaimScope> | undefined;

  constructor(edge: Edge, policies: RoutePolicies, context: Omit<PolicyContext, 'endpoint'>) {
    const { profile, environments } = context;
    this.#edge = edge;
    this.#policies = policies;
    this.#context = { ...context, endpoint: 'https-route' };
    this.#begin = () => beginEdgeRun(edge, policies, { profile, environments });
    // Where counters matter, each exchange is the first one.
    this.#run = edgeDependsOnOrder(edge, policies) ? undefined : this.#begin();
  }

  /** Proves a claim for all routes, refutes it with an exchange of one, or says why it is open. */
  prove(claim: Claim): Proof {
    const because: Rule[] = [];
    const reasons: string[] = [];
    this.#scopes ??= new Map(this.#routeScopes());
    for (const [route, scope] of this.#scopes) {
      if ('rule' in claim && !scope.rules.includes(claim.rule)) continue;
      const violation = 'rule' in claim ? ruleViolation(claim, scope.session) : violationOf(claim, scope.session);
      const found = searchViolation(violation, scope);
      if (found.kind === 'proved') because.push(...found.because);
      else if (found.kind === 'unknown') reasons.push(...found.reasons.map(one => `route \`${route.match}\`: ${one}`));
      else {
        const { exchange } = found;
        const decision = scope.decide(exchange)!;
        const rules = scope.rules.filter((_, at) => decision.rules[at]!.status === 'matched');
        return { kind: 'refuted', exchange, decision, rules, route };
      }
    }
    return reasons.length > 0 ? { kind: 'unknown', reasons } : { kind: 'proved', because };
  }

  /** Returns what a test of the route's policy can expect of an exchange that refutes a claim; undefined if the policy alone does not. */
  expectationFor(claim: Claim, exchange: Exchange, route: Route): Expectation | undefined {
    const policy = this.#policies.get(route);
    return policy && new PolicyProver(policy, this.#context).expectationFor(claim, exchange);
  }

  *#routeScopes(): Iterable<[Route, ClaimScope]> {
    const context = this.#context;
    const { profile } = context;
    const matches = routeMatches(this.#edge, profile.switches.routePrecedence);
    for (const [at, { route }] of matches.entries()) {
      const session = new SolverSession(context);
      const own = this.#policies.get(route);
      const { policy, modules } = routePolicy(route, own, profile);
      const conditions = new RuleConditions(session, policy);
      const scope: ClaimScope = {
        session,
        paths: decisionPaths(policy, { session, conditions, modules }),
        where: routeSignals(matches, at, session),
        rules: profile.phases.flatMap(phase => own?.rules[phase] ?? []),
        decide: exchange => this.#decide(exchange, route),
      };
      yield [route, scope];
    }
  }

  #decide(exchange: Exchange, route: Route): Decision | undefined {
    const decided = (this.#run ?? this.#begin()).decide(exchange);
    return decided.kind === 'routed' && decided.route === route ? decided.decision : undefined;
  }
}

/** A policy whose first and last rules may be modules of a route. */
interface RoutePolicy {
  readonly policy: Policy;
  /** Those of its rules that are modules: without conditions, and with one action each. */
  readonly modules: ReadonlySet<Rule>;
}

/** Returns the policy of a route in which each module of the route is a rule; undefined is a policy without rules. */
function routePolicy({ modules }: Route, policy: Policy | undefined, profile: Profile): RoutePolicy {
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
    const added = actions.map((action, at) => moduleRule(action, profile, phase, from + at));
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

function moduleRule({ type, config, mayEnd }: ModuleAction, profile: Profile, phase: Phase, index: number): Rule {
  const known = profile.actions.find(fact => fact.type === type);
  const fact: ActionFact = {
    type,
    config: [],
    doc: '',
    outcome: '',
    terminates: mayEnd ? 'on-refusal' : 'never',
    example: undefined,
    phases: [phase],
    endpoints: ['https-route'],
    source: 'chosen',
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

/** Returns signals that hold together for the requests that a route takes: it matches, and no route that is tried before. */
function routeSignals(matches: readonly RouteMatch[], at: number, session: SolverSession): readonly Signal[] {
  const taken = matches.slice(0, at + 1).map(match => matchSignal(match, session));
  return taken.map((signal, position) => (position === at ? signal : -signal));
}

function matchSignal({ host, path, isExact }: RouteMatch, session: SolverSession): Signal {
  const tests: Signal[] = [];
  if (host !== undefined)
    tests.push(
      testOf('host', session, value => `${value}.matches(${JSON.stringify(`^(?i:${literal(host)})(?::[0-9]*)?$`)})`),
    );
  if (path !== undefined)
    tests.push(
      testOf('path', session, value => `${value}${isExact ? ' == ' : '.startsWith'}(${JSON.stringify(path)})`),
    );
  return session.vocabulary.graph.and(tests);
}

/** Returns the signal that holds where an expression about the value of a role in the request as received is true. */
function testOf(role: ValueRole, session: SolverSession, expression: (value: string) => string): Signal {
  const { profile, endpoint } = session.context;
  const { place, environment } = invariantContext(profile, endpoint);
  const variable = variablesAt(profile, place).find(fact => fact.role === role);
  const { typed } = checkCondition(expression(variable?.path ?? ''), { profile, place, environment });
  if (typed === undefined) return session.anyCondition().whenTrue;
  return readCondition(typed, environment, { ...session.reading(place.phase), versionOf: () => '' }).whenTrue;
}

/** Returns an RE2 pattern that matches only the string. */
function literal(text: string): string {
  return [...text].map(one => (PLAIN_CHARACTERS.includes(one) ? one : `\\${one}`)).join('');
}

/** All other characters of hosts are punctuation, which RE2 escapes with a backslash. */
const PLAIN_CHARACTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
