import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EDGE_V2, PROFILES } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy, createPhaseEnvironments } from '@tollgate/policy';
import {
  chooseRows,
  type DayCounts,
  impactOnTable,
  replayByDay,
  replayOnTable,
  type TableEngine,
} from '@tollgate/query';
import {
  createSimulation,
  dependsOnOrder,
  type ImpactSummary,
  impact,
  readDecisionCondition,
  replay,
  type Verdict,
  writtenExchange,
} from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import { FILE_READER, readTraffic } from '@tollgate/traffic-node';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { athenaForTests } from '../support/athena-stand-in.ts';
import { clickhouseForTests } from '../support/clickhouse.ts';
import { type ConnectedEngine, sparkForTests, trinoForTests } from '../support/cluster-engines.ts';
import { postgresForTests } from '../support/postgres.ts';
import { runs, seed, withFewShrinks } from '../support/runs.ts';
import { SUBSTITUTED } from './generated-decisions.ts';
import { meaningfulPolicies } from './generated-rules.ts';
import { comparable, comparableImpact } from './table-figures.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-tables-'));
const postgres = await postgresForTests();
const clickhouse = await clickhouseForTests();
const trino = await trinoForTests();
const spark = await sparkForTests();
const athena = trino && (await athenaOn(trino));
afterAll(async () => {
  rmSync(folder, { recursive: true });
  postgres?.stop();
  clickhouse?.stop();
  await trino?.run(`drop table if exists ${TABLE}`);
  await spark?.run(`drop view if exists global_temp.${TABLE}`);
  await trino?.stop();
  await spark?.stop();
  await athena?.stop();
});

const DAY = 24 * 3600 * 1000;

type Row = Readonly<Record<string, unknown>>;

interface Engine {
  readonly engine: TableEngine;
  readonly url: string;
  readonly table: string;
  /** Replaces the rows of the table. */
  readonly fill: (rows: readonly Row[]) => Promise<void>;
}

/** Other suites may use the same server. */
const TABLE = `traffic_${process.pid}`;

const ENGINES: readonly (readonly [string, Engine | undefined])[] = [
  ['PostgreSQL', postgres && (await postgresTable(await postgres.newDatabase()))],
  ['ClickHouse', clickhouse && (await clickhouseTable(clickhouse))],
  ['Trino', trino && trinoTable(trino)],
  ['Spark', spark && sparkTable(spark)],
  ['Athena', trino && { ...trinoTable(trino), engine: 'athena', url: 'athena:///' }],
];

/** The API of Athena, whose queries run on Trino. */
async function athenaOn({ session, run }: ConnectedEngine) {
  const standIn = await athenaForTests(async sql => ({ columns: await session.describe(sql), rows: await run(sql) }));
  for (const [name, value] of Object.entries(standIn.env)) vi.stubEnv(name, value);
  return standIn;
}

async function postgresTable(url: string): Promise<Engine> {
  const run = async (sql: string, values: unknown[] = []) => {
    const client = new pg.Client(url);
    await client.connect();
    await client.query(sql, values);
    await client.end();
  };
  await run(`create table ${TABLE}(time timestamptz, client_ip text, client_port integer, method text, url text,
    host varchar(20), target text, request_line text, protocol text, status smallint, tls_version text, server_name text, country text,
    city text, request_headers jsonb, response_headers json)`);
  return {
    engine: 'postgres',
    url,
    table: TABLE,
    fill: async rows => {
      await run(`truncate ${TABLE}`);
      await run(`insert into ${TABLE} select * from json_populate_recordset(null::${TABLE}, $1)`, [
        JSON.stringify(rows),
      ]);
    },
  };
}

async function clickhouseTable({ url, run }: NonNullable<typeof clickhouse>): Promise<Engine> {
  const texts = [
    'client_ip',
    'method',
    'url',
    'host',
    'target',
    'request_line',
    'protocol',
    'tls_version',
    'server_name',
    'city',
  ];
  await run(`create table ${TABLE}(time Nullable(DateTime64(3, 'UTC')), client_port Nullable(UInt16), status Nullable(UInt16),
    country LowCardinality(Nullable(String)), request_headers Nullable(String), response_headers Nullable(String),
    ${texts.map(name => `${name} Nullable(String)`).join(', ')}) engine = Memory`);
  const asJson = (value: unknown) => (value === undefined ? undefined : JSON.stringify(value));
  return {
    engine: 'clickhouse',
    url,
    table: TABLE,
    fill: async rows => {
      await run(`truncate table ${TABLE}`);
      const lines = rows.map(({ time, ...row }) => {
        const headers = {
          request_headers: asJson(row.request_headers),
          response_headers: asJson(row.response_headers),
        };
        return JSON.stringify({
          ...row,
          ...headers,
          ...(time !== undefined && { time: Date.parse(String(time)) / 1000 }),
        });
      });
      await run(`insert into ${TABLE} format JSONEachRow ${lines.join('\n')}`);
    },
  };
}

function trinoTable({ url, run, session: { dialect } }: ConnectedEngine): Engine {
  const columns = `time varchar, client_ip varchar, client_port integer, method varchar, url varchar, host varchar(20),
    target varchar, request_line varchar, protocol varchar, status smallint, tls_version varchar, server_name varchar, country varchar, city varchar,
    request_headers map(varchar, varchar), response_headers json`;
  const names = columns.split(',').flatMap(column => /^\s*([a-z_]+) /.exec(column)?.slice(1) ?? []);
  const list = names.map(name => (name === 'time' ? 'from_iso8601_timestamp(time) as time' : name)).join(', ');
  return {
    engine: 'trino',
    url,
    table: TABLE,
    fill: async rows => {
      const literal = dialect.text(JSON.stringify(rows));
      await run(`drop table if exists ${TABLE}`);
      await run(`create table ${TABLE} as select ${list} from
        unnest(cast(json_parse(${literal}) as array(row(${columns})))) as given(${names.join(', ')})`);
    },
  };
}

function sparkTable({ url, run, session: { dialect } }: ConnectedEngine): Engine {
  const types = `time:timestamp,client_ip:string,client_port:int,method:string,url:string,host:string,target:string,request_line:string,protocol:string,status:smallint,
    tls_version:string,server_name:string,country:string,city:string,request_headers:map<string,string>,response_headers:string`;
  return {
    engine: 'spark',
    url,
    table: `global_temp.${TABLE}`,
    fill: async rows => {
      const literal = dialect.text(JSON.stringify(rows));
      await run(
        `create or replace global temporary view ${TABLE} as select inline(from_json(${literal}, 'array<struct<${types}>>'))`,
      );
    },
  };
}

/** In the order in which `jsonb` keeps names, because it decides which of two spellings is the first value. */
const HEADERS = fc
  .dictionary(
    fc.constantFrom('Host', 'X-A', 'x-a', 'X-B', 'Cookie', 'Content-Length', 'Content-Type'),
    fc.constantFrom('1', '2', 'e.co', 'id=1', '9', 'text/event-stream', 'é', `it's "\\n"`, ...SUBSTITUTED),
    { maxKeys: 4 },
  )
  .map(headers =>
    Object.fromEntries(Object.entries(headers).sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1))),
  );

const ROW: fc.Arbitrary<Row> = fc.record(
  {
    time: fc.nat(99_999).map(ms => new Date(ms).toISOString()),
    client_ip: fc.oneof(
      fc.constantFrom('10.1.2.3', '::1', '::ffff:10.1.2.3', '192.0.2.1:80', 'x', ''),
      fc.ipV4(),
      fc.ipV6(),
    ),
    client_port: fc.constantFrom(1024, 51_312, 0),
    method: fc.constantFrom('GET', 'POST', '', `O'Brien\\`),
    url: fc.oneof(
      fc.constantFrom('https://e.co/a?q=1', 'http://e.co', 'https://E.co/b?q', '/a', 'https://e.co/é', 'no'),
      fc.nat(99).map(number => `https://e.co/a/${number}`),
      fc.constantFrom(...SUBSTITUTED).map(text => `https://e.co/a?q=${text}`),
      fc.string({ unit: 'grapheme', maxLength: 6 }).map(text => `https://e.co/${text.replaceAll('\0', '')}`),
    ),
    host: fc.constantFrom('e.co', 'f.co'),
    target: fc.constantFrom('/a?q=1', 'http://E.co/a', 'HTTPS://e.co:8443/b', '*', '-'),
    request_line: fc.constantFrom('GET /b HTTP/1.1', 'GET HTTP://e.co/a HTTP/1.0', ''),
    protocol: fc.constantFrom('HTTP/1.1', 'h2', 'x'),
    status: fc.constantFrom(200, 404, 503, 0, 400, 499),
    tls_version: fc.constantFrom('TLS 1.2', '1.3', 'none'),
    server_name: fc.constantFrom('e.co', ''),
    country: fc.constantFrom('DE', 'FR', 'Atlantis', ''),
    city: fc.constantFrom('Berlin', ''),
    request_headers: HEADERS,
    response_headers: HEADERS,
  },
  { requiredKeys: [] },
);

/** Few rows many times, or many. */
const ROWS = fc
  .tuple(fc.array(ROW, { minLength: 1, maxLength: 12 }), fc.constantFrom(1, 2, 20))
  .map(([rows, times]) => Array.from({ length: times }, () => rows).flat());

/** How many policies see the same rows: engines take as long to load some as to replay them. */
const POLICIES_OF_A_TABLE = runs(1, 20, 'TABLES_POLICIES');

function several<Value>(one: fc.Arbitrary<Value>): fc.Arbitrary<readonly Value[]> {
  return fc.array(one, { minLength: 1, maxLength: POLICIES_OF_A_TABLE, size: 'max' });
}

/** Returns the predicate of a property about several policies and rows, from that about one. */
function ofEach<Value>(
  fill: (rows: readonly Row[]) => Promise<void>,
  predicate: (value: Value, rows: readonly Row[]) => Promise<void>,
): (values: readonly Value[], rows: readonly Row[]) => Promise<void> {
  return withFewShrinks(async (values, rows) => {
    await fill(rows);
    await someAtOnce(values, value => predicate(value, rows));
  });
}

/** Engines wait for clients, and clients for engines. */
const AT_ONCE = 3;

async function someAtOnce<Value>(values: readonly Value[], each: (value: Value) => Promise<void>): Promise<void> {
  const rest = values.values();
  const ended = await Promise.allSettled(
    Array.from({ length: AT_ONCE }, async () => {
      for (const value of rest) await each(value);
    }),
  );
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
}

/** Returns JSON with sorted members: Trino sorts them, and PostgreSQL in another way. */
function inKeyOrder(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort())
      : one,
  );
}

function shownTransition({ was, becomes }: Pick<ImpactSummary['transitions'][number], 'was' | 'becomes'>): string {
  return JSON.stringify([was, becomes].map(({ kind, status, action }) => [kind, status, action]));
}

/** Nothing but `url` says what was requested, so that its conditions need no other column. */
const URLS_ONLY = { fields: { host: '', target: '', request_line: '', scheme: '', request_headers: '' } };

/** Fields without a column, as most tables lack some: conditions on nothing else have the same value for all rows. */
const ABSENT_FIELDS = fc.oneof(
  fc.constant({}),
  fc
    .subarray(['country', 'city', 'client_ip', 'time', 'status', 'url', 'method', 'request_headers'])
    .map(fields => Object.fromEntries(fields.map(field => [field, '']))),
);

/** What a condition of `--where` asks of decisions; `E` stands for an expression about exchanges. */
const ASKED = fc.constantFrom(
  'E',
  '!(E)',
  "decision.outcome == 'passed'",
  "decision.outcome != 'passed' && (E)",
  '(E) || decision.status >= 404',
  "decision.rules.size() > 0 ? (E) : decision.action == ''",
  'decision.rules.size() == 1 || (E)',
);

/** Returns the expressions of a policy. */
function expressionsIn(document: unknown): readonly string[] {
  if (typeof document !== 'object' || document === null) return [];
  return Object.entries(document).flatMap(([key, value]) =>
    key === 'expressions' && Array.isArray(value) ? value.map(String) : expressionsIn(value),
  );
}

type Thresholds = NonNullable<Parameters<typeof replayOnTable>[2]['thresholds']>;

/** As on many rows, on so few. */
const ALWAYS: Thresholds = { values: 0, combinations: Number.POSITIVE_INFINITY, share: 0, keys: 1, patterns: 1 };
const NEVER: Thresholds = { ...ALWAYS, values: Number.POSITIVE_INFINITY, combinations: 0 };

/** Lookups of values and of groups do not fit in one query then. */
const SHORT = { lookups: 500 };

/** Engines evaluate conditions themselves wherever they can, or nowhere. PostgreSQL takes queries of any length. */
const ROADS = ENGINES.flatMap(([product, engine]): (readonly [string, Engine | undefined, Thresholds])[] => [
  [product, engine, NEVER],
  [`${product} in one scan`, engine, ALWAYS],
  ...(product === 'PostgreSQL'
    ? []
    : [
        [`${product} in short queries`, engine, { ...NEVER, ...SHORT }] as const,
        [`${product} in short scans`, engine, { ...ALWAYS, ...SHORT }] as const,
      ]),
]);

describe.each(ROADS)('on a table of %s', (product, engine, thresholds) => {
  const place = {
    ...engine!,
    thresholds,
    ...{ mapping: thresholds.values === 0 ? URLS_ONLY : { fields: {} }, expressions: {} },
  };
  const file = join(folder, 'traffic.jsonl');
  const fill = async (rows: readonly Row[]) => {
    writeFileSync(file, rows.map(row => JSON.stringify(row)).join('\n'));
    await engine!.fill(rows);
  };

  describe.each(PROFILES.map(profile => [profile.name, profile] as const))('under policies of %s', (_, profile) => {
    const endpoint = profile.endpoints[0]!;
    const environments = createPhaseEnvironments(profile, endpoint);

    const read = (document: unknown) => {
      const source = new SourceText('policy.json', JSON.stringify(document));
      return analyzePolicy(source, { profile, endpoint, environments }).policy!;
    };

    // Most random policies keep state or have rules for events, which tables refuse.
    const suited = meaningfulPolicies(profile, endpoint).filter(one => {
      const policy = read(one);
      const run = createSimulation(policy, { profile, environments }).begin();
      return dependsOnOrder(policy) === undefined && run.leaves() !== undefined;
    });
    const policies = fc.oneof(
      { weight: 9, arbitrary: suited },
      { weight: 1, arbitrary: meaningfulPolicies(profile, endpoint) },
    );

    it.skipIf(engine === undefined)('a replay has the figures of one in process, or says why not', async () => {
      let [compared, records, unsuited] = [0, 0, 0];
      await fc.assert(
        fc.asyncProperty(
          several(fc.tuple(policies, ABSENT_FIELDS)),
          ROWS,
          ofEach(fill, async ([document, absent], rows) => {
            const policy = read(document);
            const options = { profile, environments, breakdown: { top: 3 } };
            const mapping = { fields: { ...place.mapping.fields, ...absent } };
            const found = await replayOnTable(policy, options, { ...place, mapping });
            if (found.kind !== 'replayed') {
              expect(found.kind).toBe('unsuited');
              unsuited++;
              return;
            }
            const expected = await replay(policy, {
              ...options,
              files: [file],
              reader: FILE_READER,
              traffic: { format: 'json-lines', mapping },
            });
            expect(comparable(found.summary)).toEqual(comparable(expected));
            compared++;
            records += rows.length;
          }),
        ),
        { numRuns: runs(2, 30), seed: seed(11, 'TABLES_SEED') },
      );
      expect(compared).toBeGreaterThan(0);
      if (runs(0, 1) > 0)
        console.log(
          `${product}, ${profile.name}: ${compared} replays of ${records} records agree, ${unsuited} unsuited`,
        );
    });

    it.skipIf(engine === undefined)('counts of days that are kept add up to those of one replay', async () => {
      let [compared, keptDays, countedDays, unsuited] = [0, 0, 0, 0];
      await fc.assert(
        fc.asyncProperty(
          several(suited),
          ROWS,
          // Milliseconds, or minutes: intervals of all widths, in one to seventy days.
          fc.constantFrom(1000, 3000, 60_000),
          fc.array(fc.nat(69), { maxLength: 3 }),
          fc.nat(70),
          fc.option(fc.tuple(fc.nat(99_999), fc.nat(99_999))),
          withFewShrinks(async (documents, undated, scale, late, today, range) => {
            const msOf = (time: unknown) => Date.parse(String(time)) * scale;
            const rows = undated.map(row =>
              row.time === undefined ? row : { ...row, time: new Date(msOf(row.time)).toISOString() },
            );
            const dayOf = ({ time }: Row) => Math.floor(Date.parse(String(time)) / DAY);
            const [since, until] = (range ?? []).map(ms => ms * scale).sort((a, b) => a - b);
            const select = range === null ? {} : { since: since!, until: until! };
            const options = { profile, environments, breakdown: { top: 0 } };
            const given = documents.map(document => {
              const policy = read(document);
              const store = new Map<string, DayCounts>();
              const byDay = () =>
                replayByDay(
                  policy,
                  options,
                  { ...place, select },
                  {
                    kept: Object.fromEntries([...store].map(([day, one]) => [day, JSON.parse(JSON.stringify(one))])),
                    keep: (day, counts) => store.set(day, counts),
                    now: today * DAY,
                  },
                );
              return { policy, store, byDay };
            });
            // Of some days, rows come later, and some days are there before others.
            await fill(rows.filter((row, at) => !late.includes(dayOf(row)) || at % 3 > 0));
            const firsts = new Map<(typeof given)[number], Awaited<ReturnType<typeof replayByDay>>>();
            await someAtOnce(given, async one => void firsts.set(one, await one.byDay()));
            await fill(rows);
            await someAtOnce(given, async one => {
              const { policy, store, byDay } = one;
              const first = firsts.get(one)!;
              const found = await byDay();
              const expected = await replayOnTable(policy, { ...options, select }, place);
              if (expected.kind !== 'replayed' || found.kind !== 'replayed' || first.kind !== 'replayed') {
                expect([first.kind, found.kind]).toContain('unsuited');
                unsuited++;
                return;
              }
              const { days, ...summary } = found.summary;
              expect(comparable(summary)).toEqual(comparable(expected.summary));
              const before = first.summary.days!.counted.filter(day => Date.parse(day) + DAY <= today * DAY);
              expect(days!.kept.every(day => before.includes(day))).toBe(true);
              const again = await byDay();
              if (again.kind !== 'replayed') return expect.fail(again.kind);
              expect(again.summary.days!.kept.every(day => store.has(day))).toBe(true);
              const { days: _, ...repeated } = again.summary;
              expect(comparable(repeated)).toEqual(comparable(expected.summary));
              compared++;
              keptDays += again.summary.days!.kept.length;
              countedDays += again.summary.days!.counted.length;
            });
          }),
        ),
        { numRuns: runs(2, 10), seed: seed(11, 'TABLES_SEED') },
      );
      expect(compared).toBeGreaterThan(0);
      if (runs(0, 1) > 0)
        console.log(
          `${product}, ${profile.name}: ${compared} agree with ${keptDays} days kept and ${countedDays} counted, ${unsuited} unsuited`,
        );
    });

    it.skipIf(engine === undefined)(
      'a replay of what a condition selects has the figures of one in process',
      async () => {
        let [compared, selecting, unsuited] = [0, 0, 0];
        await fc.assert(
          fc.asyncProperty(
            several(fc.tuple(policies, policies, ASKED, fc.nat())),
            ROWS,
            ofEach(fill, async ([document, other, asked, nth], rows) => {
              const policy = read(document);
              const expressions = [...expressionsIn(document), ...expressionsIn(other), 'true'];
              const source = asked.replace('E', () => expressions[nth % expressions.length]!);
              const where = readDecisionCondition(source, policy, { profile, environments });
              // Some expressions are about other phases.
              if (!('holds' in where)) return;
              const options = { profile, environments, breakdown: { top: 3 }, select: { where } };
              const found = await replayOnTable(policy, options, place);
              if (found.kind !== 'replayed') {
                expect(found.kind).toBe('unsuited');
                unsuited++;
                return;
              }
              const expected = await replay(policy, {
                ...options,
                files: [file],
                reader: FILE_READER,
                traffic: { format: 'json-lines', mapping: place.mapping },
              });
              expect(comparable(found.summary)).toEqual(comparable(expected));
              compared++;
              const { selected = 0 } = found.summary.selection ?? {};
              if (selected > 0 && selected < rows.length) selecting++;
            }),
          ),
          { numRuns: runs(3, 30), seed: seed(11, 'TABLES_SEED') },
        );
        expect(compared).toBeGreaterThan(0);
        if (runs(0, 1) > 0)
          console.log(
            `${product}, ${profile.name}: ${compared} agree, ${selecting} of some records, ${unsuited} unsuited`,
          );
      },
    );

    it.skipIf(engine === undefined)('a row is chosen of each kind of verdict', async () => {
      let [compared, chosen, unsuited] = [0, 0, 0];
      await fc.assert(
        fc.asyncProperty(
          several(policies),
          ROWS,
          ofEach(fill, async document => {
            const policy = read(document);
            const options = { profile, environments };
            const keyOf = ({ outcomes, hits, notReached }: Verdict) => JSON.stringify([outcomes, hits, notReached]);
            const found = await chooseRows(policy, { ...options, keyOf }, place);
            if (found.kind !== 'replayed') {
              expect(found.kind).toBe('unsuited');
              unsuited++;
              return;
            }
            const run = createSimulation(policy, options).begin();
            const shown = (exchange: Exchange) => inKeyOrder([writtenExchange(exchange), keyOf(run.judge(exchange))]);
            const [expected, recorded] = [new Set<string>(), new Set<string>()];
            const traffic = { format: 'json-lines', mapping: place.mapping } as const;
            for await (const { exchanges } of readTraffic(file, traffic))
              for (const exchange of exchanges) {
                expected.add(keyOf(run.judge(exchange)));
                recorded.add(shown(exchange));
              }
            const keys = found.summary.rows.map(row => keyOf(run.judge(row)));
            expect(keys.toSorted()).toEqual([...expected].sort());
            for (const row of found.summary.rows) expect([...recorded]).toContain(shown(row));
            compared++;
            chosen += keys.length;
          }),
        ),
        { numRuns: runs(2, 30), seed: seed(11, 'TABLES_SEED') },
      );
      expect(compared).toBeGreaterThan(0);
      if (runs(0, 1) > 0)
        console.log(`${product}, ${profile.name}: ${compared} agree on ${chosen} rows, ${unsuited} unsuited`);
    });

    it.skipIf(engine === undefined)('an impact has the figures of one in process, or says why not', async () => {
      let [compared, changed, unsuited, shownExamples] = [0, 0, 0, 0];
      await fc.assert(
        fc.asyncProperty(
          several(fc.tuple(suited, suited)),
          ROWS,
          ofEach(fill, async documents => {
            const options = { profile, environments };
            const [was, becomes] = documents.map(document => ({ policy: read(document), options }));
            const found = await impactOnTable(was!, becomes!, { top: 3 }, place);
            if (found.kind !== 'replayed') {
              expect(found.kind).toBe('unsuited');
              unsuited++;
              return;
            }
            const traffic = {
              files: [file],
              reader: FILE_READER,
              traffic: { format: 'json-lines', mapping: place.mapping },
            } as const;
            const certain = new Set<string>();
            const expected = await impact(was!, becomes!, {
              ...{ ...traffic, top: 3 },
              compared: ({ time, clientIp, method, url, target }, { was: one, becomes: other, change }) => {
                const isOne = one.outcomes.length === 1 && other.outcomes.length === 1;
                if (!change.isCertain || change.parts.length === 0 || !isOne) return;
                const key = shownTransition({ was: one.outcomes[0]!, becomes: other.outcomes[0]! });
                certain.add(JSON.stringify([key, time, clientIp, method, url === undefined && target === undefined]));
              },
            });
            expect(comparableImpact(found.summary)).toEqual(comparableImpact(expected));
            for (const { count, examples = [], ...transition } of found.summary.transitions) {
              expect(examples.length > 0).toBe(count.least > 0);
              examples.forEach(({ time, client, method, path }) => {
                const shown = [time, client, method].map(one => one ?? null);
                const [withPath, without] = [false, true].map(isWithout =>
                  certain.has(JSON.stringify([shownTransition(transition), ...shown, isWithout])),
                );
                expect(withPath || (without && path === undefined)).toBe(true);
                shownExamples++;
              });
            }
            compared++;
            if (expected.changed.most > 0) changed++;
          }),
        ),
        { numRuns: runs(2, 30), seed: seed(11, 'TABLES_SEED') },
      );
      expect(compared).toBeGreaterThan(0);
      if (runs(0, 1) > 0)
        console.log(
          `${product}, ${profile.name}: ${compared} impacts agree, ${changed} of a change with ${shownExamples} examples, ${unsuited} unsuited`,
        );
    });
  });

  it.skipIf(engine === undefined)('examples are different rows, also if each is there many times', async () => {
    const [profile, endpoint] = [EDGE_V2, EDGE_V2.endpoints[0]!];
    const environments = createPhaseEnvironments(profile, endpoint);
    const [was, becomes] = [[], [{ expressions: [], actions: [{ type: 'deny' }] }]].map(inbound => {
      const source = new SourceText('p.json', JSON.stringify({ inbound }));
      const options = { profile, environments };
      return { policy: analyzePolicy(source, { ...options, endpoint }).policy!, options };
    });
    const clients = ['192.0.2.1:80', '0.3.249.88', ...Array.from({ length: 20 }, (_, at) => `10.1.2.${at}`)];
    const rows = clients.map((client_ip, at) => ({
      ...{ time: new Date(81_021 + at).toISOString(), client_ip, client_port: 51_312, method: `O'Brien${at}` },
      ...{ url: 'https://e.co/a/2', host: 'f.co', target: '*', request_line: 'GET /b HTTP/1.1', protocol: 'h2' },
      ...{ status: 400, tls_version: '1.3', server_name: 'e.co', country: 'Atlantis', city: 'Berlin' },
      ...{ request_headers: { 'Content-Type': '\\u0024{x}', 'X-A': '%s' }, response_headers: { 'X-A': '1' } },
    }));
    await fill(Array.from({ length: 20 }, () => rows).flat());
    const found = await impactOnTable(was!, becomes!, { top: 3 }, place);
    const examples = found.kind === 'replayed' ? found.summary.transitions.map(one => one.examples ?? []) : [];
    expect(examples.map(own => new Set(own.map(one => JSON.stringify(one))).size)).toEqual([5]);
  });

  it.skipIf(engine === undefined || thresholds !== ALWAYS).each([
    ['other URLs', { url: 'https://e.co/a/%2e%2e/admin' }],
    ['URLs whose keys are shortened', { url: `https://e.co/admin/${'x'.repeat(600)}` }],
    ['hosts in upper case', { url: 'https://E.CO/admin/1' }],
    ['unknown URLs', {}],
    ['addresses in other forms', { url: 'https://e.co/admin/1', client_ip: '2001:DB8:0:0::1' }],
  ])('%s after the sample are counted and listed as in process', async (_, other) => {
    const profile = EDGE_V2;
    const endpoint = profile.endpoints[0]!;
    const environments = createPhaseEnvironments(profile, endpoint);
    const document = {
      inbound: [
        { expressions: ["req.Path.startsWith('/admin/')"], actions: [{ type: 'log', config: { metadata: {} } }] },
        { expressions: ["inCidrRange(conn.ClientIP, '2001:db8::/32')"], actions: [{ type: 'deny' }] },
      ],
    };
    const { policy } = analyzePolicy(new SourceText('p.json', JSON.stringify(document)), {
      profile,
      endpoint,
      environments,
    });
    const usual = Array.from({ length: 1200 }, (_, at) => ({
      url: `https://e.co/${at % 2 === 0 ? 'admin' : 'a'}/${at % 7}`,
      client_ip: `10.0.0.${at % 5}`,
    }));
    await fill([...usual, ...Array.from({ length: 200 }, () => other)]);
    const options = { profile, environments, breakdown: { top: 3 } };
    const found = await replayOnTable(policy!, options, place);
    const traffic = { format: 'json-lines', mapping: place.mapping } as const;
    const expected = await replay(policy!, { ...options, files: [file], reader: FILE_READER, traffic });
    expect(found.kind === 'replayed' && comparable(found.summary)).toEqual(comparable(expected));
  });
});
