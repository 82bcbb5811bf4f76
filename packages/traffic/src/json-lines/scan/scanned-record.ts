import type { HeaderFacts, HeaderField } from '../../exchange/exchange.ts';
import { NO_HEADER_KNOWN } from '../../exchange/exchange.ts';
import type { RowWatch } from '../../exchange/exchange-rows.ts';
import { headersInJson } from '../../record/headers-in-json.ts';
import type { RecordFields } from './record-fields.ts';
import type { ScannedRows } from './scanned-rows.ts';
import { KIND } from './walk-lines-code.ts';

/** What a reading of records has in common. */
export interface RecordReader {
  readonly fields: RecordFields;
  /** Is told of headers that are asked for and have no number; gives whether they are to have one. */
  readonly want: (object: number, lowerCase: string) => boolean;
}

/** One record of scanned JSON lines. */
export class ScannedRecord {
  rows: ScannedRows;
  row: number;
  readonly reader: RecordReader;
  readonly watch: RowWatch | undefined;

  constructor(rows: ScannedRows, row: number, reader: RecordReader, watch?: RowWatch) {
    this.rows = rows;
    this.row = row;
    this.reader = reader;
    this.watch = watch;
  }

  /** What `JSON.parse` would give; of an object of texts {@link ScannedHeaders}. */
  valueAt(field: number): unknown {
    const { rows, row } = this;
    this.watch?.presence(field);
    if (!rows.has(row, field)) return undefined;
    const kind = rows.kindOf(row, field);
    if (kind === KIND.object) return new ScannedHeaders(this, field);
    this.watch?.value(field);
    return kind === KIND.text
      ? this.textOf(field)
      : plainValue(rows.text, rows.fromOf(row, field), rows.toOf(row, field));
  }

  /** What stands in the line. */
  textOf(field: number): string {
    const { rows, row } = this;
    return rows.slice(rows.fromOf(row, field), rows.toOf(row, field));
  }
}

/** Statuses and sizes are read in a third of the time that `JSON.parse` takes. */
function plainValue(text: string, start: number, end: number): unknown {
  if (end - start > MOST_DIGITS) return JSON.parse(text.slice(start, end));
  let number = 0;
  for (let at = start; at < end; at++) {
    const digit = text.charCodeAt(at) - 0x30;
    if (digit < 0 || digit > 9) return JSON.parse(text.slice(start, end));
    number = number * 10 + digit;
  }
  return number;
}

const MOST_DIGITS = 9;

/** Headers in an object of texts. */
export class ScannedHeaders {
  readonly #record: ScannedRecord;
  readonly #object: number;

  constructor(record: ScannedRecord, object: number) {
    this.#record = record;
    this.#object = object;
  }

  /** The facts that {@link headersInJson} gives. */
  facts(complete: boolean): HeaderFacts {
    return new ScannedHeaderFacts(this, complete);
  }

  fields(complete: boolean): readonly HeaderField[] {
    this.#record.watch?.others();
    return this.#parse(complete);
  }

  #parse(complete: boolean): readonly HeaderField[] {
    return headersInJson(JSON.parse(this.#record.textOf(this.#object)), complete)?.fields ?? NO_HEADER_KNOWN.fields;
  }

  valuesOf(lowerCase: string): string[] | undefined {
    const { rows, row, reader, watch } = this.#record;
    const field = reader.fields.header(this.#object, lowerCase);
    if (field === undefined || field >= rows.fieldCount) return this.#search(lowerCase, field === undefined);
    watch?.presence(field);
    if (!rows.has(row, field)) return undefined;
    const text = this.#record.textOf(field);
    return watch === undefined ? [text] : watchedText(text, () => watch.value(field));
  }

  /** Of a header that has no number, or had none when the lines were walked over. */
  #search(lowerCase: string, isNew: boolean): string[] | undefined {
    const { reader, watch } = this.#record;
    if (isNew && !reader.want(this.#object, lowerCase)) watch?.others();
    watch?.later();
    const found = this.#parse(false).filter(({ name }) => name.toLowerCase() === lowerCase);
    return found.length === 0 ? undefined : found.map(({ value }) => value);
  }
}

/** A list of a text that tells when the text is looked at: that it is there is all that many rules ask for. */
function watchedText(text: string, tell: () => void): string[] {
  const get = () => {
    tell();
    return text;
  };
  return Object.defineProperty([''], 0, { get, enumerable: true });
}

class ScannedHeaderFacts implements HeaderFacts {
  readonly complete: boolean;
  readonly mayBeComplete?: boolean;
  readonly absent: readonly string[] = NONE;
  readonly withheld: readonly string[] = NONE;
  readonly #headers: ScannedHeaders;
  #fields: readonly HeaderField[] | undefined;

  constructor(headers: ScannedHeaders, complete: boolean) {
    this.#headers = headers;
    this.complete = complete;
    if (!complete) this.mayBeComplete = true;
  }

  get fields(): readonly HeaderField[] {
    this.#fields ??= this.#headers.fields(this.complete);
    return this.#fields;
  }

  valuesOf(lowerCase: string): string[] | undefined {
    return this.#headers.valuesOf(lowerCase);
  }
}

const NONE: readonly string[] = [];
