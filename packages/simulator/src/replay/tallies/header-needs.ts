import type { Verdict } from '../../decision/verdict.ts';
import { isUnclearInput } from '../../message/unrecorded.ts';
import type { Counted } from '../keys/counted.ts';

/** Whose headers a recording may contain completely. */
export type HeaderKnowledge = Pick<Counted, 'mayHaveAllHeaders'>;

/** Counts exchanges that are undetermined only because it is unknown which headers were not sent. */
export class HeaderNeeds {
  /** Whose headers a verdict needs; undefined if it needs anything else. Cached by verdict, because exchanges share them. */
  readonly #needs = new WeakMap<Verdict, readonly ('request' | 'response')[] | undefined>();
  /** Those whose recording may contain all headers. */
  count = 0;

  add(counted: HeaderKnowledge, verdict: Verdict, times = 1): void {
    if (verdict.outcomes.length === 1) return;
    if (!this.#needs.has(verdict)) this.#needs.set(verdict, messagesOf(verdict));
    const messages = this.#needs.get(verdict);
    if (messages?.every(message => counted.mayHaveAllHeaders(message))) this.count += times;
  }
}

/** `req.Headers["X-Key"]`, `res.headers`. */
const HEADERS = /^re([qs])\.headers\b/i;

function messagesOf({ needs }: Verdict): readonly ('request' | 'response')[] | undefined {
  // That all headers were recorded does not clear up one that may have been.
  const sides = needs.map(need => (isUnclearInput(need) ? undefined : HEADERS.exec(need)?.[1]?.toLowerCase()));
  if (sides.length === 0 || sides.includes(undefined)) return undefined;
  return [...new Set(sides.map(side => (side === 'q' ? 'request' : 'response')))];
}
