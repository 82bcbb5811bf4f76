import type { TrafficBatch } from '../exchange/batch.ts';
import type { FieldMapping } from '../json-lines/field-mapping.ts';
import { openDuckdb, sqlText } from './duckdb.ts';
import { readTable } from './read-table.ts';
import { type TableSource, tableFile } from './table-file.ts';

/** Reads a Parquet file row by row, with the fields of exchanges in columns. */
export async function* readParquet(source: TableSource, mapping: FieldMapping = {}): AsyncGenerator<TrafficBatch> {
  const { file } = source;
  const { path, folder, remove } = await tableFile(source);
  try {
    const duckdb = await openDuckdb({ file, folder, expected: 'a complete, undamaged Parquet file' });
    try {
      // Directories in the path are not columns, whatever their names.
      const from = `read_parquet(${sqlText(path)}, hive_partitioning = false, binary_as_string = true)`;
      const columns = await duckdb.columnsOf(`from ${from}`);
      yield* readTable(duckdb, { file, from, columns: columns.map(name => ({ name, key: name })) }, mapping);
    } finally {
      duckdb.close();
    }
  } finally {
    await remove();
  }
}
