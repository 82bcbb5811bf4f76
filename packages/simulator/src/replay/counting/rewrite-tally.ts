import type { RuleHit, Verdict } from '../../decision/verdict.ts';
import { type Interval, IntervalCounter } from './counter.ts';

const REWRITE = 'url-rewrite';

/** Counts exchanges whose URL was rewritten. */
export class RewriteTally {
  /** By rule: the positions of the actions that rewrite. */
  readonly #rewriting: readonly (readonly number[])[];
  readonly #counter = new IntervalCounter();

  /** @param actions types of the actions of each rule */
  constructor(actions: readonly (readonly string[])[]) {
    this.#rewriting = actions.map(types => types.flatMap((type, position) => (type === REWRITE ? position : [])));
  }

  add({ hits }: Verdict, times: number): void {
    const results = hits.flatMap(hit => this.#resultsOf(hit));
    if (results.includes('fired')) this.#counter.add(true, times);
    else if (results.includes('may-have-fired')) this.#counter.add(false, times);
  }

  #resultsOf({ rule, result }: RuleHit) {
    if (result.status === 'failed') return [];
    return this.#rewriting[rule]!.map(position => result.actions[position]);
  }

  /** Undefined if no rule rewrites. */
  summary(): Interval | undefined {
    return this.#rewriting.some(positions => positions.length > 0) ? this.#counter.interval : undefined;
  }
}
