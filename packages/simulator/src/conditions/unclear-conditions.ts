/** Conditions that read headers of which a recording shows only a part: they hold if they hold for each way to complete them. */
import { EvaluationError, type NonValue, Unknown } from '@tollgate/cel';
import { combineUndecided } from '@tollgate/cel/tooling';
import { isUnclearInput, partlyKnown, unclearKey } from '../exchange-state/dialect.ts';
import { requestWithHeaders, responseWithHeaders, valuesIn } from '../exchange-state/recorded-state.ts';
import type { TrafficState } from '../exchange-state/traffic-state.ts';

// Servers write a dash, or nothing, for a header that was not sent, so that one with this value looks the same in their logs; some write a dash
// also for an empty value. Servers join the values of a header that was sent several times, so that it looks like one with commas in its value.
// Such a header has some possible meanings: a condition that has the same result under all of them has that result. What is decided so is the part of a rule's condition that reads the same inputs, whether conditions are evaluated exchange by exchange
// or once for each distinct value.

/** What a condition evaluates to. */
export type ConditionValue = boolean | NonValue;

/** Replaces `results` by those of all conditions in a state. */
export type EvaluateConditions = (state: TrafficState, results: ConditionValue[]) => void;

/** Returns true if a result depends on a header of which the recording shows only a part. */
export function isUnclear(result: ConditionValue): boolean {
  if (!(result instanceof Unknown)) return false;
  for (const attribute of result.attributes) if (isUnclearInput(attribute)) return true;
  return false;
}

/** Replaces results that are unknown by those that they have whatever the unclear headers of the state mean. */
export function settleUnclear(state: TrafficState, results: ConditionValue[], evaluate: EvaluateConditions): void {
  let meaning: Meaning | undefined;
  for (let at = 0; at < results.length; at++) {
    if (!isUnclear(results[at]!)) continue;
    meaning ??= new Meaning(state, [...results], evaluate);
    results[at] = meaning.settled(at, MAX_MEANINGS);
  }
}

/** Returns the result of a condition from those of its conjuncts. */
export function conjunction(results: readonly ConditionValue[]): ConditionValue {
  if (results.includes(false)) return false;
  const open = results.filter(result => result !== true);
  return open.length === 0 ? true : open.reduce(combineUndecided);
}

/** A condition whose unclear headers have more meanings together stays unknown: it is evaluated for each of them. */
const MAX_MEANINGS = 32;

/** A state in which some unclear headers have one of their meanings. */
class Meaning {
  readonly #state: TrafficState;
  readonly #results: readonly ConditionValue[];
  readonly #evaluate: EvaluateConditions;
  /** By the name of a header: what it may mean. Conditions that read the same header share them. */
  readonly #known = new Map<string, readonly Meaning[]>();

  constructor(state: TrafficState, results: readonly ConditionValue[], evaluate: EvaluateConditions) {
    this.#state = state;
    this.#results = results;
    this.#evaluate = evaluate;
  }

  settled(at: number, limit: number): ConditionValue {
    const result = this.#results[at]!;
    if (!(result instanceof Unknown)) return result;
    for (const attribute of result.attributes.filter(isUnclearInput).sort()) {
      const meanings = this.#meaningsOf(attribute);
      if (meanings.length === 0 || meanings.length > limit) continue;
      return whichever(
        meanings.map(one => one.settled(at, limit / meanings.length)),
        attribute,
      );
    }
    return result;
  }

  #meaningsOf(attribute: string): readonly Meaning[] {
    const known = this.#known.get(attribute);
    if (known !== undefined) return known;
    const meanings = statesOf(this.#state, attribute).map(state => this.#under(state));
    this.#known.set(attribute, meanings);
    return meanings;
  }

  #under(state: TrafficState): Meaning {
    const results: ConditionValue[] = [];
    this.#evaluate(state, results);
    return new Meaning(state, results, this.#evaluate);
  }
}

/** Returns the result that is the same under all meanings of a header; unknown if there is none. */
function whichever(results: readonly ConditionValue[], attribute: string): ConditionValue {
  const [first, ...others] = results;
  if (others.every(one => isSame(first!, one))) return first!;
  const open = results.filter(one => one instanceof Unknown);
  return open.reduce((all, one) => combineUndecided(all, one), new Unknown([attribute]));
}

function isSame(one: ConditionValue, other: ConditionValue): boolean {
  if (typeof one === 'boolean' || typeof other === 'boolean') return one === other;
  return nonValueText(one) === nonValueText(other);
}

/** Returns the state with each meaning of a header; none if the state does not have the header as it was recorded. */
function statesOf(state: TrafficState, attribute: string): readonly TrafficState[] {
  const { dialect, request, response } = state;
  const { requestHeaders, responseHeaders } = dialect.names;
  const inRequest = unclearKey(attribute, requestHeaders);
  const key = inRequest ?? unclearKey(attribute, responseHeaders);
  if (key === undefined) return [];
  const isRequest = inRequest !== undefined;
  const values = isRequest
    ? valuesIn(request, dialect.requestHeader(key))
    : valuesIn(response, dialect.responseHeader(key));
  if (!(values instanceof Unknown) || values.attributes[0] !== attribute) return [];
  return (partlyKnown(values)?.meanings ?? []).map(to =>
    isRequest
      ? { ...state, request: requestWithHeaders(request, [{ key, to }]) }
      : { ...state, response: responseWithHeaders(response, [{ key, to }]) },
  );
}

/** The same for what says the same. */
export function nonValueText(result: NonValue): string {
  if (result instanceof EvaluationError) return `${result.code}\n${result.exprId}\n${result.message}`;
  return `${result.constructor.name}\n${result instanceof Unknown ? result.attributes.join('\n') : ''}`;
}
