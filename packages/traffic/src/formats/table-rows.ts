/** Rows of tables as exchanges, whatever reads the rows. */
import { ExternalError } from '@tollgate/diagnostics';
import {
  type Exchange,
  excerptOf,
  type RecordLocation,
  type SkippedRecord,
  type TrafficBatch,
} from '../exchange/exchange.ts';
import type { FieldMapping } from '../records/field-mapping.ts';
import {
  MappedFacts,
  PARSED,
  type ParsedRecord,
  type PreparedMapping,
  prepareMapping,
} from '../records/mapped-facts.ts';
import { RecordExchange } from '../records/record-exchange.ts';
import { isReadColumn, withHeaderColumns } from './tables.ts';

/** Turns the rows of a table into exchanges. Throws an `ExternalError` if the mapping reads none of its columns. */
export class TableRows {
  /** The columns that are read. */
  readonly names: readonly string[];
  readonly #file: string;
  readonly #mapping: PreparedMapping<ParsedRecord>;
  #number = 0;

  constructor(file: string, columns: readonly string[], mapping: FieldMapping) {
    this.names = columns.filter(name => isReadColumn(name, mapping));
    if (this.names.length === 0) throw noColumns(file, columns);
    this.#file = file;
    this.#mapping = prepareMapping(withHeaderColumns(mapping, this.names), PARSED);
  }

  /** Returns the exchanges in the next rows, each with its values by column. A column without a value says nothing, because every row has it. */
  read(rows: Iterable<Readonly<Record<string, unknown>>>): TrafficBatch {
    const exchanges: Exchange[] = [];
    const skipped: SkippedRecord[] = [];
    for (const row of rows) {
      const record: Record<string, unknown> = Object.create(null);
      for (const name of this.names) {
        const value = row[name];
        if (value !== null && value !== undefined) record[name] = cellOf(name, value);
      }
      const place: RecordLocation = { file: this.#file, number: ++this.#number, unit: 'row' };
      const facts = new MappedFacts(record, this.#mapping);
      if (!facts.isEmpty) exchanges.push(new RecordExchange(place, facts));
      else skipped.push({ place, reason: 'traffic/no-fields', excerpt: excerptOf(JSON.stringify(record)) });
    }
    return { exchanges, skipped };
  }
}

/** Returns the value of a column. Tables without objects contain all headers as a JSON string. */
export function cellOf(name: string, value: unknown): unknown {
  if (!/headers$/i.test(name) || typeof value !== 'string' || !/^\s*[{[]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

const MAX_SHOWN = 8;

/** Returns the error for a table without a readable column. */
function noColumns(file: string, columns: readonly string[]): ExternalError {
  const shown = columns.slice(0, MAX_SHOWN).map(name => `\`${name}\``);
  const found = `${shown.join(', ')}${columns.length > MAX_SHOWN ? ' and others' : ''}`;
  const expected = 'expected columns such as `time`, `client_ip`, `method`, `url` and `status`, or a mapping of fields';
  return new ExternalError('traffic/no-columns', `cannot read \`${file}\`: ${expected}; found ${found}`);
}
