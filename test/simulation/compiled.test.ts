import { gzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { type EvaluationContext, PROFILES, type Profile, phasesAt } from '@tollgate/catalog';
import { duckdbQuery, javascriptModule, type PolicyPlan, planPolicy } from '@tollgate/compile';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy, canonicalHeaderName, createPhaseEnvironments, type Policy } from '@tollgate/policy';
import { createSimulation } from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../support/runs.ts';
import { MASK, masked, WHOLE } from './generated-exchange.ts';
import { conditionsIn, meaningfulPolicies } from './generated-rules.ts';

/** What a host gives of an exchange; header maps whole or not at all. */
type HostValue = string | number | undefined | Readonly<Record<string, readonly string[]>>;

function readerOf(path: string, exchange: Exchange, { headerNames }: Profile): (() => HostValue) | undefined {
  const { method, target, url, protocol, clientIp, geo, requestHeaders, tls } = exchange;
  const values: Readonly<Record<string, () => HostValue>> = {
    'req.method': () => method,
    'req.url': () => url,
    'req.path': () => target?.split('?')[0],
    'req.url.path': () => target?.split('?')[0],
    'req.host': () => 'e.co',
    'req.protocol': () => protocol,
    'req.version': () => protocol,
    'conn.clientip': () => clientIp,
    'conn.client_ip': () => clientIp,
    'conn.geo.countrycode': () => geo?.countryCode,
    'conn.geo.country_code': () => geo?.countryCode,
    'req.clienttls.version': () => tls.version,
    'conn.tls.version': () => tls.version?.replace('TLS ', ''),
    'req.clienttls.sni': () => tls.serverName,
    'conn.tls.sni': () => tls.serverName,
    'req.params': () => parametersOf(target),
    'req.url.query_params': () => parametersOf(target),
    'req.headers': () => {
      const map: Record<string, string[]> = {};
      for (const { name, value } of requestHeaders.fields) {
        const key = headerNames === 'lower-case' ? name.toLowerCase() : canonicalHeaderName(name);
        map[key] = [...(map[key] ?? []), value];
      }
      return map;
    },
  };
  return values[path.toLowerCase()];
}

function parametersOf(target: string | undefined): HostValue {
  if (target === undefined) return undefined;
  const found: Record<string, string[]> = {};
  for (const [name, value] of new URLSearchParams(target.split('?')[1] ?? ''))
    found[name] = [...(found[name] ?? []), value];
  return found;
}

interface Decision {
  readonly outcome: string;
  readonly status?: number;
  readonly action?: string;
}

const keyOf = ({ outcome, status, action }: Decision) =>
  [outcome, status, action].filter(one => one !== undefined).join(' ');

/** The possible outcomes according to the simulator. */
function expected(
  policy: Policy,
  profile: Profile,
  endpoint: EvaluationContext['endpoint'],
  exchanges: readonly Exchange[],
) {
  const simulation = createSimulation(policy, { profile, environments: createPhaseEnvironments(profile, endpoint) });
  return exchanges.map(exchange =>
    simulation
      .decide(exchange)
      .outcomes.map(({ kind, status, action }) =>
        keyOf({ outcome: kind, ...(status !== undefined && { status }), ...(action && { action }) }),
      )
      .toSorted(),
  );
}

async function byJavaScript(plan: PolicyPlan, rows: readonly Readonly<Record<string, HostValue>>[]) {
  const compiled = javascriptModule(plan);
  if (!('code' in compiled)) return undefined;
  expect(compiled.code).not.toMatch(/\beval\b|new Function|import /);
  const { decide } = await import(`data:text/javascript,${encodeURIComponent(compiled.code)}`);
  return rows.map(row => {
    const input: Record<string, unknown> = {};
    for (const [path, value] of Object.entries(row)) {
      const names = path.split('.');
      let at = input;
      for (const name of names.slice(0, -1)) {
        at[name] ??= {};
        at = at[name] as Record<string, unknown>;
      }
      at[names.at(-1)!] = value;
    }
    return [...new Set<string>(decide(input).map(keyOf))].toSorted();
  });
}

let run: (sql: string) => Promise<readonly (readonly unknown[])[]>;
beforeAll(async () => {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  run = async sql => (await connection.runAndReadAll(sql)).getRowsJson();
});

const sqlText = (text: string) => `'${text.replaceAll("'", "''")}'`;
const sqlValue = (value: HostValue): string => {
  if (value === undefined) return 'null';
  if (typeof value === 'object') {
    const entries = Object.entries(value).map(([name, list]) => `${sqlText(name)}: [${list.map(sqlText).join(', ')}]`);
    return `map {${entries.join(', ')}}::map(varchar, varchar[])`;
  }
  return typeof value === 'number' ? String(value) : sqlText(value);
};

async function bySql(plan: PolicyPlan, rows: readonly Readonly<Record<string, HostValue>>[]) {
  const compiled = duckdbQuery(plan, { table: 'traffic' });
  if (!('code' in compiled)) return undefined;
  const columns = ['row integer', ...plan.inputs.map(({ path, type }) => `"${columnOf(path)}" ${TYPES[type]}`)];
  await run(`create or replace table traffic(${columns.join(', ')})`);
  const values = rows.map((row, at) => `(${[at, ...plan.inputs.map(({ path }) => sqlValue(row[path]))].join(', ')})`);
  await run(`insert into traffic values ${values.join(', ')}`);
  const found = await run(`select outcomes, outcome, rule from (${compiled.code}) order by row`);
  return found.map(([outcomes, outcome]) => {
    const list = (outcomes as string[]).map(one => one.trim()).toSorted();
    expect(outcome).toBe(list.length === 1 ? list[0]!.split(' ')[0] : null);
    return list;
  });
}

const columnOf = (path: string) => path.replaceAll(/[^A-Za-z0-9]+/g, '_').toLowerCase();
const TYPES = { string: 'varchar', int: 'bigint', bool: 'boolean', headers: 'map(varchar, varchar[])' } as const;

/** Policies of conditions on requests that deny, answer or log, most of which are supported. */
function requestPolicies(profile: Profile, endpoint: EvaluationContext['endpoint']) {
  const phase = profile.headerNames === 'lower-case' && profile.name === 'modern' ? 'on_http_request' : 'inbound';
  const isSnake = profile.headerNames === 'lower-case';
  const extra = isSnake
    ? [
        "req.method in ['GET', 'HEAD']",
        "req.url.path.matches('^/[ab](/|$)')",
        "!(req.method != 'GET') ? req.host == 'x' : conn.client_ip < 'a'",
        "inCidrRanges(conn.client_ip, ['10.1.0.0/15', 'nonsense', '::/127'])",
        "['/a', '/b'].exists(p, req.url.path.startsWith(p)) && size(req.url.path) > 1",
        "['/a', '/x'].all(p, req.url.path != p) || size(req.headers) == 3",
      ]
    : [
        "req.Method in ['GET', 'HEAD']",
        "req.Path.matches('^/[ab](/|$)')",
        "!(req.Method != 'GET') ? req.Host == 'x' : conn.ClientIP < 'a'",
        "inCidrRanges(conn.ClientIP, ['10.1.0.0/15', 'nonsense', '::/127'])",
        "['/a', '/b'].exists(p, req.Path.startsWith(p)) && size(req.Path) > 1",
        "['/a', '/x'].all(p, req.Path != p) || size(req.Headers) == 3",
      ];
  const conditions = [...conditionsIn(profile, { endpoint, phase }), ...extra, ...extra];
  const actions = [
    { type: 'deny' },
    { type: 'deny', config: { status_code: 404 } },
    { type: 'custom-response', config: { status_code: 503, content: 'no' } },
    { type: 'log', config: { metadata: { a: '1' } } },
    { type: 'add-headers', config: { headers: { 'x-a': '1' } } },
    { type: 'remove-headers', config: { headers: ['x-a'] } },
  ];
  const rule = fc.record({
    expressions: fc.array(fc.constantFrom(...conditions), { minLength: 1, maxLength: 2 }),
    actions: fc.tuple(fc.constantFrom(...actions)),
  });
  return fc.array(rule, { minLength: 1, maxLength: 4 }).map(rules => ({ [phase]: rules }));
}

const EXCHANGES = fc.array(
  fc
    .tuple(WHOLE, MASK)
    .map(([whole, mask]) => masked(whole, { ...mask, headers: [], withheld: false, target: mask.url })),
  { minLength: 1, maxLength: 8 },
);

const [BASE] = fc.sample(WHOLE, { seed: 1, numRuns: 1 }) as [Exchange];

/** Odd ones, and random ones of both families. */
const ADDRESSES: readonly string[] = [
  ...['', '1', '1.2.3', '1.2.3.4.', '.1.2.3.4', '01.2.3.4', '256.1.1.1', '10.127.255.255', '10.128.0.0', '1.2.3.4 '],
  ...[
    '::',
    '::1',
    ':::',
    ':1',
    '1:',
    '1::',
    '1::2::3',
    '::ffff:10.1.2.3',
    '::ffff:a01:203',
    '::FFFF:A01:203',
    '::1.2.3.4',
  ],
  ...[
    '1:2:3:4:5:6:7:8',
    '1:2:3:4:5:6:7::',
    '::2:3:4:5:6:7:8',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:1.2.3.4',
    '12345::',
    'g::',
  ],
  ...[
    '2001:db8:80::',
    '2001:db8:ff:ffff::',
    '2001:db8:100::',
    'fe80::1%eth0',
    '[::1]',
    '::1.2.3',
    '1.2.3.4:80',
    ':1.2.3.4',
  ],
  ...fc.sample(fc.ipV4(), { seed: 1, numRuns: 50 }),
  ...fc.sample(fc.ipV6(), { seed: 1, numRuns: 50 }),
];

describe.each(PROFILES.map(profile => [profile.name, profile] as const))('a compiled policy under %s', (_, profile) => {
  const endpoint = profile.endpoints[0]!;
  const context = { profile, endpoint, environments: createPhaseEnvironments(profile, endpoint) };
  const analysed = (document: unknown) =>
    analyzePolicy(new SourceText('p.json', JSON.stringify(document)), context).policy!;

  it('decides what the simulator decides, in JavaScript and in SQL, or says what is not supported', async () => {
    let [compared, queried] = [0, 0];
    const policies = fc.oneof(
      { weight: 4, arbitrary: requestPolicies(profile, endpoint) },
      { weight: 1, arbitrary: meaningfulPolicies(profile, endpoint) },
    );
    await fc.assert(
      fc.asyncProperty(policies, EXCHANGES, async (document, exchanges) => {
        const policy = analysed(document);
        const planned = planPolicy(policy, context);
        if ('unsupported' in planned) {
          const { construct, expression, range } = planned.unsupported;
          const length = expression?.source.length ?? JSON.stringify(document).length;
          expect([construct === '', range.start < range.end && range.end <= length]).toEqual([false, true]);
          return;
        }
        // The test knows the usual inputs.
        if (!planned.plan.inputs.every(({ path }) => readerOf(path, exchanges[0]!, profile))) return;
        const rows = exchanges.map(exchange =>
          Object.fromEntries(planned.plan.inputs.map(({ path }) => [path, readerOf(path, exchange, profile)!()])),
        );
        const truth = expected(policy, profile, endpoint, exchanges);
        const [byModule, byQuery] = [await byJavaScript(planned.plan, rows), await bySql(planned.plan, rows)];
        expect(byModule).toEqual(truth);
        expect(byQuery ?? truth).toEqual(truth);
        compared++;
        queried += Number(byQuery !== undefined);
      }),
      { numRuns: runs(25, 2000) },
    );
    expect([compared, queried]).toEqual([expect.toSatisfy(count => count > 3), expect.toSatisfy(count => count > 1)]);
  });

  it('reads addresses as the evaluator does', async () => {
    const address = profile.headerNames === 'lower-case' ? 'conn.client_ip' : 'conn.ClientIP';
    const [phase] = phasesAt(profile, endpoint).filter(one => one === 'inbound' || one === 'on_http_request');
    const ranges = [
      '10.0.0.0/9',
      '0.0.0.0/0',
      '10.1.2.3/32',
      '::/0',
      '2001:db8:80::/41',
      '::ffff:0:0/96',
      '255.0.0.0/1',
    ];
    for (const range of ranges) {
      const expressions = [`inCidrRange(${address}, '${range}') || inCidrRanges(${address}, ['x', '${range}'])`];
      const rules = [{ expressions, actions: [{ type: 'deny' }] }];
      const policy = analysed({ [phase!]: rules });
      const planned = planPolicy(policy, context);
      if (!('plan' in planned)) {
        // There, an address has fields.
        expect([profile.name, planned.unsupported.construct]).toEqual(['modern', 'field']);
        return;
      }
      const exchanges = ADDRESSES.map(clientIp => ({ ...BASE, clientIp }));
      const rows = exchanges.map(exchange => ({ [address]: exchange.clientIp }));
      const found = await byJavaScript(planned.plan, rows);
      const wanted = expected(policy, profile, endpoint, exchanges);
      expect(found?.map((one, at) => [ADDRESSES[at], one])).toEqual(wanted.map((one, at) => [ADDRESSES[at], one]));
    }
  });

  it('is small for 30 rules', () => {
    const path = profile.headerNames === 'lower-case' ? 'req.url.path' : 'req.Path';
    const [phase] = phasesAt(profile, endpoint).filter(one => one === 'inbound' || one === 'on_http_request');
    const rules = Array.from({ length: 30 }, (_, at) => ({
      name: `rule ${at}`,
      expressions: [
        `${path}.startsWith('/section-${at}/') || ${path} in ['/a${at}', '/b${at}'] && !${path}.matches('^/x[0-9]+/${at}')`,
      ],
      actions: [{ type: 'deny', config: { status_code: 403 } }],
    }));
    const planned = planPolicy(analysed({ [phase!]: rules }), context);
    const compiled = 'plan' in planned ? javascriptModule(planned.plan) : undefined;
    expect(compiled && 'code' in compiled && gzipSync(compiled.code).length).toBeLessThan(12 * 1024);
  });
});
