import type { Exchange } from '../exchange.ts';
import type { ExchangeRows } from './exchange-rows.ts';

// HOT: asked several times for every exchange.

/** What is known for one set of fields. */
interface Plan<T> {
  /** Fields that are there and whose texts count. */
  readonly fields: readonly number[];
  /** The first of them, or -1. */
  readonly field: number;
  /** By the number of its text; at 0 where there is none. */
  readonly values: (T | undefined)[];
  /** Of several fields: by their numbers, one after the other. */
  readonly others: Map<string, T>;
}

/** Several numbers that are kept at a time. */
const MOST_OTHERS = 20_000;

/**
 * A function of exchanges that is computed once for all that are alike in what it reads. What that is is watched while it is computed: the function has to
 * read exchanges only, and always to give the same for the same. What it gives must not be undefined.
 */
export class KeptByTexts<T> {
  readonly #compute: (exchange: Exchange) => T;
  #source: object | undefined;
  /** Fields of which it reads whether they are there, and those whose texts it reads. */
  #presence = new Set<number>();
  #values = new Set<number>();
  /** It reads more than fields, so that nothing is kept. */
  #readsOthers = false;
  /** By the number of the set of fields. */
  #plans: (Plan<T> | undefined)[] = [];
  #plansByFields = new Map<string, Plan<T>>();

  constructor(compute: (exchange: Exchange) => T) {
    this.#compute = compute;
  }

  at(rows: ExchangeRows, index: number): T {
    if (rows.source !== this.#source) this.#begin(rows.source);
    const set = rows.fieldSetOf(index);
    if (set < 0 || this.#readsOthers) return this.#compute(rows.exchangeAt(index));
    const plan = this.#plans[set] ?? this.#plan(set, rows, index);
    const { field } = plan;
    const number = field < 0 ? 0 : rows.numberOf(index, field);
    if (number >= 0 && plan.fields.length < 2) {
      const value = plan.values[number];
      if (value !== undefined) return value;
    }
    return this.#find(plan, rows, index);
  }

  #begin(source: object): void {
    this.#source = source;
    this.#presence = new Set();
    this.#values = new Set();
    this.#readsOthers = false;
    this.#forget();
  }

  #forget(): void {
    this.#plans = [];
    this.#plansByFields = new Map();
  }

  #plan(set: number, rows: ExchangeRows, index: number): Plan<T> {
    const fields = [...this.#values].filter(field => rows.hasField(index, field));
    const present = [...this.#presence].filter(field => rows.hasField(index, field));
    const key = `${fields.join()} ${present.join()}`;
    const plan = this.#plansByFields.get(key) ?? { fields, field: fields[0] ?? -1, values: [], others: new Map() };
    this.#plansByFields.set(key, plan);
    this.#plans[set] = plan;
    return plan;
  }

  #find(plan: Plan<T>, rows: ExchangeRows, index: number): T {
    const numbers: number[] = [];
    for (const field of plan.fields) {
      const number = rows.giveNumber(index, field);
      if (number < 0) return this.#compute(rows.exchangeAt(index));
      numbers.push(number);
    }
    const isOne = numbers.length < 2;
    const known = isOne ? plan.values[numbers[0] ?? 0] : plan.others.get(numbers.join());
    if (known !== undefined) return known;
    const value = this.#watch(rows, index);
    // What it reads has grown, or has turned out to be more than can be told by texts.
    if (this.#readsOthers || this.#plans.length === 0) return value;
    if (isOne) put(plan.values, numbers[0] ?? 0, value);
    else if (plan.others.size < MOST_OTHERS) plan.others.set(numbers.join(), value);
    return value;
  }

  #watch(rows: ExchangeRows, index: number): T {
    const before = this.#presence.size + this.#values.size;
    let isKnown = true;
    const value = this.#compute(
      rows.watchedAt(index, {
        presence: field => this.#presence.add(field),
        value: field => this.#values.add(field),
        others: () => {
          this.#readsOthers = true;
        },
        later: () => {
          isKnown = false;
        },
      }),
    );
    if (!isKnown || this.#presence.size + this.#values.size > before) this.#forget();
    return value;
  }
}

/** Without holes, which would make every look-up slow. */
function put<T>(values: (T | undefined)[], at: number, value: T): void {
  while (values.length <= at) values.push(undefined);
  values[at] = value;
}
