import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runCaptured } from '../../packages/cli/src/run-captured.ts';
import { clickhouseForTests } from '../support/clickhouse.ts';

const directory = mkdtempSync(join(tmpdir(), 'tollgate-reading-users-'));
afterAll(() => rmSync(directory, { recursive: true }));

const POLICY = join(directory, 'policy.yaml');
writeFileSync(
  POLICY,
  `inbound:
  - expressions: ["req.Path.startsWith('/admin')", "conn.ClientIP != '192.0.2.1'"]
    actions: [{ type: deny, config: { status_code: 403 } }]
`,
);

const NONE = join(directory, 'none.yaml');
writeFileSync(NONE, 'inbound: []\n');

/** Each third of the requests is for `/admin`, and one client in ten is allowed. */
function table(count: number): string {
  return `(select concat(if(n % 3 = 0, '/admin/', '/'), toString(n)) as target, concat('192.0.2.', toString(n % 10)) as client_ip,
    toDateTime('2026-11-21 10:00:00', 'UTC') + n as time from (select arrayJoin(range(${count})) as n))`;
}

describe.each([
  ['a profile with `readonly`', '<readonly>1</readonly>'],
  ['no other grant', ''],
  ['a profile with short queries', '<readonly>1</readonly><max_query_size>16000</max_query_size>'],
])('a user of ClickHouse who may only select, with %s', async (_, profile) => {
  const folder = mkdtempSync(join(directory, 'config-'));
  writeFileSync(
    join(folder, 'users.xml'),
    `<clickhouse><profiles><default>${profile}</default></profiles><quotas><default/></quotas><users><default><no_password/>
    <networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota>
    <grants><query>GRANT SELECT ON *.*</query></grants></default></users></clickhouse>`,
  );
  writeFileSync(
    join(folder, 'config.xml'),
    `<clickhouse><users_config>${join(folder, 'users.xml')}</users_config></clickhouse>`,
  );
  const clickhouse = await clickhouseForTests(folder);
  afterAll(() => clickhouse?.stop());
  const run = (command: string, count: number, ...policies: readonly string[]) => {
    const options = [
      '--engine',
      'clickhouse',
      '--connect',
      clickhouse!.url,
      '--table',
      table(count),
      '--format',
      'json',
    ];
    return runCaptured([command, ...options, ...policies]);
  };

  it.skipIf(clickhouse === undefined)('may not create anything, nor use table functions', async () => {
    await expect(clickhouse!.run('create table t (a String) engine = Memory')).rejects.toThrow(
      /READONLY|ACCESS_DENIED/,
    );
    await expect(clickhouse!.run(`select * from format(CSV, 'a String', 'b')`)).rejects.toThrow(
      /READONLY|ACCESS_DENIED/,
    );
  });

  it.skipIf(clickhouse === undefined)('replays a table, and shows the impact of a change', async () => {
    const { code, output, errors } = await run('replay', 3000, POLICY);
    expect([code, errors]).toEqual([0, '']);
    const report = JSON.parse(output);
    expect([report.exchanges, report.rules[0].matched]).toEqual([3000, 900]);
    expect(report.breakdown.rules[0].keys.clients.top).toHaveLength(3);
    const impact = await run('impact', 3000, NONE, POLICY);
    expect([impact.code, impact.errors, JSON.parse(impact.output).changed]).toEqual([0, '', { least: 900, most: 900 }]);
  });

  it.skipIf(clickhouse === undefined)('is told that no rows can be written', async () => {
    const { code, output, errors } = await run('impact', 3000, '--into', 'changed', NONE, POLICY);
    expect([code, output]).toEqual([3, '']);
    expect(errors).toMatch(
      /^tollgate: cannot write to `changed`: ClickHouse failed: [^\n]*(?:readonly|privileges)[^\n]*\n$/,
    );
  });

  it.skipIf(clickhouse === undefined || profile !== '<readonly>1</readonly>')(
    'replays a table with more values than a query can look up',
    async () => {
      const { code, output, errors } = await run('replay', 60_000, POLICY);
      expect([code, errors]).toEqual([0, '']);
      const report = JSON.parse(output);
      expect([report.exchanges, report.rules[0].matched]).toEqual([60_000, 18_000]);
      expect(report.breakdown.rules[0].keys.paths).toMatchObject({ distinct: 18_000 });
    },
  );

  it.skipIf(clickhouse === undefined || !profile.includes('max_query_size'))(
    'is told what to do if there are too many values for many queries',
    async () => {
      const { code, output, errors } = await run('replay', 60_000, POLICY);
      expect([code, output]).toEqual([3, '']);
      expect(errors).toMatch(
        /^tollgate: ClickHouse failed: [^\n]*Max query size exceeded[^\n]*; restrict the table to fewer distinct values, or have `max_query_size` raised for this user\n$/,
      );
    },
  );
});
