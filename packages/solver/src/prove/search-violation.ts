import type { Rule } from '@tollgate/policy';
import type { Decision } from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import { simplifyExchange } from '../compare/simplify-exchange.ts';
import type { Signal } from '../logic/graph.ts';
import { addBatch, MOST_UNSEEN, notConfirmed, ONE_BY_ONE } from '../policy/can-match.ts';
import type { Session } from '../policy/session.ts';
import type { DecisionPath } from './decision-paths.ts';
import { decisionValues } from './decision-values.ts';
import type { RuleEnd } from './rule-ends.ts';
import type { Violation } from './violation.ts';

/** What a claim is about: all exchanges that a policy decides, or those of them for which signals hold. */
export interface ClaimScope {
  readonly session: Session;
  /** All ways that the evaluation can go. */
  readonly paths: readonly DecisionPath[];
  readonly where: readonly Signal[];
  /** Of all phases, in the order of the results of a decision. */
  readonly rules: readonly Rule[];
  /** Undefined for an exchange that is out of scope. */
  readonly decide: (exchange: Exchange) => Decision | undefined;
}

/** What a search for a violation of a claim found. */
export type SearchResult =
  | { readonly kind: 'proved'; readonly because: readonly Rule[] }
  | { readonly kind: 'refuted'; readonly exchange: Exchange }
  | { readonly kind: 'unknown'; readonly reasons: readonly string[] };

/** Looks for an exchange in scope that violates a claim. */
export function searchViolation(violation: Violation, scope: ClaimScope): SearchResult {
  const contradicts = (exchange: Exchange) => {
    const decision = scope.decide(exchange);
    return decision !== undefined && violation.isShownBy(exchange, decisionValues(decision, scope.rules));
  };
  const [because, reasons] = [new Set<Rule>(), new Set<string>()];
  for (const path of scope.paths) {
    const answer = searchPath(path, violation.on(path), { ...scope, contradicts });
    if (answer.kind === 'refuted') return { ...answer, exchange: simplifyExchange(answer.exchange, contradicts) };
    if (answer.kind === 'unknown') for (const reason of answer.reasons) reasons.add(reason);
    else for (const rule of answer.because) because.add(rule);
  }
  if (reasons.size > 0) return { kind: 'unknown', reasons: [...reasons] };
  return { kind: 'proved', because: scope.rules.filter(rule => because.has(rule)) };
}

interface PathScope extends ClaimScope {
  readonly contradicts: (exchange: Exchange) => boolean;
}

/** Looks for an exchange on a path. Ends that the path passes are excluded only when they take an exchange; those of modules always. */
function searchPath(path: DecisionPath, violation: Signal, scope: PathScope): SearchResult {
  const { session, where, rules } = scope;
  const goals = [violation, ...where, ...path.taken.map(end => end.holds())];
  const excluded = new Set(path.passed.filter(end => !rules.includes(end.rule)));
  for (let round = 1; ; round++) {
    const answer = session.ask([...goals, ...[...excluded].map(end => -end.holds())]);
    if (answer.kind === 'unknown') return { kind: 'unknown', reasons: [answer.reason] };
    if (answer.kind === 'impossible') {
      const needed = [...excluded, ...path.taken].filter(end =>
        [end.holds(), -end.holds()].some(signal => answer.needed.includes(signal)),
      );
      return { kind: 'proved', because: needed.map(end => end.rule) };
    }
    const exchange = answer.exchanges.find(scope.contradicts);
    if (exchange !== undefined) return { kind: 'refuted', exchange };
    const taker = takerOf(answer.exchanges, path.passed, { scope, excluded });
    // The exchange does not show which end it takes, but the ends may leave nothing.
    if (taker === undefined && (excluded.size === path.passed.length || excluded.size >= MOST_UNSEEN))
      return { kind: 'unknown', reasons: [notConfirmed(answer.assumed)] };
    if (taker !== undefined) excluded.add(taker);
    if (taker === undefined || round >= ONE_BY_ONE)
      addBatch(excluded, path.passed, 2 ** Math.max(0, round - ONE_BY_ONE));
  }
}

interface TakerSearch {
  readonly scope: ClaimScope;
  readonly excluded: ReadonlySet<RuleEnd>;
}

/** Returns an end that the path passes, but one of the exchanges takes. */
function takerOf(
  exchanges: readonly Exchange[],
  passed: readonly RuleEnd[],
  { scope, excluded }: TakerSearch,
): RuleEnd | undefined {
  for (const exchange of exchanges) {
    const results = scope.decide(exchange)?.rules ?? [];
    const taker = passed.find(end => !excluded.has(end) && isTaken(end, results[scope.rules.indexOf(end.rule)]));
    if (taker !== undefined) return taker;
  }
  return undefined;
}

function isTaken({ outcome, actions }: RuleEnd, result: Decision['rules'][number] | undefined): boolean {
  if (outcome === 'failed') return result?.status === 'failed';
  return result?.status === 'matched' && result.actions[actions - 1]?.ending !== undefined;
}
