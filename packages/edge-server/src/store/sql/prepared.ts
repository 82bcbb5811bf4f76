import { type Compilable, type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from './tables.ts';

/** A placeholder for a value of a prepared query. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Returns a named placeholder, which {@link Prepared} fills. */
export function slot<T>(name: string): RawBuilder<T> {
  return sql<T>`${new Slot(name)}`;
}

/** A query that is compiled once, because building and compiling costs more than running it on SQLite. */
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
