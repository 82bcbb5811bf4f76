import type { EvaluationError } from '@tollgate/cel';
import type { Outcome } from '../effects/model/effect.ts';
import type { ActionResult, Decision, RuleResult } from './decision.ts';

/** The countable part of a decision. Exchanges that a policy treats alike share one immutable object, which tallies may use as a key. */
export interface Verdict {
  /** The possible outcomes: exactly one, unless the decision is undetermined. */
  readonly outcomes: readonly Outcome[];
  /** The inputs that would settle the outcome; empty if there is only one. */
  readonly needs: readonly string[];
  /** The rules that matched, failed or are undetermined, in the order of the policy. */
  readonly hits: readonly RuleHit[];
  /** Positions of the rules that were not reached. Rules neither here nor in `hits` did not match. */
  readonly notReached: readonly number[];
  readonly status: ClientStatus;
  /** A small id for verdicts that exchanges share, counted up from 0. */
  readonly number?: number;
}

/** Which rules a decision matches and reaches. */
export type Reach = Pick<Verdict, 'hits' | 'notReached'>;

/** The status that the client receives: the recorded one, whatever it is, or another. */
export type ClientStatus = number | 'recorded' | NoStatus;

/** What the client receives instead of a status; `closed`: no response at all. */
export type NoStatus = 'closed' | 'undetermined' | 'unknown';

/** A rule with any result other than not matching. */
export interface RuleHit {
  /** Its position among the rules of all phases. */
  readonly rule: number;
  readonly result: HitResult;
}

/** A {@link RuleResult} without states. */
export type HitResult =
  | { readonly status: 'failed'; readonly error: EvaluationError }
  /** Every action that ran, in order. */
  | { readonly status: 'matched'; readonly actions: readonly ActionResult[] }
  | { readonly status: 'undetermined'; readonly actions: readonly ActionResult[]; readonly needs: readonly string[] };

/** Returns true if the policy refuses the traffic: the client gets an error that the policy made, whatever action did, or no response. */
export function isDenial({ kind, status }: Outcome): boolean {
  if (kind === 'closed') return true;
  // A refusal has no known status if another server decides on it.
  return status === undefined ? kind === 'refused' : status >= 400;
}

/** Returns the countable part of a decision. */
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
  // A status set by the edge, even if the recorded response had the same one.
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
