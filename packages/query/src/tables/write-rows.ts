/**
 * Writes rows of a table with both decisions to another table. Either all of them are there in the end, or nothing: PostgreSQL does it in a transaction;
 * on other engines the rows go to a table of their own, which is renamed when it is complete.
 */
import { randomBytes } from 'node:crypto';
import { ExternalError } from '@tollgate/diagnostics';
import type { ComparedVerdicts, Verdict } from '@tollgate/simulator';
import type { EngineSession, LookupColumn, LookupRow } from '../engines/engine.ts';
import type { Kinds } from './kinds-of-records.ts';
import { requireSame, rowsOf, type TableContext } from './records-sql.ts';
import type { TableSource } from './table-source.ts';

/** Where rows are written. */
export interface WrittenTable {
  /** Its name, in the SQL of the engine. */
  readonly table: string;
  /** Whether rows are added to a table that exists; otherwise none may exist. */
  readonly isAppending: boolean;
  /** The current time, in ms. */
  readonly now: number;
}

/** How a kind of rows is decided; the rules that decided are named as in reports. */
export interface WrittenKind extends ComparedVerdicts {
  readonly rules: readonly [was: string | undefined, becomes: string | undefined];
}

/** What rows get in addition to their own columns. */
const COLUMNS: readonly LookupColumn[] = [
  ...(['was', 'becomes'] as const).flatMap((side): LookupColumn[] => [
    { name: `${side}_outcome`, type: 'text' },
    { name: `${side}_status`, type: 'integer' },
    { name: `${side}_action`, type: 'text' },
    { name: `${side}_rule`, type: 'text' },
  ]),
  { name: 'change_parts', type: 'text' },
  { name: 'change_is_certain', type: 'integer' },
];

/** A table that rows will be written to. Nobody sees them before the end. */
export class RowWriter {
  readonly #session: EngineSession;
  readonly #target: WrittenTable;
  #columns: readonly string[] = [];
  /** The table that rows are written to first; undefined if a transaction makes another one unnecessary. */
  readonly #staging: string | undefined;

  #isStaged = false;
  #dropped: readonly string[] = [];
  readonly #open: () => Promise<EngineSession>;

  /** @param open opens another session, in which Ctrl-C cancels nothing */
  constructor(session: EngineSession, target: WrittenTable, open: () => Promise<EngineSession>) {
    this.#session = session;
    this.#target = target;
    this.#open = open;
    const suffix = `${MARK}${new Date(target.now)
      .toISOString()
      .replace(/[^0-9]/g, '')
      .slice(0, 14)}_${randomBytes(4).toString('hex')}`;
    this.#staging = session.commit ? undefined : beforeQuote(target.table, suffix);
  }

  /** The tables that killed commands had left, which were dropped. */
  get dropped(): readonly string[] {
    return this.#dropped;
  }

  /** Prepares to write, before anything is scanned: that the user may do so, and that nothing is replaced. Throws an `ExternalError` otherwise. */
  async begin({ from, columns }: TableSource): Promise<void> {
    const [session, target] = [this.#session, this.#target];
    this.#columns = columns;
    const { product } = session.dialect;
    if (session.run === undefined)
      throw unwritable(
        target,
        `${product} renames no tables, so others would see incomplete ones; make a table from the query of \`compile --to sql\``,
      );
    const added = new Set(COLUMNS.map(({ name }) => name));
    const taken = columns.find(name => added.has(name.toLowerCase()));
    if (taken !== undefined)
      throw unwritable(target, `the traffic has a column \`${taken}\`, which results need; rename it in a query`);
    const doesExist = await exists(session, target.table);
    if (doesExist && !target.isAppending)
      throw unwritable(target, 'it exists; add rows with `--append`, or name another table');
    if (!doesExist && target.isAppending) throw unwritable(target, 'it does not exist; leave out `--append`');
    const { dialect } = session;
    const none: LookupRow = COLUMNS.map(({ type }) => (type === 'text' ? '' : 0));
    const own = columns.map(dialect.name);
    const empty = `select ${[...own, ...resultColumns()].join(', ')} from ${from} cross join ${dialect.lookup('k', COLUMNS, [none])} where 1 = 0`;
    if (target.isAppending) await this.#run(this.#insert(target.table, empty));
    if (this.#staging !== undefined) {
      await this.#runApart(dialect.tableOf(this.#staging, empty)).catch(async error => {
        // It may be there nevertheless, but a user who may not create it may not drop it either.
        await this.#discard().catch(() => undefined);
        throw error;
      });
      this.#isStaged = true;
      this.#dropped = await this.#dropOld();
    } else if (!target.isAppending) await this.#run(dialect.tableOf(target.table, empty));
  }

  /** Writes the rows of all kinds that have a decision here, and returns their number. */
  async write(
    { source }: TableContext,
    { parts, counts }: Pick<Kinds, 'parts' | 'counts'>,
    decided: readonly (WrittenKind | undefined)[],
  ): Promise<number> {
    const { dialect } = this.#session;
    const rows = decided.flatMap((one, kind): LookupRow[] =>
      one === undefined ? [] : [[kind + 1, ...resultsOf(one)]],
    );
    const expected = decided.reduce((sum, one, kind) => sum + (one === undefined ? 0 : counts[kind]!), 0);
    const table = this.#staging ?? this.#target.table;
    if (rows.length > 0) {
      const own = source.columns.map((name, at) => `${dialect.name(name)} as own${at}`);
      const written = source.columns.map((name, at) => `results.own${at} as ${dialect.name(name)}`);
      const lookup = dialect.lookup('k', [{ name: 'kind', type: 'integer' }, ...COLUMNS], rows);
      const list = [...written, ...resultColumns()].join(', ');
      for (const resultsWith of parts)
        await this.#run(
          this.#insert(
            table,
            `${resultsWith(own)} select ${list} from results join ${lookup} on k.kind = results.kind`,
          ),
        );
    }
    if (this.#staging === undefined) {
      await this.#session.commit!();
      return expected;
    }
    const [[count] = []] = await rowsOf(this.#session, `select count(*) from ${table}`);
    requireSame(expected, Number(count));
    const last = this.#target.isAppending
      ? [this.#insert(this.#target.table, `select ${this.#names} from ${table}`), `drop table ${table}`]
      : [dialect.renamed(table, this.#target.table)];
    await this.#runApart(...last);
    return expected;
  }

  /** Removes what a run that failed may have left. */
  async discard(): Promise<void> {
    if (this.#isStaged) await this.#discard();
  }

  async #discard(): Promise<void> {
    try {
      await this.#runApart(`drop table if exists ${this.#staging}`);
    } catch (error) {
      throw unwritable(
        this.#target,
        `\`${this.#staging}\` may be left behind; drop it: ${messageOf(error instanceof Error ? error.cause : error)}`,
      );
    }
  }

  /**
   * Drops tables that commands writing to the same table have made more than a day ago, and returns their names: these commands were killed. A user who
   * may not list or drop some keeps them.
   */
  async #dropOld(): Promise<readonly string[]> {
    const { schema, name } = partsOf(this.#target.table);
    const list = `show tables${schema === '' ? '' : ` from ${schema}`}`;
    const rows = await rowsOf(this.#session, list).catch(() => []);
    // Some engines say more than the name, or write it in lower case.
    const old = rows.flat().filter(found => found !== null && isOld(found, name, this.#target.now)) as string[];
    const dropped: string[] = [];
    for (const one of old) {
      const table = `${schema === '' ? '' : `${schema}.`}${this.#session.dialect.name(one)}`;
      await this.#runApart(`drop table if exists ${table}`).then(
        () => dropped.push(one),
        () => undefined,
      );
    }
    return dropped;
  }

  get #names(): string {
    return [...this.#columns.map(this.#session.dialect.name), ...COLUMNS.map(({ name }) => name)].join(', ');
  }

  #insert(table: string, select: string): string {
    return `insert into ${table} (${this.#names}) ${select}`;
  }

  async #run(sql: string): Promise<void> {
    try {
      await this.#session.run!(sql);
    } catch (error) {
      throw unwritable(this.#target, error);
    }
  }

  /** Runs statements that are short and must not be canceled half-way, and works where the other session has ended. */
  async #runApart(...statements: readonly string[]): Promise<void> {
    let session: EngineSession | undefined;
    try {
      session = await this.#open();
      for (const sql of statements) await session.run!(sql);
    } catch (error) {
      throw unwritable(this.#target, error);
    } finally {
      await session?.close();
    }
  }
}

/** Between the name of a table and the time and random digits of the one that is written first. */
const MARK = '_tollgate_';

const DAY_MS = 24 * 3600 * 1000;

/** Returns a name with something added to its last part, inside of the quotes if it has some. */
function beforeQuote(table: string, suffix: string): string {
  return table.replace(/["`]?$/, quote => `${suffix}${quote}`);
}

/** Returns the schema of a table, as it is written, and the last part of its name without quotes. */
function partsOf(table: string): { readonly schema: string; readonly name: string } {
  const [, schema = '', quoted = ''] = /^(?:(.*)[.])?("(?:[^"]|"")*"|`(?:[^`]|``)*`|[^."`]*)$/s.exec(table) ?? [];
  const [quote] = quoted;
  const name = quote === '"' || quote === '`' ? quoted.slice(1, -1).replaceAll(quote + quote, quote) : quoted;
  return { schema, name };
}

/** Returns true if a table was made more than a day ago to be renamed to one with this name. */
function isOld(found: string, name: string, now: number): boolean {
  const prefix = `${name}${MARK}`;
  if (name === '' || found.slice(0, prefix.length).toLowerCase() !== prefix.toLowerCase()) return false;
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)_[0-9a-f]{8}$/.exec(found.slice(prefix.length)) ?? [];
  const [year = Number.NaN, month = 0, ...rest] = parts.map(Number);
  return now - Date.UTC(year, month - 1, ...rest) > DAY_MS;
}

/** Tells whether there is a table. On PostgreSQL, a query that fails would end the transaction. */
async function exists(session: EngineSession, table: string): Promise<boolean> {
  const query = session.dialect.exists?.(table);
  if (query === undefined)
    return session.describe(`select * from ${table}`).then(
      () => true,
      () => false,
    );
  const [[found] = []] = await rowsOf(session, query);
  return found === 't';
}

/** What a lookup `k` has is never null. */
function resultColumns(): readonly string[] {
  return COLUMNS.map(({ name, type }) => {
    if (name === 'change_is_certain') return `case when k.${name} = 1 then true else false end as ${name}`;
    return `nullif(k.${name}, ${type === 'text' ? "''" : '0'}) as ${name}`;
  });
}

function resultsOf({ was, becomes, change, rules }: WrittenKind): LookupRow {
  return [...sideOf(was, rules[0]), ...sideOf(becomes, rules[1]), change.parts.join(', '), Number(change.isCertain)];
}

function sideOf({ outcomes }: Verdict, rule = ''): LookupRow {
  const kinds = [...new Set(outcomes.map(({ kind }) => kind))].sort().join(' or ');
  const [only] = outcomes.length === 1 ? outcomes : [];
  return [kinds, only?.status ?? 0, only?.action ?? '', rule];
}

function unwritable({ table }: WrittenTable, cause: unknown): ExternalError {
  return new ExternalError('engine/unwritable-table', `cannot write to \`${table}\`: ${messageOf(cause)}`, { cause });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
