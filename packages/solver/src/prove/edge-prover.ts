import type { Claim, Expectation, Rule } from '@tollgate/policy';
import {
  beginEdgeRun,
  type Decision,
  type Edge,
  type EdgeRun,
  edgeDependsOnOrder,
  type Route,
  type RoutePolicies,
  routeMatches,
} from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import { RuleConditions } from '../policy/rule-conditions.ts';
import { type PolicyContext, Session } from '../policy/session.ts';
import { decisionPaths } from './decision-paths.ts';
import { PolicyProver, type Proof } from './prove-policy.ts';
import { routePolicy } from './route-policy.ts';
import { routeSignals } from './route-signals.ts';
import { type ClaimScope, searchViolation } from './search-violation.ts';
import { ruleViolation, violationOf } from './violation.ts';

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
      const session = new Session(context);
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
