import type { SqliteDatabase } from 'kysely';
import { FOREIGN_CHANGE_DELAY } from '../port/store.ts';

/** Counts the changes of an SQLite file. */
export interface Stamp {
  readonly current: () => number;
  /** Records a commit of this process. */
  readonly changed: () => void;
}

/** Checks the file only every {@link FOREIGN_CHANGE_DELAY}, because each check takes system calls. */
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
