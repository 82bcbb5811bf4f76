/** Columns with few different values: as enumerations, a table of them takes a third less time and memory than as strings. */
import { queryFailure, type Session } from './duckdb-session.ts';

/** Columns with more values in so many rows have others in the next ones. */
const MAX_SHARE = 1 / 4;

/** With more values, an enumeration takes as much as strings. */
const MAX_VALUES = 65_535;

/** JSON null is written to rows after they were loaded. */
const NULL = "'null'";

/** The columns of `raw` that are enumerations. */
export class EnumColumns {
  readonly #session: Session;
  #columns: readonly string[] = [];

  private constructor(session: Session) {
    this.#session = session;
  }

  /** Chooses columns of strings with few values in some rows. Those that cannot be read show nothing. */
  static async among(session: Session, columns: readonly string[], rows: string): Promise<EnumColumns> {
    const enums = new EnumColumns(session);
    if (columns.length === 0) return enums;
    try {
      await session.run(`create or replace table firsts as select ${columns.join(', ')} from (${rows})`);
    } catch (error) {
      if (queryFailure(error) === undefined) throw error;
      return enums;
    }
    const few = columns.map(column => `count(distinct ${column}) <= ${MAX_SHARE} * count(*)`);
    const [areFew = []] = await session.rows(`select ${few.join(', ')} from firsts`);
    enums.#columns = columns.filter((_, at) => areFew[at] === true);
    for (const column of enums.#columns)
      await session.run(`create or replace type ${typeOf(column)} as enum (
        select ${NULL} union select ${column} from firsts where ${column} is not null)`);
    await session.run('drop table firsts');
    return enums;
  }

  /** Returns a query of the same rows. Values that an enumeration lacks are in the list `unlisted`, which is null for most rows. */
  rows(query: string): string {
    if (this.#columns.length === 0) return query;
    const all = this.#columns.map(column => ({ column, listed: `try_cast(${column} as ${typeOf(column)})` }));
    const replaced = all.map(({ column, listed }) => `${listed} as ${column}`).join(', ');
    const isUnlisted = all.map(({ column, listed }) => `${column} is not null and ${listed} is null`).join(' or ');
    const unlisted = all.map(({ column, listed }) => `case when ${listed} is null then ${column} end`).join(', ');
    return `select * replace (${replaced}), case when ${isUnlisted} then [${unlisted}] end as unlisted from (${query})`;
  }

  /** Moves the values in `unlisted` to their columns of `raw`. */
  async finish(): Promise<void> {
    if (this.#columns.length === 0) return;
    const rows = '(select * from raw where unlisted is not null)';
    await this.#extend(rows, this.#columns, (_, at) => `unlisted[${at + 1}]`);
    await this.#session.run(`alter table ${this.#session.raw} drop column unlisted`);
  }

  /** Lets the columns of `raw` have the values of those of another table. */
  async include(table: string): Promise<void> {
    await this.#extend(table, this.#columns, column => column);
  }

  /** @param valueIn returns a value that a column is to have, in a row of `raw` or of another table */
  async #extend(
    from: string,
    columns: readonly string[],
    valueIn: (column: string, at: number) => string,
  ): Promise<void> {
    if (columns.length === 0) return;
    const session = this.#session;
    const values = columns.map((column, at) => ({ column, type: typeOf(column), value: valueIn(column, at) }));
    const areNew = values.map(
      ({ value, type }) => `count_if(${value} is not null and try_cast(${value} as ${type}) is null)`,
    );
    const [counts = []] = await session.rows(`select ${areNew.join(', ')} from ${from}`);
    for (const { column, type, value } of values.filter((_, at) => Number(counts[at]) > 0)) {
      await session.run(`create or replace table listed as select unnest(enum_range(null::${type}))::varchar as value
        union select ${value} from ${from} where ${value} is not null`);
      const [[count] = []] = await session.rows('select count(*) from listed');
      const isEnum = Number(count) <= MAX_VALUES;
      if (isEnum) await session.run(`create or replace type ${type} as enum (select value from listed)`);
      else this.#columns = this.#columns.filter(other => other !== column);
      const becomes = isEnum ? type : 'varchar';
      const moved = value === column ? `${column}::varchar` : `coalesce(${column}::varchar, ${value})`;
      await session.run(`alter table ${session.raw} alter ${column} type ${becomes} using ${moved}::${becomes};
        drop table listed`);
    }
  }
}

function typeOf(column: string): string {
  return `values_of_${column}`;
}
