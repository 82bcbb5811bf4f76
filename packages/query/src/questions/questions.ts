/** The questions about an exchange: functions of few inputs, evaluated once for each of their distinct values. */
import {
  type ConjunctSources,
  type ImpactDimension,
  type KeyDimension,
  type Leaves,
  listedKey,
} from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';

/** A function of exchanges that depends on few inputs, and is evaluated once for each of their distinct values. */
export interface Question {
  /** Numbers of the inputs that the answer depends on, as far as is known. */
  readonly reads: Set<number>;
  /** The class of the answer, or a key that is listed; undefined if that is unknown. */
  readonly ask: (exchange: Exchange) => number | string | undefined;
  /** The dimension of a key; undefined for what decides. */
  readonly dimension: ImpactDimension | undefined;
  /** The conditions whose results are the class of the answer; undefined if it is something else. */
  readonly source?: ConjunctSources | undefined;
}

/** The dimensions of keys. */
export const DIMENSIONS: readonly KeyDimension[] = ['clients', 'paths', 'countries'];

/** The dimensions of keys of exchanges that change. */
export const IMPACT_DIMENSIONS: readonly ImpactDimension[] = [...DIMENSIONS, 'prefixes'];

/** Returns the leaves, then the questions for the recorded status and for headers, then those for keys. */
export function questionsOf(
  { leaves, sources }: Pick<Leaves, 'leaves' | 'sources'>,
  withKeys: boolean,
): readonly Question[] {
  return [...deciding([...leaves, statusOf, headersOf], sources), ...(withKeys ? DIMENSIONS.map(keyOf) : [])];
}

/** Returns the leaves of two policies, then the questions for keys. */
export function impactQuestionsOf({ leaves, sources }: Pick<Leaves, 'leaves' | 'sources'>): readonly Question[] {
  return [...deciding(leaves, sources), ...IMPACT_DIMENSIONS.map(keyOf)];
}

function deciding(asked: readonly Question['ask'][], sources: Leaves['sources']): readonly Question[] {
  return asked.map((ask, at) => ({ reads: new Set(), ask, dimension: undefined, source: sources[at] }));
}

function keyOf(dimension: ImpactDimension): Question {
  return { reads: new Set(), ask: exchange => listedKey(exchange, dimension), dimension };
}

/** Exchanges of one group have the same recorded status. */
function statusOf({ response }: Exchange): number {
  return response?.status ?? 0;
}

/** Whether the recording may have all headers of the request, and of the response. */
function headersOf({ requestHeaders, response }: Exchange): number {
  return Number(requestHeaders.mayBeComplete === true) + 2 * Number(response?.headers.mayBeComplete === true);
}

/** Numbers for values, from 0, in the order of their first occurrence. */
export class Dictionary<T> {
  readonly #numbers = new Map<T, number>();

  get size(): number {
    return this.#numbers.size;
  }

  get values(): readonly T[] {
    return [...this.#numbers.keys()];
  }

  numberOf(value: T): number {
    const known = this.#numbers.get(value);
    if (known !== undefined) return known;
    this.#numbers.set(value, this.#numbers.size);
    return this.#numbers.size - 1;
  }
}

/** A code from 0 to below its size, in an integer with others. */
export interface PackedCode {
  readonly size: number;
  /** The number of combinations of the codes before it. */
  readonly factor: number;
}

/** Packs codes into as few integers as are exact in JavaScript. */
export function packed<Code extends Pick<PackedCode, 'size'>>(
  codes: readonly Code[],
): readonly (readonly (Code & PackedCode)[])[] {
  const words: (Code & PackedCode)[][] = [];
  let product = 1;
  for (const code of codes) {
    // Without rows, there are no codes.
    if (words.length === 0 || product * code.size > Number.MAX_SAFE_INTEGER) {
      words.push([]);
      product = 1;
    }
    words.at(-1)!.push({ ...code, factor: product });
    product *= code.size;
  }
  return words;
}
