/** A decision: everything that a policy does to an exchange; and its verdict, the part that reports count. */
import type { EvaluationError } from '@tollgate/cel';
import type { CredentialVerdict } from '@tollgate/traffic';
import type { Ending, Note, Outcome } from '../actions/effect.ts';
import type { Counter, Known, RequestState, ResponseState, TrafficState } from '../exchange-state/traffic-state.ts';

/** What a policy does to an exchange, and why. */
export interface Decision {
  /** The possible outcomes: exactly one, unless the decision is undetermined. */
  readonly outcomes: readonly Outcome[];
  /** The inputs that would settle the outcome; empty if there is only one. */
  readonly needs: readonly string[];
  /** The result of every rule, in the order of the policy. */
  readonly rules: readonly RuleResult[];
  /** The result of every module of the route, in the order in which they run. */
  readonly modules: readonly RuleResult[];
  readonly upstream: UpstreamTrace;
  /** The response that the client receives, as far as it is known; undefined if it receives none. */
  readonly response: ResponseState | undefined;
  /** Whether the client receives the recorded status, whatever it is. */
  readonly passesStatus: boolean;
  /** What limits and circuit breakers counted the exchange as. */
  readonly counters: readonly Counter[];
}

/** What the upstream receives. */
export interface UpstreamTrace {
  /** Undefined if it is not known. */
  readonly isAsked: boolean | undefined;
  /** The request as it is forwarded, as far as it is known. */
  readonly request: RequestState;
  /** The URL of the internal endpoint that receives it instead of the upstream; undefined if none does. */
  readonly to?: Known<string>;
}

/** The result of one rule. */
export type RuleResult =
  /** An earlier action ended the evaluation, or the policy is disabled. */
  | { readonly status: 'not-reached' }
  | { readonly status: 'not-matched' }
  | { readonly status: 'failed'; readonly error: EvaluationError }
  | RuleEffect
  /** Whether it matched, or was reached at all, depends on `needs`; the effect is what it would have been. */
  | (Omit<RuleEffect, 'status'> & { readonly status: 'undetermined'; readonly needs: readonly string[] });

/** The effect of a matching rule. */
export interface RuleEffect {
  readonly status: 'matched';
  /** Every action that ran, in order; actions after one that ended the evaluation are missing. */
  readonly actions: readonly ActionTrace[];
  readonly before: TrafficState;
  /** The same object if nothing changed. */
  readonly after: TrafficState;
}

/** The effect of one action. */
export interface ActionTrace {
  readonly result: ActionResult;
  readonly before: TrafficState;
  /** The state in which evaluation continues; the same object if nothing changed. */
  readonly after: TrafficState;
  /** How it ended the evaluation, or may have. */
  readonly ending: Ending | undefined;
  /** The inputs that would settle whether it ended the evaluation; empty if that is known. */
  readonly needs: readonly string[];
  readonly notes: readonly Note[];
}

/** Whether an action had an effect. `idle`: it ran and found nothing to do. */
export type ActionResult = 'fired' | 'may-have-fired' | 'idle';

export const NOT_REACHED: RuleResult = { status: 'not-reached' };
export const NOT_MATCHED: RuleResult = { status: 'not-matched' };

/** Returns the metadata that the matching rules logged, in order. Undetermined rules are not included. */
export function loggedBy({ rules }: Decision): readonly unknown[] {
  const matched = rules.flatMap(rule => (rule.status === 'matched' ? rule.actions : []));
  return matched.flatMap(({ notes }) => notes.flatMap(note => (note.kind === 'logged' ? [note.metadata] : [])));
}

/** Returns what was found out about credentials while an exchange was decided live, by the keys of the verdicts. */
export function verdictsIn({ rules }: Decision): readonly (readonly [key: string, verdict: CredentialVerdict])[] {
  const run = rules.flatMap(rule => ('actions' in rule ? rule.actions : []));
  return run.flatMap(({ notes }) =>
    notes.flatMap(note => (note.kind === 'verified' ? [[note.key, note.verdict] as const] : [])),
  );
}

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
