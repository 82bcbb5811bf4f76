import type { SqliteDatabase } from 'kysely';
import { FOREIGN_CHANGE_DELAY } from '../port/store.ts';

/** Counts the times that an SQLite file has changed. */
export interface Stamp {
  readonly current: () => number;
  /** This process has committed something. */
  readonly changed: () => void;
}

/** Looks at the file only every {@link FOREIGN_CHANGE_DELAY}: even that look takes system calls. */
export function createStamp(database: SqliteDatabase): Stamp {
  const statement = database.prepare('pragma data_version');
  const look = () => JSON.stringify(statement.all([]));
  let seen = look();
  let lookedAt = performance.now();
  let count = 0;
  return {
    current: () => {
      const time = performance.now();
      if (time - lookedAt < FOREIGN_CHANGE_DELAY) return count;
      lookedAt = time;
      const now = look();
      if (now !== seen) count += 1;
      seen = now;
      return count;
    },
    changed: () => {
      count += 1;
    },
  };
}
