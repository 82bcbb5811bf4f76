import { ExternalError } from '@tollgate/diagnostics';
import { type ReadTrafficOptions, readTraffic } from '@tollgate/traffic';
import { TimeBuffer } from './time-buffer.ts';

/** The number of exchanges of a file that are buffered to sort them: servers write a line when a request ends, some with the time when it began. */
export const HELD = 2000;
/** The number of files that are read at the same time. */
const MOST_OPEN = 64;

/** A file whose exchanges can be sorted with a buffer of {@link HELD}. */
export interface TimedFile {
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
export async function orderOfFiles(files: readonly string[], traffic: ReadTrafficOptions = {}): Promise<FileOrder> {
  if (files.includes('-')) {
    if (files.length > 1) return { fault: 'the standard input cannot be merged with files' };
    return { files: [{ file: '-', index: 0, from: Number.NEGATIVE_INFINITY }] };
  }
  const found: (TimedFile & Times)[] = [];
  for (const [index, file] of files.entries()) {
    const times = await timesIn(file, traffic);
    if (!times.isSorted) return { fault: `\`${file}\` is not sorted by time` };
    if (files.length > 1 && !times.hasAll) return { fault: `\`${file}\` has exchanges without a time` };
    found.push({ file, index, ...times });
  }
  const isTooWide = mostAtOnce(found.filter(({ count }) => count > 0)) > MOST_OPEN;
  if (isTooWide) return { fault: `more than ${MOST_OPEN} files are of the same time` };
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

async function timesIn(file: string, traffic: ReadTrafficOptions): Promise<Times> {
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
    for await (const batch of readTraffic(file, { ...traffic, strict: false })) batch.exchanges.forEach(take);
  } catch (error) {
    // Reported later, when the file is replayed.
    if (!(error instanceof ExternalError)) throw error;
  }
  return times;
}
