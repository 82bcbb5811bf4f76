import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { SqliteDatabase, SqliteStatement } from 'kysely';

/** The maximum time that a process waits for another one's transaction, in milliseconds. */
const BUSY_TIMEOUT = 10_000;
/** There are few distinct queries, except for lists of identifiers. */
const MAX_STATEMENTS = 200;

/** How a database file is opened. */
interface SqliteOptions {
  readonly readOnly: boolean;
}

/** Opens a file with Node's SQLite as a Kysely database that compiles each statement once. */
export function openSqlite(path: string, { readOnly }: SqliteOptions): SqliteDatabase {
  const database = new DatabaseSync(path, { readOnly, enableForeignKeyConstraints: true, timeout: BUSY_TIMEOUT });
  if (!readOnly) {
    database.exec('pragma journal_mode = wal');
    // Sync the log at every commit, so that acknowledged writes survive a power failure.
    database.exec('pragma synchronous = full');
  }
  const statements = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare: text => {
      const known = statements.get(text);
      if (known) return known;
      if (statements.size >= MAX_STATEMENTS) statements.clear();
      const made = adapt(database.prepare(text));
      statements.set(text, made);
      return made;
    },
  };
}

function adapt(statement: StatementSync): SqliteStatement {
  const bound = (parameters: readonly unknown[]) => parameters as readonly SQLInputValue[];
  return {
    reader: statement.columns().length > 0,
    all: parameters => statement.all(...bound(parameters)),
    run: parameters => statement.run(...bound(parameters)),
    iterate: parameters => statement.iterate(...bound(parameters)),
  };
}
