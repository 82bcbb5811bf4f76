import type { KeySummary } from '@tollgate/simulator';

interface FrequentKey {
  readonly key: number;
  readonly count: number;
}

/** The keys of one rule or outcome. */
interface SeriesKeys {
  /** Most frequent first, equal ones in the order of keys. */
  readonly top: FrequentKey[];
  distinct: number;
  unknown: number;
}

/** Counts keys by series, key after key, so that only the counts of one key are kept next to the most frequent ones. */
export class KeyCounts {
  readonly #listed: readonly (readonly number[])[];
  readonly #top: number;
  readonly #series: readonly SeriesKeys[];
  /** By series: the count of the current key. */
  readonly #counts: Float64Array;
  /** The series that have counts of it. */
  readonly #counted: number[] = [];
  #key: number | null = null;

  /**
   * @param listed by kind: the series that count its keys
   * @param top the number of keys to list
   */
  constructor(listed: readonly (readonly number[])[], seriesCount: number, top: number) {
    this.#listed = listed;
    this.#top = top;
    this.#series = Array.from({ length: seriesCount }, () => ({ top: [], distinct: 0, unknown: 0 }));
    this.#counts = new Float64Array(seriesCount);
  }

  /** Call it in the order of keys; null for an unknown one. */
  add(key: number | null, kind: number, times: number): void {
    if (key !== this.#key) this.#finishKey();
    this.#key = key;
    for (const series of this.#listed[kind]!) {
      if (this.#counts[series] === 0) this.#counted.push(series);
      this.#counts[series]! += times;
    }
  }

  /** @param textsOf returns keys by their numbers */
  async summaries(textsOf: (keys: readonly number[]) => Promise<readonly string[]>): Promise<readonly KeySummary[]> {
    this.#finishKey();
    const listed = [...new Set(this.#series.flatMap(({ top }) => top.map(({ key }) => key)))];
    const found = await textsOf(listed);
    const texts = new Map(listed.map((key, at) => [key, found[at]!]));
    return this.#series.map(({ top, ...counts }) => ({
      top: top.map(({ key, count }) => ({ text: texts.get(key)!, count: { least: count, most: count } })),
      ...counts,
    }));
  }

  #finishKey(): void {
    const key = this.#key;
    for (const number of this.#counted) {
      const [series, count] = [this.#series[number]!, this.#counts[number]!];
      this.#counts[number] = 0;
      if (key === null) series.unknown = count;
      else {
        series.distinct++;
        this.#list(series.top, { key, count });
      }
    }
    this.#counted.length = 0;
  }

  #list(top: FrequentKey[], one: FrequentKey): void {
    let at = top.length;
    while (at > 0 && top[at - 1]!.count < one.count) at--;
    if (at >= this.#top) return;
    top.splice(at, 0, one);
    if (top.length > this.#top) top.pop();
  }
}
