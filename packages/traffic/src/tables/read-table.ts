import { excerptOf, type SkippedRecord, type TrafficBatch } from '../exchange/batch.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { RecordLocation } from '../exchange/record-location.ts';
import type { FieldMapping } from '../json-lines/field-mapping.ts';
import {
  MappedFacts,
  PARSED,
  type ParsedRecord,
  type PreparedMapping,
  prepareMapping,
} from '../json-lines/mapped-facts.ts';
import { RecordExchange } from '../record/record-exchange.ts';
import type { Columns, Duckdb } from './duckdb.ts';
import { sqlName } from './duckdb.ts';
import type { PlainValue } from './plain-value.ts';
import { isReadColumn, noColumns, withHeaderColumns } from './table-columns.ts';

/** A table to read. */
interface Table {
  /** As the user named it. */
  readonly file: string;
  /** The source in SQL. */
  readonly from: string;
  /** Each with its name for the mapping and its name in the query. */
  readonly columns: readonly { readonly name: string; readonly key: string }[];
}

/** Reads the rows of a table as exchanges, from the columns that the mapping names. Throws an `ExternalError` if there are none. */
export async function* readTable(
  duckdb: Duckdb,
  { file, from, columns }: Table,
  mapping: FieldMapping,
): AsyncGenerator<TrafficBatch> {
  const read = columns.filter(({ name }) => isReadColumn(name, mapping));
  const names = read.map(({ name }) => name);
  if (names.length === 0) {
    throw noColumns(
      file,
      columns.map(({ name }) => name),
    );
  }
  const rows = new RowReader(file, names, prepareMapping(withHeaderColumns(mapping, names), PARSED));
  const keys = read.map(({ key }) => sqlName(key)).join(', ');
  for await (const batch of duckdb.query(`select ${keys} from ${from}`)) yield rows.read(batch);
}

class RowReader {
  readonly #file: string;
  readonly #names: readonly string[];
  readonly #mapping: PreparedMapping<ParsedRecord>;
  #number = 0;

  constructor(file: string, names: readonly string[], mapping: PreparedMapping<ParsedRecord>) {
    this.#file = file;
    this.#names = names;
    this.#mapping = mapping;
  }

  read(columns: Columns): TrafficBatch {
    const exchanges: Exchange[] = [];
    const skipped: SkippedRecord[] = [];
    for (let row = 0; row < columns.rows; row++) {
      const place: RecordLocation = { file: this.#file, number: ++this.#number, unit: 'row' };
      const record = this.#recordOf(columns, row);
      const facts = new MappedFacts(record, this.#mapping);
      if (!facts.isEmpty) exchanges.push(new RecordExchange(place, facts));
      else skipped.push({ place, reason: 'traffic/no-fields', excerpt: excerptOf(JSON.stringify(record)) });
    }
    return { exchanges, skipped };
  }

  /** A column without a value says nothing, because every row has it. */
  #recordOf(columns: Columns, row: number): Readonly<Record<string, PlainValue>> {
    const record: Record<string, PlainValue> = Object.create(null);
    this.#names.forEach((name, column) => {
      const value = columns.value(column, row);
      if (value !== null && value !== undefined) record[name] = isJson(name, value) ? parsed(value) : value;
    });
    return record;
  }
}

/** Tables without objects contain all headers as a JSON string. */
function isJson(name: string, value: PlainValue): value is string {
  return /headers$/i.test(name) && typeof value === 'string' && /^\s*[{[]/.test(value);
}

function parsed(text: string): PlainValue {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
