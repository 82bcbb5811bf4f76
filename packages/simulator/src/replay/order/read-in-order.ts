import { ExternalError } from '@tollgate/diagnostics';
import {
  type Exchange,
  type ReadTrafficOptions,
  readTraffic,
  type TrafficBatch,
  UNREADABLE_RECORD,
} from '@tollgate/traffic';
import { HELD, type TimedFile } from './file-order.ts';
import { TimeBuffer } from './time-buffer.ts';

/** Size of a batch. */
const GIVEN = 256;

/** Observes the reading of files, in the order of the files rather than of time. */
interface ReadingWatch {
  readonly read?: (file: string, batch: TrafficBatch) => void;
  /** The file cannot be read, or not to its end. */
  readonly failed: (file: string, error: ExternalError) => void;
}

/**
 * Merges files in the order of time; at equal times, the file that was named first comes first. A file is opened when its first time is due,
 * and {@link HELD} of its exchanges are buffered.
 * @param files in the order of their first times
 */
export async function* readInOrder(
  files: readonly TimedFile[],
  traffic: ReadTrafficOptions,
  watch: ReadingWatch,
): AsyncGenerator<readonly Exchange[]> {
  const open: OrderedFile[] = [];
  let next = 0;
  let given: Exchange[] = [];
  try {
    for (;;) {
      let first = earliest(open);
      while (next < files.length && (first === undefined || files[next]!.from <= first.time!)) {
        const file = new OrderedFile(files[next++]!, traffic, watch);
        await file.fill();
        open.push(file);
        first = earliest(open);
      }
      if (first === undefined) break;
      given.push(first.take());
      if (first.isShort) {
        // Yield before waiting for more input.
        yield given;
        given = [];
        await first.fill();
        if (first.time === undefined) open.splice(open.indexOf(first), 1);
      }
      if (given.length < GIVEN) continue;
      yield given;
      given = [];
    }
    if (given.length > 0) yield given;
  } finally {
    for (const file of open) await file.close();
  }
}

function earliest(open: readonly OrderedFile[]): OrderedFile | undefined {
  let first: OrderedFile | undefined;
  for (const file of open) {
    const { time } = file;
    if (time === undefined) continue;
    const isEarlier = first === undefined || time < first.time! || (time === first.time && file.index < first.index);
    if (isEarlier) first = file;
  }
  return first;
}

class OrderedFile {
  readonly index: number;
  readonly #file: string;
  readonly #watch: ReadingWatch;
  readonly #batches: AsyncGenerator<TrafficBatch>;
  readonly #buffer = new TimeBuffer<Exchange>();
  #hasEnded = false;
  /** Of the last exchange with a time; exchanges without one stay next to their neighbours. */
  #time = Number.NEGATIVE_INFINITY;

  constructor({ file, index }: TimedFile, traffic: ReadTrafficOptions, watch: ReadingWatch) {
    this.index = index;
    this.#file = file;
    this.#watch = watch;
    this.#batches = readTraffic(file, traffic);
  }

  /** Of the next exchange; undefined at the end. */
  get time(): number | undefined {
    return this.#buffer.first?.time;
  }

  /** Whether more input is needed to know the next exchange. */
  get isShort(): boolean {
    return this.#hasEnded ? this.#buffer.size === 0 : this.#buffer.size <= this.#held;
  }

  /** A pipe is not buffered: it is assumed to be in order, and its exchanges are shown as they arrive. */
  get #held(): number {
    return this.#file === '-' ? 0 : HELD;
  }

  take(): Exchange {
    return this.#buffer.take()!.value;
  }

  async fill(): Promise<void> {
    try {
      while (!this.#hasEnded && this.#buffer.size <= this.#held) {
        const { done, value: batch } = await this.#batches.next();
        if (done) this.#hasEnded = true;
        else this.#add(batch);
      }
    } catch (error) {
      this.#hasEnded = true;
      if (!(error instanceof ExternalError) || error.code === UNREADABLE_RECORD) throw error;
      this.#watch.failed(this.#file, error);
    }
  }

  #add(batch: TrafficBatch): void {
    this.#watch.read?.(this.#file, batch);
    for (const exchange of batch.exchanges) {
      // Late exchanges of a pipe stay where they are.
      const { time = this.#time } = exchange;
      this.#time = this.#file === '-' ? Math.max(this.#time, time) : time;
      this.#buffer.add(this.#time, exchange);
    }
  }

  async close(): Promise<void> {
    await this.#batches.return(undefined);
  }
}
