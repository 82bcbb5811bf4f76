import { type Compilable, type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from './tables.ts';

/** Where a value is put in when the query is run. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A place in a query that {@link Prepared} fills by name. */
export function slot<T>(name: string): RawBuilder<T> {
  return sql<T>`${new Slot(name)}`;
}

/** A query whose text is made once: building and compiling one costs more than SQLite needs to run it. */
export class Prepared<Parameters extends object, Row> {
  readonly #query: CompiledQuery<Row>;

  constructor(query: Compilable<Row>) {
    this.#query = query.compile();
  }

  async run(executor: Kysely<Tables>, values: Parameters): Promise<readonly Row[]> {
    const parameters = this.#query.parameters.map(one => (one instanceof Slot ? Reflect.get(values, one.name) : one));
    const { rows } = await executor.executeQuery<Row>({ ...this.#query, parameters });
    return rows;
  }

  async first(executor: Kysely<Tables>, values: Parameters): Promise<Row | undefined> {
    const [row] = await this.run(executor, values);
    return row;
  }
}
