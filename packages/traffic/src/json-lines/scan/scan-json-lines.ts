import { excerptOf, type SkipReason, type TrafficBatch } from '../../exchange/batch.ts';
import type { RecordLocation } from '../../exchange/record-location.ts';
import { lineFault } from '../../input/lines.ts';
import type { LogSource } from '../../input/read-log.ts';
import { headersInJson } from '../../record/headers-in-json.ts';
import type { FieldMapping } from '../field-mapping.ts';
import { MappedFacts, PARSED, prepareMapping, type RecordAccess } from '../mapped-facts.ts';
import { readObjectLine } from '../read-json-lines.ts';
import { FieldSets } from './field-sets.ts';
import { LineWalker } from './line-walker.ts';
import { RecordFields } from './record-fields.ts';
import { type ScanContext, ScannedBatch, ScannedExchange } from './scanned-batch.ts';
import { ScannedHeaders, ScannedRecord } from './scanned-record.ts';

/** Bytes that are looked through at a time, beside those of a line that is not complete. */
const STRETCH = 64 * 1024;
/** Of one unit of UTF-16. */
const MOST_BYTES = 3;
/** Bytes of a line that is too long that are kept, to show where it begins. */
const KEPT = 1024;
/** A longer limit on lines would need too much memory. */
const LONGEST_LINE = 4 * 1024 * 1024;
/** Beside the fields of exchanges there has to be room for headers. */
const MOST_HEADERS = 8;

const LINE_FEED = 0x0a;

/** Whether {@link scanJsonLines} can read with a mapping: fields stand in members of the record, not deeper. */
export function canScan({ fields = {} }: FieldMapping, maxLineLength: number): boolean {
  const paths = Object.entries(fields);
  const headers = paths.filter(([name]) => name.includes('.')).length;
  return maxLineLength <= LONGEST_LINE && headers <= MOST_HEADERS && !paths.some(([, path]) => path.includes('.'));
}

/**
 * Reads what {@link readJsonLines} reads, and gives the same. Lines that consist of the keys and signs of lines before them, with other values between,
 * are not parsed, and only those values are taken out that are asked for; what they have in common with lines before has a number. Other lines, and
 * those with escapes or bytes beyond ASCII, are parsed as there.
 */
export async function* scanJsonLines(source: LogSource, mapping: FieldMapping = {}): AsyncGenerator<TrafficBatch> {
  const scanner = new LineScanner(source, mapping);
  for await (const chunk of source.bytes) {
    for (let at = 0; at < chunk.length; at += STRETCH) yield* scanner.push(chunk.subarray(at, at + STRETCH));
  }
  yield* scanner.end();
}

class LineScanner {
  readonly #file: string;
  readonly #maxLineLength: number;
  readonly #walker: LineWalker;
  readonly #reading: ScanContext;
  readonly #parsed: ReturnType<typeof readObjectLine>;
  /** Bytes of the line that is not complete, at the beginning of the buffer. */
  #rest = 0;
  /** Of that line only the beginning is kept. */
  #tooLong = false;
  #number = 0;

  constructor({ file, maxLineLength }: LogSource, mapping: FieldMapping) {
    this.#file = file;
    this.#maxLineLength = maxLineLength;
    const fields = new RecordFields();
    const prepared = prepareMapping(mapping, scannedReading(fields));
    this.#walker = new LineWalker(MOST_BYTES * maxLineLength + STRETCH + 1, fields);
    const reader = { fields, want: (object: number, lowerCase: string) => this.#walker.want(object, lowerCase) };
    const record = new ScannedRecord(this.#walker.rows(0), 0, reader);
    this.#reading = {
      file,
      mapping: prepared,
      walker: this.#walker,
      sets: new FieldSets(fields.count, fields.member(mapping.fields?.time || 'time')),
      reader,
      moving: { record, exchange: new ScannedExchange(new MappedFacts(record, prepared), file, 0) },
    };
    this.#parsed = readObjectLine(prepareMapping(mapping, PARSED));
  }

  *push(chunk: Uint8Array): Generator<TrafficBatch> {
    const { bytes } = this.#walker;
    bytes.set(chunk, this.#rest);
    const length = this.#rest + chunk.length;
    const end = yield* this.#readLines(length);
    bytes.copyWithin(0, end, length);
    const rest = length - end;
    if (rest > MOST_BYTES * this.#maxLineLength) this.#tooLong = true;
    this.#rest = this.#tooLong ? Math.min(rest, KEPT) : rest;
  }

  /** Reads what is left as a line. */
  *end(): Generator<TrafficBatch> {
    if (this.#rest === 0) return;
    this.#walker.bytes[this.#rest] = LINE_FEED;
    yield* this.#readLines(this.#rest + 1);
  }

  /** Reads the complete lines among the first bytes; gives where they end. */
  *#readLines(length: number): Generator<TrafficBatch, number> {
    const { bytes } = this.#walker;
    this.#walker.begin(length);
    const lines = bytes.subarray(0, length);
    let at = 0;
    let batch = this.#batch(length);
    while (at < length) {
      if (!this.#tooLong) at = this.#addRows(batch, at);
      if (this.#walker.isFull) {
        yield batch;
        this.#walker.begin(length);
        batch = this.#batch(length);
        continue;
      }
      const end = lines.indexOf(LINE_FEED, at);
      if (end < 0) break;
      this.#number++;
      if (end > at) this.#addParsed(at, end, batch);
      this.#tooLong = false;
      at = end + 1;
    }
    if (batch.count > 0 || batch.skipped.length > 0) yield batch;
    return at;
  }

  #batch(length: number): ScannedBatch {
    return new ScannedBatch(this.#reading, this.#walker.rows(length));
  }

  /** Adds the lines from a place on that the walker knows; gives where they end. */
  #addRows(batch: ScannedBatch, start: number): number {
    const first = this.#walker.rowCount;
    const end = this.#walker.walk(start);
    const { scanned: rows } = batch;
    for (let row = first; row < this.#walker.rowCount; row++) {
      this.#number++;
      const from = rows.startOf(row);
      const to = rows.endOf(row) - 1;
      if (to - from > this.#maxLineLength) this.#addParsed(from, to, batch);
      else if (!batch.addRow(row, this.#number)) this.#addParsed(from, to, batch);
    }
    return end;
  }

  #addParsed(start: number, end: number, batch: ScannedBatch): void {
    const marked = this.#markedText(start, end);
    const text = marked.endsWith('\r') ? marked.slice(0, -1) : marked;
    if (text === '') return;
    const isTooLong = this.#tooLong || marked.length > this.#maxLineLength;
    const fault = isTooLong ? 'traffic/line-too-long' : lineFault(this.#walker.bytes.subarray(start, end));
    const found = fault ?? this.#parsed(text, this.#place());
    if (typeof found === 'string') this.#skip(text, found, batch);
    else if (found !== undefined) {
      batch.addParsed(found);
      this.#walker.learn(start, end);
    }
  }

  /** A line without the mark that a file may begin with. */
  #markedText(start: number, end: number): string {
    const text = this.#walker.bytes.toString('utf8', start, end);
    return this.#number === 1 && text.startsWith('\ufeff') ? text.slice(1) : text;
  }

  #skip(text: string, reason: SkipReason, { skipped }: ScannedBatch): void {
    skipped.push({ place: this.#place(), reason, excerpt: excerptOf(text) });
  }

  #place(): RecordLocation {
    return { file: this.#file, number: this.#number, unit: 'line' };
  }
}

/** Gives each path a number of its own. */
function scannedReading(fields: RecordFields): RecordAccess<ScannedRecord> {
  return {
    readerOf: path => {
      const field = fields.member(path);
      return record => record.valueAt(field);
    },
    headersIn: (value, complete) =>
      value instanceof ScannedHeaders ? value.facts(complete) : headersInJson(value, complete),
  };
}
