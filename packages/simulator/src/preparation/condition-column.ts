import type { Conditions, Environment, NonValue, TypedAst } from '@tollgate/cel';
import type { TrafficState } from '../state/traffic-state.ts';
import type { BuildActivation } from '../values/build-activation.ts';
import { nonValueText } from './non-value-text.ts';
import { type ConditionValue, settleUnclear } from './unclear-conditions.ts';

/** The results of the conjuncts that read the same inputs. Rules without such conjuncts count as true. */
export interface ColumnResults {
  /** Interned id of the results, from 0 in each column. */
  readonly number: number;
  /** Bit sets of rules whose conjuncts are not false, and are true. */
  readonly notFalse: Int32Array;
  readonly isTrue: Int32Array;
  /** Rules whose conjuncts are an error or unknown. */
  readonly open: readonly (readonly [rule: number, result: NonValue])[];
}

/** The compiled conjuncts of rules that read the same inputs. */
export interface PreparedConjuncts {
  /** Positions of the rules in their phase. */
  readonly rules: readonly number[];
  readonly conditions: Conditions;
  readonly build: BuildActivation;
  readonly source: ConjunctSources;
}

/** What was compiled: the conjuncts of each rule, and the environment that they were checked in. */
export interface ConjunctSources {
  readonly rules: readonly (readonly TypedAst[])[];
  readonly environment: Environment;
}

/** Replaces `results` by those of conjuncts, by rule. They are the same under all meanings of the headers that are unclear. */
export function evaluateConjuncts(
  { conditions, build }: PreparedConjuncts,
  state: TrafficState,
  results: ConditionValue[],
): void {
  const evaluate = (one: TrafficState, into: ConditionValue[]) => conditions.evaluateAll(build(one), into);
  evaluate(state, results);
  settleUnclear(state, results, evaluate);
}

/** Results that are kept; messages of errors may contain what clients send. */
const MOST_KNOWN = 10_000;
const FEW = 30;

/** Evaluates the conjuncts of rules that read the same inputs. */
export class ConditionColumn {
  /** The rules that have conjuncts here, among those of all phases. */
  readonly rules: readonly number[];
  readonly #compiled: PreparedConjuncts;
  readonly #words: number;
  readonly #results: (boolean | NonValue)[];
  /** By the results, as bits or a string. */
  readonly #known = new Map<string | number, ColumnResults>();
  #count = 0;

  /**
   * @param first position of the phase's first rule among the rules of all phases
   * @param words of 32 bits for all rules
   */
  constructor(compiled: PreparedConjuncts, first: number, words: number) {
    this.#compiled = compiled;
    this.rules = compiled.rules.map(rule => first + rule);
    this.#words = words;
    this.#results = compiled.rules.map(() => false);
  }

  evaluate(state: TrafficState): ColumnResults {
    evaluateConjuncts(this.#compiled, state, this.#results);
    const key = this.#bits() ?? this.#text();
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const results = this.#gather();
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    this.#known.set(key, results);
    return results;
  }

  /** Returns a bit for each rule, if there are few and no result is an error or unknown. A string takes many times as long. */
  #bits(): number | undefined {
    if (this.#results.length > FEW) return undefined;
    let bits = 0;
    for (let index = 0; index < this.#results.length; index++) {
      const result = this.#results[index];
      if (result === true) bits = 2 * bits + 1;
      else if (result === false) bits = 2 * bits;
      else return undefined;
    }
    return bits;
  }

  #text(): string {
    let text = '';
    for (const result of this.#results)
      text += result === true ? 't' : result === false ? 'f' : `(${nonValueText(result)})`;
    return text;
  }

  #gather(): ColumnResults {
    const notFalse = new Int32Array(this.#words).fill(-1);
    const isTrue = new Int32Array(this.#words).fill(-1);
    const open: [number, NonValue][] = [];
    for (const [index, result] of this.#results.entries()) {
      if (result === true) continue;
      const rule = this.rules[index]!;
      const [word, bit] = [rule >> 5, 1 << (rule & 31)];
      isTrue[word]! &= ~bit;
      if (result === false) notFalse[word]! &= ~bit;
      else open.push([rule, result]);
    }
    return { number: this.#count++, notFalse, isTrue, open };
  }
}
