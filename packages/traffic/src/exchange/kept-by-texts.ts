import type { Exchange } from './exchange.ts';
import type { ExchangeRows } from './exchange-rows.ts';

// HOT: asked several times for every exchange.

/** What is known of rows with one set of fields. */
interface Lookup<T> {
  /** By whose text it is looked up; -1 for what is the same in all rows. */
  readonly field: number;
  /** By the number of the text; at 0 where there is no field. Undefined for what is not known. */
  readonly values: readonly (T | undefined)[];
}

interface Plan<T> extends Lookup<T> {
  /** Fields that are there and whose texts count. */
  readonly fields: readonly number[];
  /** By the number of the first of them. */
  readonly values: (T | undefined)[];
  /** Of several fields: by their numbers, one after the other. */
  readonly others: Map<string, T>;
}

/** Several numbers that are kept at a time. */
const MOST_OTHERS = 20_000;

/**
 * A function of exchanges that is computed once for all that are alike in what it reads. What that is is watched while it is computed: the function has to
 * read exchanges only, and always to give the same for the same; it must not hold on to them. What it gives must not be undefined.
 */
export class KeptByTexts<T> {
  readonly #compute: (exchange: Exchange) => T;
  readonly #onChange: () => void;
  #source: object | undefined;
  /** Fields of which it reads whether they are there, and those whose texts it reads. */
  #presence = new Set<number>();
  #values = new Set<number>();
  /** It reads more than fields, so that nothing is kept. */
  #readsOthers = false;
  /** By the number of the set of fields. */
  #plans: (Plan<T> | undefined)[] = [];
  #plansByFields = new Map<string, Plan<T>>();

  /** @param onChange is told when lookups that were given do not hold any more */
  constructor(compute: (exchange: Exchange) => T, onChange: () => void = () => {}) {
    this.#compute = compute;
    this.#onChange = onChange;
  }

  at(rows: ExchangeRows, index: number): T {
    if (rows.source !== this.#source) this.#begin(rows.source);
    const set = rows.fieldSetOf(index);
    if (set < 0 || this.#readsOthers) return this.#compute(rows.moveTo(index));
    const plan = this.#plans[set] ?? this.#plan(set, rows, index);
    const { field } = plan;
    const number = field < 0 ? 0 : rows.numbers[rows.numbersOf(index) + field * rows.numberStep]!;
    if (number >= 0 && plan.fields.length < 2) {
      const value = plan.values[number];
      if (value !== undefined) return value;
    }
    return this.#find(plan, rows, index);
  }

  /** How to look up what it gives for rows with the set of fields of this one; undefined where that takes more than one number. */
  lookupFor(rows: ExchangeRows, index: number): Lookup<T> | undefined {
    if (rows.source !== this.#source) this.#begin(rows.source);
    const set = rows.fieldSetOf(index);
    if (set < 0 || this.#readsOthers) return undefined;
    const plan = this.#plans[set] ?? this.#plan(set, rows, index);
    return plan.fields.length < 2 ? plan : undefined;
  }

  /** The same for functions that read the same of rows; undefined where that cannot be told. */
  get reads(): string | undefined {
    if (this.#readsOthers) return undefined;
    const [values, presence] = [this.#values, this.#presence].map(fields => [...fields].sort((a, b) => a - b).join());
    return `${values} ${presence}`;
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
    this.#onChange();
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
    if (plan.fields.length > 1) return this.#findBySeveral(plan, rows, index);
    const number = plan.field < 0 ? 0 : rows.giveNumber(index, plan.field);
    if (number < 0) return this.#compute(rows.moveTo(index));
    const known = plan.values[number];
    if (known !== undefined) return known;
    const value = this.#watch(rows, index);
    if (this.#isKept(plan)) put(plan.values, number, value);
    return value;
  }

  #findBySeveral(plan: Plan<T>, rows: ExchangeRows, index: number): T {
    let key = '';
    for (const field of plan.fields) {
      const number = rows.giveNumber(index, field);
      if (number < 0) return this.#compute(rows.moveTo(index));
      key += `${number} `;
    }
    const known = plan.others.get(key);
    if (known !== undefined) return known;
    const value = this.#watch(rows, index);
    if (this.#isKept(plan) && plan.others.size < MOST_OTHERS) plan.others.set(key, value);
    return value;
  }

  /** False where what it reads has grown since, or has turned out to be more than can be told by texts. */
  #isKept(plan: Plan<T>): boolean {
    return !this.#readsOthers && this.#plans.includes(plan);
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
