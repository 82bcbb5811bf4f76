// How far a replay is.

import { stat } from 'node:fs/promises';
import { formatCount } from '@tollgate/reports';
import { ProgressLine, type ProgressScreen } from '../process/progress-line.ts';
import type { Terminal } from '../process/terminal.ts';

/** The figures of a progress line. */
interface ProgressState {
  readonly exchanges: number;
  /** Bytes read from disk, before decompression. */
  readonly bytes: number;
  /** Size of all files; undefined if unknown. */
  readonly totalBytes: number | undefined;
  readonly elapsedMs: number;
}

/** Shows the progress of a replay on one line of the terminal. */
export class Progress {
  readonly #line: ProgressLine;
  readonly #totalBytes: number | undefined;
  #exchanges = 0;
  #bytes = 0;

  constructor(screen: ProgressScreen, totalBytes: number | undefined) {
    this.#line = new ProgressLine(screen);
    this.#totalBytes = totalBytes;
  }

  read(bytes: number): void {
    this.#bytes += bytes;
  }

  replayed(exchanges: number): void {
    this.#exchanges += exchanges;
    const state = { exchanges: this.#exchanges, bytes: this.#bytes, totalBytes: this.#totalBytes };
    this.#line.draw((columns, elapsedMs) => progressText({ ...state, elapsedMs }, columns));
  }

  /** Clears the line. */
  clear(): void {
    this.#line.clear();
  }
}

/** Returns the progress line of a run if standard error is a terminal. */
export async function openProgress(
  { files, progress }: { readonly files: readonly string[]; readonly progress: boolean },
  { errorColumns: columns, writeError }: Pick<Terminal, 'errorColumns' | 'writeError'>,
): Promise<Progress | undefined> {
  if (columns === undefined || !progress) return undefined;
  return new Progress({ write: writeError, columns, now: () => performance.now() }, await totalSize(files));
}

/** Returns a line of at most this many columns, with the least important figures left out first. */
export function progressText({ exchanges, bytes, totalBytes, elapsedMs }: ProgressState, columns: number): string {
  const seconds = elapsedMs / 1000;
  const share = totalBytes ? Math.min(1, bytes / totalBytes) : undefined;
  const figures = [
    `${formatCount(exchanges)} exchanges`,
    `${formatCount(Math.round(exchanges / seconds))}/s`,
    ...(share === undefined ? [`${formatCount(Math.round(bytes / 1e6))} MB`] : []),
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

/** Returns the size of all files together in bytes; undefined if one has no size, such as a pipe. */
async function totalSize(files: readonly string[]): Promise<number | undefined> {
  let sum = 0;
  for (const file of files) {
    const stats = file === '-' ? undefined : await stat(file).catch(() => undefined);
    if (stats?.isFile() !== true) return undefined;
    sum += stats.size;
  }
  return sum;
}
