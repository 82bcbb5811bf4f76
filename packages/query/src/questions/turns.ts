/** Lets timers and signals in between long computations. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** The longest time, in ms, in which a signal may wait. */
const LONGEST = 10;

/** Divides long work: between turns, the process handles signals. */
export class Turns {
  readonly #stop: AbortSignal | undefined;
  readonly #now: () => number;
  #begun: number;

  /**
   * @param stop ends the work with its reason
   * @param now the time in ms
   */
  constructor(stop: AbortSignal | undefined, now: () => number = () => performance.now()) {
    this.#stop = stop;
    this.#now = now;
    this.#begun = now();
  }

  /** Whether the work has taken so long that it is time for the next turn. */
  get areDue(): boolean {
    return this.#now() - this.#begun > LONGEST;
  }

  async next(): Promise<void> {
    await nextTurn();
    this.#stop?.throwIfAborted();
    this.#begun = this.#now();
  }
}

/** Deciding or counting so many groups takes a few milliseconds. */
const AT_ONCE = 2048;

/** Yields a list in parts. Between them, the process handles signals, and `stop` ends the work with its reason. */
export async function* inTurns<Item>(
  items: readonly Item[],
  stop: AbortSignal | undefined,
): AsyncGenerator<readonly Item[]> {
  for (let at = 0; at < items.length; at += AT_ONCE) {
    if (at > 0) await nextTurn();
    stop?.throwIfAborted();
    yield items.slice(at, at + AT_ONCE);
  }
}
