import type { RecordLocation } from '@tollgate/traffic';
import type { Verdict } from '../../decision/verdict.ts';
import type { Outcome } from '../../effects/model/effect.ts';
import { type Interval, IntervalCounter } from '../counting/counter.ts';
import { FrequentKeys, shortKey } from '../counting/frequent-keys.ts';
import type { Counted } from '../keys/counted.ts';
import type { KeyDimension, KeySummary } from '../summary/breakdown.ts';
import { outcomeKey } from '../summary/outcome-order.ts';

/** How outcomes change. */
export interface ImpactFigures {
  /** Exchanges whose outcome changes. */
  readonly changed: Interval;
  /** Exchanges that were not denied and are. */
  readonly newlyDenied: Interval;
  /** Most frequent first. */
  readonly transitions: readonly Transition[];
}

/** Exchanges with one outcome that get another. */
export interface Transition {
  readonly was: Outcome;
  readonly becomes: Outcome;
  readonly count: Interval;
  /** The first ones that certainly change. */
  readonly first: readonly RecordLocation[];
  /** Of those that certainly change. */
  readonly keys: { readonly [dimension in KeyDimension]: KeySummary };
}

const EXAMPLES = 5;
/** Keys of a dimension that are kept for each transition, twice this number for a while. */
const MAX_KEYS = 20_000;
const DENIALS: ReadonlySet<Outcome['kind']> = new Set<Outcome['kind']>(['denied', 'refused', 'closed']);

/** Counts how outcomes change. Exchanges whose outcome certainly does not change need not be added. */
export class ImpactTally {
  readonly #changed = new IntervalCounter();
  readonly #newlyDenied = new IntervalCounter();
  readonly #transitions = new Map<string, TransitionTally>();

  add(counted: Counted, { outcomes: was }: Verdict, { outcomes: becomes }: Verdict): void {
    const isCertain = was.length === 1 && becomes.length === 1;
    this.#changed.add(!was.some(one => becomes.some(other => isSame(one, other))));
    const isDenied = ({ kind }: Outcome) => DENIALS.has(kind);
    if (was.some(one => !isDenied(one)) && becomes.some(isDenied))
      this.#newlyDenied.add(!was.some(isDenied) && becomes.every(isDenied));
    for (const one of was)
      for (const other of becomes) if (!isSame(one, other)) this.#transition(one, other).add(isCertain, counted);
  }

  figures(top: number): ImpactFigures {
    const transitions = Array.from(this.#transitions.values(), one => one.transition(top));
    return {
      changed: this.#changed.interval,
      newlyDenied: this.#newlyDenied.interval,
      transitions: transitions.sort((a, b) => b.count.most - a.count.most || (keyOf(a) < keyOf(b) ? -1 : 1)),
    };
  }

  #transition(was: Outcome, becomes: Outcome): TransitionTally {
    const key = keyOf({ was, becomes });
    const known = this.#transitions.get(key) ?? new TransitionTally(was, becomes);
    this.#transitions.set(key, known);
    return known;
  }
}

function isSame(one: Outcome, other: Outcome): boolean {
  return one === other || outcomeKey(one) === outcomeKey(other);
}

function keyOf({ was, becomes }: Pick<Transition, 'was' | 'becomes'>): string {
  return `${outcomeKey(was)}\n${outcomeKey(becomes)}`;
}

class TransitionTally {
  readonly #was: Outcome;
  readonly #becomes: Outcome;
  readonly #counter = new IntervalCounter();
  readonly #first: RecordLocation[] = [];
  readonly #keys = { clients: new KeyTally(), paths: new KeyTally(), countries: new KeyTally() };

  constructor(was: Outcome, becomes: Outcome) {
    this.#was = was;
    this.#becomes = becomes;
  }

  add(isCertain: boolean, counted: Counted): void {
    this.#counter.add(isCertain);
    if (!isCertain) return;
    if (this.#first.length < EXAMPLES) this.#first.push(counted.place);
    this.#keys.clients.add(counted.keyOf('clients'));
    this.#keys.paths.add(counted.keyOf('paths'));
    this.#keys.countries.add(counted.keyOf('countries'));
  }

  transition(top: number): Transition {
    const { clients, paths, countries } = this.#keys;
    return {
      was: this.#was,
      becomes: this.#becomes,
      count: this.#counter.interval,
      first: this.#first,
      keys: { clients: clients.summary(top), paths: paths.summary(top), countries: countries.summary(top) },
    };
  }
}

class KeyTally {
  readonly #keys = new FrequentKeys();
  #unknown = 0;

  add(key: string | undefined): void {
    if (key === undefined) {
      this.#unknown++;
      return;
    }
    this.#keys.merge({ keys: [shortKey(key)], counts: [1], missing: 0 });
    if (this.#keys.size > 2 * MAX_KEYS) this.#keys.keep(MAX_KEYS);
  }

  summary(top: number): KeySummary {
    return { top: this.#keys.top(top), distinct: this.#keys.distinct, unknown: this.#unknown };
  }
}
