import { excerptOf, type SkippedRecord, type SkipReason, type TrafficBatch } from '../batch.ts';
import type { Exchange } from '../exchange.ts';
import { lineFault } from '../lines.ts';
import type { Place } from '../place.ts';
import type { LogSource } from '../read-log.ts';
import { headersInJson } from '../record/headers-in-json.ts';
import { RecordExchange } from '../record/record-exchange.ts';
import type { FieldMapping } from './field-mapping.ts';
import { LineShape } from './line-shape.ts';
import { MappedFacts, PARSED, type PreparedMapping, prepareMapping, type RecordReading } from './mapped-facts.ts';
import { LINE_NUMBERS, QuoteFinder } from './quote-finder.ts';
import { readObjectLine } from './read-json-lines.ts';
import { ScannedHeaders, ScannedRecord, type ScannedText, SLOT_NUMBERS } from './scanned-record.ts';

/** Bytes that are looked through at a time, beside those of a line that is not complete. */
const STRETCH = 32 * 1024;
/** Of one unit of UTF-16. */
const MOST_BYTES = 3;
/** Bytes of a line that is too long that are kept, to show where it begins. */
const KEPT = 1024;
/** A longer limit on lines would need too much memory. */
const LONGEST_LINE = 4 * 1024 * 1024;

/** Whether {@link scanJsonLines} can read with a mapping: fields stand in members of the record, not deeper. */
export function canScan({ fields = {} }: FieldMapping, maxLineLength: number): boolean {
  return maxLineLength <= LONGEST_LINE && !Object.values(fields).some(path => path.includes('.'));
}

/**
 * Reads what {@link readJsonLines} reads, and gives the same. Of plain lines only those values are taken out that are asked for, and nothing is
 * parsed; lines with escapes, bytes beyond ASCII or structure of another kind are parsed as there.
 */
export async function* scanJsonLines(source: LogSource, mapping: FieldMapping = {}): AsyncGenerator<TrafficBatch> {
  const scanner = new LineScanner(source, mapping);
  for await (const chunk of source.bytes) {
    for (let at = 0; at < chunk.length; at += STRETCH) {
      const batch = scanner.push(chunk.subarray(at, at + STRETCH));
      if (batch !== undefined) yield batch;
    }
  }
  const last = scanner.end();
  if (last !== undefined) yield last;
}

interface Batch {
  readonly exchanges: Exchange[];
  readonly skipped: SkippedRecord[];
}

class LineScanner {
  readonly #file: string;
  readonly #maxLineLength: number;
  readonly #finder: QuoteFinder;
  readonly #shape: LineShape;
  readonly #scanned: PreparedMapping<ScannedRecord>;
  readonly #parsed: ReturnType<typeof readObjectLine>;
  readonly #slotCount: number;
  readonly #bytes: Buffer;
  /** Bytes of the line that is not complete, at the beginning of the buffer. */
  #rest = 0;
  /** Of that line only the beginning is kept. */
  #tooLong = false;
  #number = 0;

  constructor({ file, maxLineLength }: LogSource, mapping: FieldMapping) {
    this.#file = file;
    this.#maxLineLength = maxLineLength;
    this.#finder = new QuoteFinder(MOST_BYTES * maxLineLength + STRETCH + 1);
    const slots = new Map<string, number>();
    this.#scanned = prepareMapping(mapping, scannedReading(slots));
    this.#parsed = readObjectLine(prepareMapping(mapping, PARSED));
    this.#shape = new LineShape(this.#finder, slots);
    this.#slotCount = slots.size * SLOT_NUMBERS;
    const { buffer, byteOffset, length } = this.#finder.bytes;
    this.#bytes = Buffer.from(buffer, byteOffset, length);
  }

  push(chunk: Uint8Array): TrafficBatch | undefined {
    this.#bytes.set(chunk, this.#rest);
    const length = this.#rest + chunk.length;
    const lines = this.#finder.find(length);
    const batch = lines === 0 ? undefined : this.#readLines(lines, length);
    const end = lines === 0 ? 0 : this.#finder.lines[(lines - 1) * LINE_NUMBERS]! + 1;
    this.#bytes.copyWithin(0, end, length);
    this.#keep(length - end);
    return batch;
  }

  /** Reads what is left as a line. */
  end(): TrafficBatch | undefined {
    if (this.#rest === 0) return undefined;
    this.#bytes[this.#rest] = 0x0a;
    this.#finder.find(this.#rest + 1);
    return this.#readLines(1, this.#rest + 1);
  }

  #keep(rest: number): void {
    if (rest > MOST_BYTES * this.#maxLineLength) this.#tooLong = true;
    this.#rest = this.#tooLong ? Math.min(rest, KEPT) : rest;
  }

  #readLines(count: number, length: number): TrafficBatch {
    const { lines } = this.#finder;
    const scanned: ScannedText = {
      text: this.#bytes.toString('latin1', 0, length),
      quotes: this.#finder.quotes.slice(0, lines[count * LINE_NUMBERS - 2]! >> 2),
      slots: new Int32Array(count * this.#slotCount),
    };
    const batch: Batch = { exchanges: [], skipped: [] };
    let [start, quote] = [0, 0];
    for (let index = 0; index < count; index++) {
      const at = index * LINE_NUMBERS;
      const end = lines[at]!;
      this.#number++;
      const isPlain = lines[at + 2] === 0 && !this.#tooLong && end - start <= this.#maxLineLength;
      const first = index * this.#slotCount;
      const slots = scanned.slots.subarray(first, first + this.#slotCount);
      if (isPlain && this.#shape.read(start, end, quote, slots))
        this.#addScanned(new ScannedRecord(scanned, first), { start, end }, batch);
      else if (end > start) this.#addParsed(start, end, batch);
      this.#tooLong = false;
      start = end + 1;
      quote = lines[at + 1]! >> 2;
    }
    return batch;
  }

  #addScanned(
    record: ScannedRecord,
    { start, end }: { readonly start: number; readonly end: number },
    batch: Batch,
  ): void {
    const facts = new MappedFacts(record, this.#scanned);
    const place = this.#place();
    if (!facts.isEmpty) batch.exchanges.push(new RecordExchange(place, facts));
    else this.#skip(this.#bytes.toString('latin1', start, end), 'traffic/no-fields', batch);
  }

  #addParsed(start: number, end: number, batch: Batch): void {
    const whole = this.#bytes.toString('utf8', start, end);
    const marked = this.#number === 1 && whole.startsWith('\ufeff') ? whole.slice(1) : whole;
    const text = marked.endsWith('\r') ? marked.slice(0, -1) : marked;
    if (text === '') return;
    const isTooLong = this.#tooLong || marked.length > this.#maxLineLength;
    const fault = isTooLong ? 'traffic/line-too-long' : lineFault(this.#bytes.subarray(start, end));
    const found = fault ?? this.#parsed(text, this.#place());
    if (typeof found === 'string') this.#skip(text, found, batch);
    else if (found !== undefined) batch.exchanges.push(found);
  }

  #skip(text: string, reason: SkipReason, { skipped }: Batch): void {
    skipped.push({ place: this.#place(), reason, excerpt: excerptOf(text) });
  }

  #place(): Place {
    return { file: this.#file, number: this.#number, unit: 'line' };
  }
}

/** Gives each path a slot of its own. */
function scannedReading(slots: Map<string, number>): RecordReading<ScannedRecord> {
  return {
    readerOf: path => {
      const slot = slots.get(path) ?? slots.size;
      slots.set(path, slot);
      return record => record.valueAt(slot);
    },
    headersIn: (value, complete) =>
      value instanceof ScannedHeaders ? value.facts(complete) : headersInJson(value, complete),
  };
}
