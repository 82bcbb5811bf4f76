import type { EvaluationError } from '@tollgate/cel';
import type { Outcome } from '../effects/model/effect.ts';
import type { ActionResult, Decision, RuleResult } from './decision.ts';

/**
 * What of a decision is counted. Exchanges that a policy treats alike share one object, so that what is made of a verdict can be kept with
 * it: it is never changed.
 */
export interface Verdict {
  /** What may have become of the exchange: one, unless that is undetermined. */
  readonly outcomes: readonly Outcome[];
  /** What it would take to know which; empty when there is one. */
  readonly needs: readonly string[];
  /** The rules that matched, failed, or are undetermined, in the order of the policy. */
  readonly hits: readonly RuleHit[];
  /** Positions of rules that were not reached. Those that are neither here nor in `hits` did not match. */
  readonly notReached: readonly number[];
  readonly status: ClientStatus;
  /** Of verdicts that exchanges share: counted up from 0, the same for few. What is counted of them can be found by it. */
  readonly number?: number;
}

/** The status of what the client gets: that of the recorded response, whatever it is, or another. */
export type ClientStatus = number | 'recorded' | NoStatus;

/** What the client gets, where that is no status; `closed`: no response at all. */
export type NoStatus = 'closed' | 'undetermined' | 'unknown';

/** A rule of which more is to be said than that it did not match. */
export interface RuleHit {
  /** Its position among the rules of all phases. */
  readonly rule: number;
  readonly result: HitResult;
}

/** As {@link RuleResult}, without the states. */
export type HitResult =
  | { readonly status: 'failed'; readonly error: EvaluationError }
  /** For each action that ran, in order. */
  | { readonly status: 'matched'; readonly actions: readonly ActionResult[] }
  | { readonly status: 'undetermined'; readonly actions: readonly ActionResult[]; readonly needs: readonly string[] };

/** What of a decision is counted. */
export function verdictOf(decision: Decision): Verdict {
  const { outcomes, needs, rules } = decision;
  const hits: RuleHit[] = [];
  const notReached: number[] = [];
  rules.forEach((found, rule) => {
    const result = hitOf(found);
    if (result !== undefined) hits.push({ rule, result });
    else if (found.status === 'not-reached') notReached.push(rule);
  });
  return { outcomes, needs, hits, notReached, status: statusOf(decision) };
}

function statusOf({ outcomes, passesStatus, response }: Decision): ClientStatus {
  if (outcomes.length > 1) return 'undetermined';
  if (response === undefined) return 'closed';
  const [answer] = outcomes;
  // What the edge says of itself, also where the recorded response had the same.
  if (answer?.status !== undefined) return answer.status;
  if (passesStatus) return 'recorded';
  return typeof response.status === 'number' ? response.status : 'unknown';
}

function hitOf(found: RuleResult): HitResult | undefined {
  switch (found.status) {
    case 'not-reached':
    case 'not-matched':
      return undefined;
    case 'failed':
      return found;
    case 'matched':
      return { status: 'matched', actions: found.actions.map(({ result }) => result) };
    case 'undetermined':
      return { status: 'undetermined', actions: found.actions.map(({ result }) => result), needs: found.needs };
  }
}
