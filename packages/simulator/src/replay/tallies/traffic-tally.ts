import type { ExternalError } from '@tollgate/diagnostics';
import type { SkippedRecord, SkipReason, TrafficBatch } from '@tollgate/traffic';
import type { FileFailure, FileSummary, SkippedSummary, TrafficSummary } from '../summary/summary.ts';

/** The number of skipped records that are listed for each reason. */
const SHOWN = 3;

interface FileTally {
  exchanges: number;
  skipped: number;
  failure?: FileFailure;
}

/** Counts what was read. */
export class TrafficTally {
  readonly #files = new Map<string, FileTally>();
  readonly #skipped = new Map<SkipReason, { count: number; readonly first: SkippedRecord[] }>();

  /** Adds a file from which nothing has been read yet. */
  open(file: string): void {
    this.#count(file);
  }

  add(file: string, batch: TrafficBatch): void {
    const counts = this.#count(file);
    counts.exchanges += batch.exchanges.length;
    counts.skipped += batch.skipped.length;
    for (const record of batch.skipped) this.#skip(record);
  }

  fail(file: string, { code, message }: ExternalError): void {
    this.#count(file).failure = { code, message };
  }

  get exchanges(): number {
    return [...this.#files.values()].reduce((sum, file) => sum + file.exchanges, 0);
  }

  summary(): TrafficSummary {
    return { exchanges: this.exchanges, files: this.files(), skipped: this.skipped() };
  }

  files(): FileSummary[] {
    return [...this.#files].map(([file, counts]) => ({ file, ...counts }));
  }

  skipped(): SkippedSummary[] {
    return [...this.#skipped].map(([reason, { count, first }]) => ({ reason, count, first }));
  }

  #count(file: string): FileTally {
    const counts: FileTally = this.#files.get(file) ?? { exchanges: 0, skipped: 0 };
    this.#files.set(file, counts);
    return counts;
  }

  #skip(record: SkippedRecord): void {
    const known = this.#skippedFor(record.reason);
    known.count++;
    if (known.first.length < SHOWN) known.first.push(record);
  }

  #skippedFor(reason: SkipReason): { count: number; readonly first: SkippedRecord[] } {
    const known = this.#skipped.get(reason) ?? { count: 0, first: [] };
    this.#skipped.set(reason, known);
    return known;
  }
}
