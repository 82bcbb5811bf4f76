import type { Dialect } from './dialect.ts';

/** A row of a result. */
export type EngineRow = readonly (string | null)[];

/** The name and type of a column, in the words of the engine. */
interface EngineColumn {
  readonly name: string;
  readonly type: string;
}

/** A connection to an engine that holds traffic in tables. It only reads. */
export interface EngineSession {
  readonly dialect: Dialect;
  /** Returns the columns of a query. */
  readonly describe: (sql: string) => Promise<readonly EngineColumn[]>;
  /** Yields the rows of a query in batches. */
  readonly batches: (sql: string) => AsyncGenerator<readonly EngineRow[]>;
  /** Stops the query that runs, on the engine. */
  readonly cancel: () => Promise<void>;
  readonly close: () => Promise<void>;
}
