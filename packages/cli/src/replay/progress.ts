import { countText } from '../text/format-count.ts';

/** What a line of progress is drawn of. */
export interface ProgressState {
  readonly exchanges: number;
  /** Read, of the files as they lie on the disk. */
  readonly bytes: number;
  /** Of all files; undefined where that is not known. */
  readonly totalBytes: number | undefined;
  readonly elapsedMs: number;
}

/** Where progress is shown, and by which clock. */
export interface ProgressScreen {
  readonly write: (text: string) => void;
  readonly columns: number;
  /** In ms. */
  readonly now: () => number;
}

/** Short inputs are done before anyone could read it. */
const QUIET_MS = 500;
const REDRAW_MS = 100;
const CLEAR = '\r\u001b[K';

/** Shows on one line of the terminal how far a replay has come. */
export class Progress {
  readonly #screen: ProgressScreen;
  readonly #totalBytes: number | undefined;
  readonly #start: number;
  #drawnAt = 0;
  #isShown = false;
  #exchanges = 0;
  #bytes = 0;

  constructor(screen: ProgressScreen, totalBytes: number | undefined) {
    this.#screen = screen;
    this.#totalBytes = totalBytes;
    this.#start = screen.now();
  }

  read(bytes: number): void {
    this.#bytes += bytes;
  }

  replayed(exchanges: number): void {
    this.#exchanges += exchanges;
    const now = this.#screen.now();
    if (now - this.#start < QUIET_MS || now - this.#drawnAt < REDRAW_MS) return;
    this.#drawnAt = now;
    this.#isShown = true;
    const state = { exchanges: this.#exchanges, bytes: this.#bytes, totalBytes: this.#totalBytes };
    const text = progressText({ ...state, elapsedMs: now - this.#start }, this.#screen.columns - 1);
    this.#screen.write(`${CLEAR}${text}`);
  }

  /** Leaves the line as if there had been none. */
  clear(): void {
    if (this.#isShown) this.#screen.write(CLEAR);
    this.#isShown = false;
  }
}

/** One line of at most so many columns: what matters least goes first. */
export function progressText({ exchanges, bytes, totalBytes, elapsedMs }: ProgressState, columns: number): string {
  const seconds = elapsedMs / 1000;
  const share = totalBytes ? Math.min(1, bytes / totalBytes) : undefined;
  const figures = [
    `${countText(exchanges)} exchanges`,
    `${countText(Math.round(exchanges / seconds))}/s`,
    ...(share === undefined ? [`${countText(Math.round(bytes / 1e6))} MB`] : []),
    ...(share !== undefined && share > 0 && share < 1 ? [leftText((seconds * (1 - share)) / share)] : []),
  ];
  const percent = share === undefined ? [] : [`${Math.floor(share * 100)} %`.padStart(5)];
  const bar = share === undefined ? [] : [barOf(share)];
  const lines = [
    [...percent, ...bar, ...figures],
    [...percent, ...figures],
    [...percent, figures[0]!],
  ].map(parts => parts.join('  '));
  return lines.find(line => line.length <= columns) ?? lines[2]!.slice(0, Math.max(0, columns));
}

const BAR = 20;

function barOf(share: number): string {
  const solid = Math.round(BAR * share);
  return '█'.repeat(solid) + '░'.repeat(BAR - solid);
}

function leftText(seconds: number): string {
  const rounded = Math.ceil(seconds);
  if (rounded < 60) return `${rounded} s left`;
  if (rounded < 3600) return `${Math.ceil(rounded / 60)} min left`;
  return `${Math.floor(rounded / 3600)} h ${Math.ceil((rounded % 3600) / 60)} min left`;
}
