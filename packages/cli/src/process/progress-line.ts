// A line on the terminal that says how far a command is.

import { formatCount } from '@tollgate/reports';
import type { Terminal } from './terminal.ts';

/** The terminal and clock of a progress line. */
export interface ProgressScreen {
  readonly write: (text: string) => void;
  readonly columns: number;
  /** Current time in ms. */
  readonly now: () => number;
}

/** Short runs finish before anyone could read it. */
const QUIET_MS = 500;
const REDRAW_MS = 100;
const CLEAR = '\r\u001b[K';

/** One line of the terminal that is drawn again and again. */
export class ProgressLine {
  readonly #screen: ProgressScreen;
  readonly #start: number;
  #drawnAt = 0;
  #isShown = false;

  constructor(screen: ProgressScreen) {
    this.#screen = screen;
    this.#start = screen.now();
  }

  /** Draws the line if it is time to. The text gets the width and the ms since the start. */
  draw(text: (columns: number, elapsedMs: number) => string): void {
    const now = this.#screen.now();
    if (now - this.#start < QUIET_MS || now - this.#drawnAt < REDRAW_MS) return;
    this.#drawnAt = now;
    this.#isShown = true;
    this.#screen.write(`${CLEAR}${text(this.#screen.columns - 1, now - this.#start)}`);
  }

  /** Clears the line. */
  clear(): void {
    if (this.#isShown) this.#screen.write(CLEAR);
    this.#isShown = false;
  }
}

/** Yields the items, and shows on a terminal how many are done. */
export function* withProgress<T>(
  items: readonly T[],
  { writeError, errorColumns }: Pick<Terminal, 'writeError' | 'errorColumns'>,
  now: () => number = () => performance.now(),
): Generator<T> {
  const line =
    errorColumns === undefined ? undefined : new ProgressLine({ write: writeError, columns: errorColumns, now });
  try {
    for (const [index, item] of items.entries()) {
      line?.draw(progressText(index, items.length));
      yield item;
    }
  } finally {
    line?.clear();
  }
}

/** Returns what a progress line says about files. */
export function progressText(done: number, all: number): (columns: number) => string {
  return columns => `${formatCount(done)} of ${formatCount(all)} files`.slice(0, columns);
}
