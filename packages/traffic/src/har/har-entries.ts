import { excerptOf, type SkippedRecord, type TrafficBatch } from '../exchange/batch.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { RecordLocation } from '../exchange/record-location.ts';
import { isRecord } from '../input/json.ts';
import { readEntry } from './entry.ts';
import type { HarRecord } from './har-scanner.ts';
import { hasSensitiveHeader, mayWithhold, SENSITIVE } from './withheld-headers.ts';

/** The size of entries that are buffered until it is known whether the file leaves headers out. Twice as much grows V8's heap by 100 MB. */
const HELD_BYTES = 256 * 1024;

interface HeldEntry {
  readonly entry: unknown;
  readonly place: RecordLocation;
}

/**
 * Converts the records of a HAR file to exchanges. Only all entries together show whether the file leaves headers out, so the entries before
 * the first sensitive header are buffered; beyond the limit, what they lack is unknown.
 */
export class HarEntries {
  readonly #file: string;
  #number = 0;
  /** Undefined until the creator of the file is known. */
  #mayWithhold: boolean | undefined;
  #hasSensitive = false;
  #held: HeldEntry[] = [];
  #heldBytes = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** The number of entries so far, including skipped ones. */
  get count(): number {
    return this.#number;
  }

  /** Returns the exchanges that can be completed by now. */
  add(records: readonly HarRecord[]): TrafficBatch {
    const skipped: SkippedRecord[] = [];
    for (const record of records) {
      if (record.kind === 'creator') this.#mayWithhold = mayWithhold(parsed(record.text));
      else this.#hold(record, skipped);
    }
    if (this.#heldBytes > HELD_BYTES || this.#isComplete) return this.#release(skipped);
    return { exchanges: [], skipped };
  }

  /** Returns the remaining exchanges. @param isWhole the file was read to its end */
  finish(isWhole: boolean): TrafficBatch {
    // At the end of the file, it is clear that the creator is not named.
    if (isWhole) this.#mayWithhold ??= false;
    return this.#release([]);
  }

  get #isComplete(): boolean {
    return this.#hasSensitive || this.#mayWithhold === false;
  }

  #hold({ text, tooLarge }: HarRecord, skipped: SkippedRecord[]): void {
    const place: RecordLocation = { file: this.#file, number: ++this.#number, unit: 'entry' };
    const entry = tooLarge ? undefined : parsed(text);
    if (entry === undefined) {
      const reason = tooLarge ? 'traffic/entry-too-large' : 'traffic/malformed-entry';
      skipped.push({ place, reason, excerpt: excerptOf(text) });
      return;
    }
    this.#hasSensitive ||= hasSensitiveHeader(entry);
    this.#held.push({ entry, place });
    this.#heldBytes += text.length;
  }

  #release(skipped: SkippedRecord[]): TrafficBatch {
    const withheld = this.#isComplete ? [] : SENSITIVE;
    const exchanges: Exchange[] = [];
    for (const { entry, place } of this.#held) {
      const exchange = readEntry(entry, place, withheld);
      if (typeof exchange !== 'string') exchanges.push(exchange);
      else skipped.push({ place, reason: exchange, excerpt: excerptOf(describe(entry)) });
    }
    this.#held = [];
    this.#heldBytes = 0;
    return { exchanges, skipped };
  }
}

/** Returns undefined if it is not valid JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function describe(entry: unknown): string {
  const request = isRecord(entry) && isRecord(entry.request) ? entry.request : undefined;
  return typeof request?.url === 'string' ? request.url : JSON.stringify(request ?? entry);
}
