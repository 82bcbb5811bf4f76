import { Unknown } from '@tollgate/cel';
import type { Exchange } from '@tollgate/traffic';
import type { Decision } from '../decide/decision.ts';

/** What the client gets, where that is no status. */
export type NoStatus = 'closed' | 'undetermined' | 'unknown';

/** How many exchanges were recorded with one status, and get another, or the same, after the policy. */
export interface StatusChange {
  readonly recorded: number | 'unknown';
  readonly after: number | NoStatus;
  readonly count: number;
}

/** Pairs of statuses that are counted apart: recordings may claim any. */
const MAX_PAIRS = 2500;
/** Above every status; three digits are all that HTTP has (RFC 9110, section 15). */
const BASE = 1000;
const NO_STATUS: readonly NoStatus[] = ['unknown', 'closed', 'undetermined'];

/** Counts recorded statuses against those that clients get. */
export class StatusTally {
  readonly #counts = new Map<number, number>();

  add({ response }: Exchange, decision: Decision): void {
    this.#add(codeOf(response?.status) * BASE + codeAfter(decision), 1);
  }

  merge(data: readonly StatusChange[]): void {
    for (const { recorded, after, count } of data) {
      const code = typeof after === 'number' ? after : NO_STATUS.indexOf(after);
      this.#add((recorded === 'unknown' ? 0 : recorded) * BASE + code, count);
    }
  }

  /** By the recorded status, those without one last. */
  list(): StatusChange[] {
    const order = (code: number) => (code < 100 ? BASE + code : code);
    const pairs = [...this.#counts].map(([pair, count]) => [Math.floor(pair / BASE), pair % BASE, count] as const);
    return pairs
      .sort((a, b) => order(a[0]) - order(b[0]) || order(a[1]) - order(b[1]))
      .map(([recorded, after, count]) => ({
        recorded: recorded === 0 ? 'unknown' : recorded,
        after: NO_STATUS[after] ?? after,
        count,
      }));
  }

  #add(pair: number, count: number): void {
    const known = this.#counts.get(pair);
    // Beyond the bound, the pair of two unknown ones stands for all.
    const isBeyond = known === undefined && this.#counts.size >= MAX_PAIRS;
    if (isBeyond) this.#counts.set(0, (this.#counts.get(0) ?? 0) + count);
    else this.#counts.set(pair, (known ?? 0) + count);
  }
}

function codeAfter({ outcomes, response }: Decision): number {
  if (outcomes.length > 1) return NO_STATUS.indexOf('undetermined');
  const status = response?.status;
  if (status === undefined) return NO_STATUS.indexOf('closed');
  return status instanceof Unknown ? 0 : codeOf(status);
}

/** What is no status of HTTP is as good as not known. */
function codeOf(status: number | undefined): number {
  return status !== undefined && Number.isInteger(status) && status >= 100 && status < BASE ? status : 0;
}
