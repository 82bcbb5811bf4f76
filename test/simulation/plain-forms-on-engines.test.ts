import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import {
  CLICKHOUSE_STRINGS,
  DUCKDB_STRINGS,
  isPlainSql,
  PLAIN_FORMS,
  type PlainForm,
  type StringSql,
} from '../../packages/query/src/questions/plain-forms.ts';
import { clickhouseForTests } from '../support/clickhouse.ts';
import { type ConnectedEngine, sparkForTests, trinoForTests } from '../support/cluster-engines.ts';
import { runs, seed } from '../support/runs.ts';

const [clickhouse, trino, spark] = [await clickhouseForTests(), await trinoForTests(), await sparkForTests()];
afterAll(async () => {
  clickhouse?.stop();
  await trino?.stop();
  await spark?.stop();
});

const CHARACTER = fc.constantFrom(
  ...' !"#$%&\'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~',
  '\n',
  '\u007f',
  'é',
  '😀',
  '%2e',
  'xn--',
  '://',
);
const TEXT = fc.array(CHARACTER, { maxLength: 8 }).map(parts => parts.join(''));
const PLAIN = fc.stringMatching(/^[!$&->@-[\]-~]{0,9}$/);
const VALUES: Readonly<Record<PlainForm['field'], fc.Arbitrary<string>>> = {
  url: fc
    .tuple(
      fc.constantFrom('https://', 'http://', 'HTTP://', ''),
      fc.constantFrom('e', 'e.co', 'a-1.e', 'E.co', 'e.co:80'),
      fc.oneof(
        fc.tuple(PLAIN, fc.constantFrom('', '?', '?q=/a', '?a?b')).map(([path, query]) => `/${path}${query}`),
        TEXT.map(text => `/${text}`),
        TEXT,
      ),
    )
    .map(parts => parts.join('')),
  client_ip: fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    TEXT,
    fc.constantFrom('010.0.0.1', '0.0.0.0', '00.0.0.0', '1.2..3', '1.2.3.4.', '::1', '1:2::3', '::ffff:10.1.2.3'),
  ),
};

/** Returns a query for whether each string is plain, and for its parts where it is. */
function query(form: PlainForm, strings: StringSql, from = 'texts'): string {
  const parts = Object.values(form.parts).map(part => part('t', strings));
  const plain = strings.bit(isPlainSql(form, 't', strings));
  return `select n, ${plain}, ${parts.join(', ')} from ${from} order by n`;
}

type Rows = readonly (readonly unknown[])[];
type Ask = (form: PlainForm, texts: readonly string[]) => Promise<Rows>;

async function onDuckdb(form: PlainForm, texts: readonly string[]): Promise<Rows> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run('create table texts(n integer, t varchar)');
  const appender = await connection.createAppender('texts');
  for (const [at, text] of texts.entries()) {
    appender.appendInteger(at);
    appender.appendVarchar(text);
    appender.endRow();
  }
  appender.closeSync();
  const found = (await connection.runAndReadAll(query(form, DUCKDB_STRINGS))).getRowsJson();
  connection.closeSync();
  return found;
}

async function onClickhouse(form: PlainForm, texts: readonly string[]): Promise<Rows> {
  await clickhouse!.run('create or replace table texts(n Int32, t String) engine = Memory');
  await clickhouse!.run(
    `insert into texts format JSONEachRow ${texts.map((t, n) => JSON.stringify({ n, t })).join('\n')}`,
  );
  const lines = await clickhouse!.run(`${query(form, CLICKHOUSE_STRINGS)} format JSONCompactEachRow`);
  return lines
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as readonly unknown[]);
}

function onCluster(engine: ConnectedEngine | undefined): Ask | undefined {
  if (engine === undefined) return undefined;
  const { lookup, strings } = engine.session.dialect;
  const columns = [{ name: 'n', type: 'integer' } as const, { name: 't', type: 'text' } as const];
  return (form, texts) =>
    engine.run(
      query(
        form,
        strings!,
        lookup(
          'texts',
          columns,
          [...texts.entries()].map(([n, t]) => [n, t]),
        ),
      ),
    );
}

describe.each([
  ['ClickHouse', clickhouse && onClickhouse],
  ['Trino', onCluster(trino)],
  ['Spark', onCluster(spark)],
] as const)('on %s', (_, ask) => {
  it.skipIf(ask === undefined).each(PLAIN_FORMS.map(form => [form.field, form] as const))(
    'the plain form of `%s` is that of DuckDB',
    async (field, form) => {
      const texts = fc.sample(VALUES[field], {
        numRuns: runs(4000, 40_000, 'PLAIN_RUNS'),
        seed: seed(1, 'PLAIN_SEED'),
      });
      const shown = (rows: Rows) =>
        rows.map(([n, plain, ...parts]) => [texts[Number(n)], ...(Number(plain) === 1 ? parts : [])]);
      const here = shown(await onDuckdb(form, texts));
      expect(shown(await ask!(form, texts))).toEqual(here);
      expect(here.filter(({ length }) => length > 1).length).toBeGreaterThan(100);
    },
  );
});
