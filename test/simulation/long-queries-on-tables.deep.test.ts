// A thousand rules over many different values, on each engine: queries carry the classes of values, and engines limit how long they may be.
// Spark takes four minutes of processor time as `sparkForTests` starts it, and six minutes as it is by default.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EDGE_V2 } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy, createPhaseEnvironments } from '@tollgate/policy';
import { impactOnTable, replayOnTable, type TableEngine } from '@tollgate/query';
import { impact, replay } from '@tollgate/simulator';
import { FILE_READER } from '@tollgate/traffic-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openClickhouse } from '../../packages/query/src/engines/clickhouse.ts';
import type { EngineSession, LookupRow } from '../../packages/query/src/engines/engine.ts';
import { openPostgres } from '../../packages/query/src/engines/postgres.ts';
import { clickhouseForTests } from '../support/clickhouse.ts';
import { sparkForTests, trinoForTests } from '../support/cluster-engines.ts';
import { postgresForTests } from '../support/postgres.ts';
import { comparable, comparableImpact } from './table-figures.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-long-queries-'));
const [postgres, clickhouse] = [await postgresForTests(), await clickhouseForTests()];
const [trino, spark] = [await trinoForTests(), await sparkForTests()];
const database = await postgres?.newDatabase();
afterAll(async () => {
  rmSync(folder, { recursive: true });
  postgres?.stop();
  clickhouse?.stop();
  await trino?.stop();
  await spark?.stop();
});

interface Engine {
  readonly engine: TableEngine;
  readonly url: string;
  /** Opens a session that may write. */
  readonly open: () => Promise<EngineSession>;
}

const ENGINES: readonly (readonly [string, Engine | undefined])[] = [
  [
    'PostgreSQL',
    database === undefined
      ? undefined
      : { engine: 'postgres', url: database, open: () => openPostgres(database, undefined, { mayWrite: true }) },
  ],
  [
    'ClickHouse',
    clickhouse && { engine: 'clickhouse', url: clickhouse.url, open: () => openClickhouse(clickhouse.url) },
  ],
  ['Trino', trino && { engine: 'trino', url: trino.url, open: async () => trino.session }],
  ['Spark', spark && { engine: 'spark', url: spark.url, open: async () => spark.session }],
];

const ROWS = 8000;
/** Each is in one of so many sections, most of which have rules. */
const SECTIONS = 400;

interface Shape {
  /** How many different URLs, clients and user agents there are. */
  readonly urls: number;
  readonly clients: number;
  readonly agents: number;
  /** One row in so many has values of a row before. */
  readonly repeats: number;
}

const COLUMNS = ['time', 'client_ip', 'method', 'url', 'user_agent', 'country', 'status'] as const;

/** The first rows show how many values repeat. */
function rowsOf({ urls, clients, agents, repeats }: Shape): readonly LookupRow[] {
  return Array.from({ length: ROWS }, (_, at) => {
    const [url, client, agent] = [urls, clients, agents].map(
      count => (at % repeats === 1 ? at >> 1 : at * 7919) % count,
    ) as [number, number, number];
    return [
      new Date(Date.UTC(2026, 10, 1) + at * 100).toISOString(),
      `10.${client >> 16}.${(client >> 8) & 255}.${client & 255}`,
      at % 7 === 0 ? 'POST' : 'GET',
      `https://shop.example/section-${url % SECTIONS}/${'details-of-an-article/'.repeat(15)}${url}?session=${url}`,
      `Mozilla/5.0 (agent ${agent % SECTIONS}; with some words that every one of them has) build/${agent}`,
      ['DE', 'FR', 'US'][at % 3]!,
      200,
    ];
  });
}

/** A thousand rules, a part of which matches each row. */
function policyOf(action: (number: number) => object) {
  const expressionOf = (n: number) =>
    [
      `req.Path.startsWith('/section-${n % SECTIONS}/')`,
      `req.Path.matches('^/section-${n}/[a-z/-]+[0-9]*${n % 10}$')`,
      `req.URL.contains('?session=${n}')`,
      `req.Headers['User-Agent'][0].contains('agent ${n % SECTIONS};')`,
      `inCidrRange(conn.ClientIP, '10.${n % 3}.${n % 256}.0/24')`,
      `!(conn.ClientIP in ['10.0.${n % 256}.1', '10.1.0.${n % 256}']) && req.Path.endsWith('/${n}')`,
    ][n % 6]!;
  return {
    inbound: Array.from({ length: 1000 }, (_, n) => ({ expressions: [expressionOf(n)], actions: [action(n)] })),
  };
}

const note = (n: number) => ({ type: 'log', config: { metadata: { n: String(n) } } });
const endpoint = EDGE_V2.endpoints[0]!;
const environments = createPhaseEnvironments(EDGE_V2, endpoint);
const read = (document: unknown) =>
  analyzePolicy(new SourceText('policy.json', JSON.stringify(document)), { profile: EDGE_V2, endpoint, environments })
    .policy!;
const options = { profile: EDGE_V2, environments };
const POLICY = read(policyOf(note));
const CHANGED = read(policyOf(n => (n % 50 === 7 ? { type: 'deny' } : note(n))));

/** Returns figures without the lists that are bounds in process, where the keys of many series share a bounded memory. */
function withKnownLists(found: unknown, expected: unknown): unknown {
  if (typeof found !== 'object' || found === null || typeof expected !== 'object' || expected === null) return found;
  if ('distinct' in expected && expected.distinct === undefined) return 'bounds';
  const entries = Object.entries(found).map(([name, value]) => [
    name,
    withKnownLists(value, (expected as Readonly<Record<string, unknown>>)[name]),
  ]);
  return Array.isArray(found) ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}

describe.each([
  ['URLs, clients and user agents that repeat', { urls: 3500, clients: 3000, agents: 3000, repeats: 5 }],
  ['URLs and clients that hardly do', { urls: 1_000_003, clients: 100_003, agents: 50, repeats: 20 }],
] as const)('a thousand rules over %s', (_, shape) => {
  const rows = rowsOf(shape);
  const file = join(folder, `${shape.urls}.jsonl`);
  writeFileSync(
    file,
    rows.map(row => JSON.stringify(Object.fromEntries(COLUMNS.map((name, at) => [name, row[at]])))).join('\n'),
  );
  const here = { files: [file], reader: FILE_READER, traffic: { format: 'json-lines' as const } };

  describe.each(ENGINES)('on %s', (product, engine) => {
    const table = `long_queries_${shape.urls}`;
    const place = { ...engine!, table, mapping: {}, expressions: {} };

    beforeAll(async () => {
      if (engine === undefined) return;
      const session = await engine.open();
      const { lookup, tableOf } = session.dialect;
      const columns = COLUMNS.map(name => ({ name, type: name === 'status' ? 'integer' : 'text' }) as const);
      await session.run!(`drop table if exists ${table}`);
      for (let from = 0; from < rows.length; from += 1000) {
        const select = `select ${COLUMNS.join(', ')} from ${lookup('given', columns, rows.slice(from, from + 1000))}`;
        await session.run!(from === 0 ? tableOf(table, select) : `insert into ${table} ${select}`);
      }
      await session.commit?.();
      if (product === 'PostgreSQL' || product === 'ClickHouse') await session.close();
    });

    it.skipIf(engine === undefined)('are replayed as in process', async () => {
      const breakdown = { top: 3 };
      const found = await replayOnTable(POLICY, { ...options, breakdown }, place);
      const expected = await replay(POLICY, { ...options, breakdown, ...here });
      expect(found).toMatchObject({ kind: 'replayed' });
      const figures = comparable(expected);
      expect(found.kind === 'replayed' && withKnownLists(comparable(found.summary), figures)).toEqual(
        withKnownLists(figures, figures),
      );
    });

    it.skipIf(engine === undefined)('have the impact of one in process', async () => {
      const [was, becomes] = [POLICY, CHANGED].map(policy => ({ policy, options }));
      const found = await impactOnTable(was!, becomes!, { top: 3 }, place);
      const expected = await impact(was!, becomes!, { top: 3, ...here });
      expect(found).toMatchObject({ kind: 'replayed' });
      expect(found.kind === 'replayed' && comparableImpact(found.summary)).toEqual(comparableImpact(expected));
    });
  });
});
