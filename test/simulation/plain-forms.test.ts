import { DuckDBInstance } from '@duckdb/node-api';
import { PROFILES } from '@tollgate/catalog';
import { check, parse } from '@tollgate/cel';
import { createPhaseEnvironments } from '@tollgate/policy';
import { exchangeExpression, type ImpactDimension, listedKey } from '@tollgate/simulator';
import { MappedFacts, prepareMapping, RecordExchange } from '@tollgate/traffic/columns';
import { PARSED } from '@tollgate/traffic/reading';
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

const CHARACTERS = [
  ...' !"#$%&\'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~',
  '\u0000',
  '\n',
  '\u007f',
  'é',
  '😀',
  '%2e',
  'xn--',
  '..',
];
const TEXT = fc.array(fc.constantFrom(...CHARACTERS), { maxLength: 5 }).map(parts => parts.join(''));
const LABEL = fc.constantFrom(
  'e',
  'e.co',
  'a-1.e',
  '1',
  '1.2',
  'E.co',
  'xn--e.co',
  'e.',
  '.e',
  'é.co',
  '[::1]',
  'u@e.co',
  'e.co:80',
);
const PLAIN = fc.stringMatching(/^[!$&->@-[\]-~]{0,9}$/);
const URLS = fc.tuple(
  fc.constantFrom('https://', 'https://', 'http://', 'http://', 'HTTP://', 'ws://', ''),
  fc.oneof(fc.constantFrom('e', 'e.co', 'a-1.e'), LABEL, TEXT),
  fc.oneof(
    fc.tuple(PLAIN, fc.constantFrom('', '?', '?q=%20', '?a?b')).map(([path, query]) => `/${path}${query}`),
    TEXT.map(text => `/${text}`),
    TEXT,
  ),
);
const GROUP = fc.constantFrom('', '0', '1', '01', 'a', 'A', 'ffff', '12345', '10.1.2.3', ':');
const ADDRESSES = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.array(GROUP, { maxLength: 9 }).map(groups => groups.join(':')),
  fc
    .array(fc.constantFrom('0', '1', '01', '10', '255', '256', ' 1', '+1', ''), { maxLength: 5 })
    .map(parts => parts.join('.')),
  TEXT,
);
const VALUES: Readonly<Record<PlainForm['field'], fc.Arbitrary<string>>> = {
  url: URLS.map(parts => parts.join('')),
  client_ip: ADDRESSES,
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

const MAPPING = prepareMapping({}, PARSED);

/** Returns what rules of a profile read in a variable; undefined if the profile lacks it. */
function readerOf(path: string, profile: (typeof PROFILES)[number]) {
  const endpoint = profile.endpoints[0]!;
  const environments = createPhaseEnvironments(profile, endpoint);
  const phase = profile.phases[0]!;
  const { typed, diagnostics } = check(parse(path, environments[phase]).ast, environments[phase]);
  if (diagnostics.length > 0) return undefined;
  return exchangeExpression(typed, { profile, place: { endpoint, phase }, environment: environments[phase] });
}

describe.each(PLAIN_FORMS.map(form => [form.field, form] as const))('the plain form of `%s`', (field, form) => {
  it('has the values that rules read', async () => {
    const texts = fc.sample(VALUES[field], { numRuns: 4000, seed: 1 });
    const usual = field === 'url' ? 'https://e.co/a/b?c=%20' : '10.1.2.3';
    const rows = await onDuckdb(form, [...texts, usual]);
    const names = Object.keys(form.parts);
    const found = rows.map(([, plain, ...parts]) =>
      Number(plain) === 1 ? Object.fromEntries(names.map((name, at) => [name, parts[at]])) : undefined,
    );
    expect(found.at(-1)).toBeDefined();
    expect(found.filter(values => values !== undefined).length).toBeGreaterThan(100);
    for (const profile of PROFILES) {
      for (const [path, part] of Object.entries(form.variables)) {
        const read = readerOf(path, profile);
        if (read === undefined) continue;
        for (const [at, text] of [...texts, usual].entries()) {
          if (found[at] === undefined) continue;
          const exchange = new RecordExchange(
            { file: '', number: 1, unit: 'line' },
            new MappedFacts({ [field]: text }, MAPPING),
          );
          expect({ text, path, value: found[at][part] }).toEqual({ text, path, value: read(exchange) });
          for (const [dimension, key] of Object.entries(form.keys) as [ImpactDimension, string][])
            expect({ text, dimension, key: found[at][key] }).toEqual({
              ...{ text, dimension },
              key: listedKey(exchange, dimension),
            });
        }
      }
    }
  });
});

describe.each([
  ['ClickHouse', clickhouse && onClickhouse],
  ['Trino', onCluster(trino)],
  ['Spark', onCluster(spark)],
] as const)('on %s', (_, ask) => {
  it.skipIf(ask === undefined).each(PLAIN_FORMS.map(form => [form.field, form] as const))(
    'the plain form of `%s` is that of DuckDB',
    async (field, form) => {
      // Not all engines hold zeros in strings.
      const texts = fc.sample(
        VALUES[field].filter(text => !text.includes('\0')),
        { numRuns: runs(4000, 40_000, 'PLAIN_RUNS'), seed: seed(1, 'PLAIN_SEED') },
      );
      const shown = (rows: Rows) =>
        rows.map(([n, plain, ...parts]) => [texts[Number(n)], ...(Number(plain) === 1 ? parts : [])]);
      const here = shown(await onDuckdb(form, texts));
      expect(shown(await ask!(form, texts))).toEqual(here);
      expect(here.filter(({ length }) => length > 1).length).toBeGreaterThan(100);
    },
  );
});
