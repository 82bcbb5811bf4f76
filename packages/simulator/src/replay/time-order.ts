/** Exchanges of several files in the order of time, as rate limits need them. */
import { ExternalError } from '@tollgate/diagnostics';
import {
  type Exchange,
  type ReadTrafficOptions,
  type TrafficBatch,
  type TrafficReader,
  UNREADABLE_RECORD,
} from '@tollgate/traffic';

/** Size of a batch. */
const GIVEN = 256;

/** Reads files, and observes that, in the order of the files rather than of time. */
interface ReadingWatch {
  readonly reader: TrafficReader;
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
    this.#batches = watch.reader.read(file, traffic);
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

/** The number of exchanges of a file that are buffered to sort them: servers write a line when a request ends, some with the time when it began. */
const HELD = 2000;
/** The number of files that are read at the same time. */
const MAX_OPEN = 64;

/** A file whose exchanges can be sorted with a buffer of {@link HELD}. */
interface TimedFile {
  readonly file: string;
  /** Its position among the files. */
  readonly index: number;
  /** The earliest time in it, in ms. */
  readonly from: number;
}

/** The files by their first time, or why their exchanges cannot be sorted. */
export type FileOrder = { readonly files: readonly TimedFile[] } | { readonly fault: string };

interface Times {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly isSorted: boolean;
  readonly hasAll: boolean;
}

/**
 * Determines whether the exchanges of files can be sorted by time, by reading all their times. Standard input is assumed to be in order,
 * because it can be read only once.
 */
export async function orderOfFiles(
  files: readonly string[],
  reader: TrafficReader,
  traffic: ReadTrafficOptions = {},
): Promise<FileOrder> {
  if (reader.isGrowing) return { fault: 'a recording that is followed cannot be sorted by time' };
  if (files.includes('-')) {
    if (files.length > 1) return { fault: 'the standard input cannot be merged with files' };
    return { files: [{ file: '-', index: 0, from: Number.NEGATIVE_INFINITY }] };
  }
  const found: (TimedFile & Times)[] = [];
  for (const [index, file] of files.entries()) {
    const times = await timesIn(reader.read(file, { ...traffic, strict: false }));
    if (!times.isSorted) return { fault: `\`${file}\` is not sorted by time` };
    if (files.length > 1 && !times.hasAll) return { fault: `\`${file}\` has exchanges without a time` };
    found.push({ file, index, ...times });
  }
  const isTooWide = mostAtOnce(found.filter(({ count }) => count > 0)) > MAX_OPEN;
  if (isTooWide) return { fault: `more than ${MAX_OPEN} files are of the same time` };
  return { files: found.toSorted((a, b) => a.from - b.from || a.index - b.index) };
}

/** Returns the largest number of files that overlap in time. */
function mostAtOnce(files: readonly Times[]): number {
  const ends = files.map(({ to }) => to).toSorted((a, b) => a - b);
  let [most, ended] = [0, 0];
  for (const [begun, from] of files
    .map(one => one.from)
    .toSorted((a, b) => a - b)
    .entries()) {
    while (ended < ends.length && ends[ended]! < from) ended++;
    most = Math.max(most, begun + 1 - ended);
  }
  return most;
}

async function timesIn(batches: AsyncIterable<TrafficBatch>): Promise<Times> {
  const buffer = new TimeBuffer<undefined>();
  const times = {
    from: Number.POSITIVE_INFINITY,
    to: Number.NEGATIVE_INFINITY,
    count: 0,
    isSorted: true,
    hasAll: true,
  };
  let given = Number.NEGATIVE_INFINITY;
  const take = ({ time }: { readonly time: number | undefined }) => {
    times.count++;
    if (time === undefined) {
      times.hasAll = false;
      return;
    }
    times.from = Math.min(times.from, time);
    times.to = Math.max(times.to, time);
    if (time < given) times.isSorted = false;
    buffer.add(time, undefined);
    if (buffer.size > HELD) given = buffer.take()!.time;
  };
  try {
    for await (const batch of batches) batch.exchanges.forEach(take);
  } catch (error) {
    // Reported later, when the file is replayed.
    if (!(error instanceof ExternalError)) throw error;
  }
  return times;
}

/** A value with a position in the order of time. */
interface Timed<T> {
  readonly time: number;
  readonly value: T;
}

interface Entry<T> extends Timed<T> {
  /** Breaks ties in order of arrival. */
  readonly order: number;
}

/** A binary heap of values that are buffered to return them in order of time. */
class TimeBuffer<T> {
  readonly #heap: Entry<T>[] = [];
  #added = 0;

  get size(): number {
    return this.#heap.length;
  }

  /** The earliest value, without removing it. */
  get first(): Timed<T> | undefined {
    return this.#heap[0];
  }

  add(time: number, value: T): void {
    const heap = this.#heap;
    const entry = { time, value, order: this.#added++ };
    let at = heap.length;
    heap.push(entry);
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!isBefore(entry, heap[above]!)) break;
      heap[at] = heap[above]!;
      at = above;
    }
    heap[at] = entry;
  }

  /** Removes and returns the earliest value. */
  take(): Timed<T> | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return first;
    let at = 0;
    for (let below = 1; below < heap.length; below = 2 * at + 1) {
      if (below + 1 < heap.length && isBefore(heap[below + 1]!, heap[below]!)) below++;
      if (!isBefore(heap[below]!, last)) break;
      heap[at] = heap[below]!;
      at = below;
    }
    heap[at] = last;
    return first;
  }
}

function isBefore<T>(a: Entry<T>, b: Entry<T>): boolean {
  return a.time < b.time || (a.time === b.time && a.order < b.order);
}

/** The exchanges before a given one in a recording. */
export interface History {
  /** Why the order of the exchanges is unknown; `exchanges` is then empty. */
  readonly orderFault: string | undefined;
  /** The earlier ones, in order of time. */
  readonly exchanges: AsyncIterable<Exchange>;
}

/** Reads the exchanges that precede one in its file. Throws an `ExternalError` if the file cannot be read. */
export async function historyOf(
  { place }: Exchange,
  reader: TrafficReader,
  traffic: ReadTrafficOptions,
): Promise<History> {
  const order = await orderOfFiles([place.file], reader, traffic);
  if ('fault' in order) return { orderFault: order.fault, exchanges: earlier([]) };
  const failed = (_: string, error: Error) => {
    throw error;
  };
  return {
    orderFault: undefined,
    exchanges: earlier(readInOrder(order.files, traffic, { reader, failed }), place.number),
  };
}

async function* earlier(
  batches: AsyncIterable<readonly Exchange[]> | readonly (readonly Exchange[])[],
  number?: number,
): AsyncGenerator<Exchange> {
  for await (const exchanges of batches) {
    for (const exchange of exchanges) {
      if (exchange.place.number === number) return;
      yield exchange;
    }
  }
}
